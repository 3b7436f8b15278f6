package calc

// Oracle is the oracle for tests outside of this package.
type Oracle struct{ o *oracle }

// NewOracle is an oracle at time 0.
func NewOracle(p Plan) Oracle { return Oracle{newOracle(p)} }

// Due is when the next task and the next step are due.
func (o Oracle) Due() (task, step Millis) {
	task = Never
	if t := o.o.nextTask(); t != nil {
		task = t.at
	}
	_, step = o.o.nextStep()
	return task, step
}

// Step does what is due next.
func (o Oracle) Step() (Turn, []Event) {
	events := o.o.step()
	return o.o.turn, events
}

// Now is the time of the last thing that happened.
func (o Oracle) Now() Millis { return o.o.now }

// Failed reports whether Kafka itself fails.
func (o Oracle) Failed() bool { return o.o.failed }

// Usage and Directory are what is on disk.
func (o Oracle) Usage() Usage         { return o.o.usage() }
func (o Oracle) Directory() Directory { return o.o.directory() }

// Offsets are the log start offset, the local log start offset, and the log end offset.
func (o Oracle) Offsets() (start, localStart, end Offset) {
	return o.o.logStart, o.o.localStart, o.o.logEnd
}

// Tiered reports whether the log has a local log start offset of its own.
func (o Oracle) Tiered() bool { return o.o.config.RemoteStorage }
