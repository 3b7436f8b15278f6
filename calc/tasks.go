package calc

// task is one of the broker's periodic tasks.
type task uint8

const (
	noTask task = iota
	retentionTask
	expiryTask
	copyTask
)

// periodic is a task that is due at a time and then again every period.
type periodic struct {
	at, period Millis
	order      int64 // of scheduling, for tasks that are due at the same time
}

// tasks are the broker's periodic tasks. A task is scheduled again when its run ends.
//
// Kafka: KafkaScheduler, LogManager.startupWithConfigOverrides, UnifiedLog's PeriodicProducerExpirationCheck.
type tasks struct {
	retention, expiry, copying periodic
	scheduled                  int64
}

func (t *tasks) schedule(p *periodic) {
	p.order = t.scheduled
	t.scheduled++
}

// start schedules the tasks of a broker that starts now. A new log is made after the retention check was scheduled; one
// that exists is loaded before.
func (t *tasks) start(now Millis, b BrokerConfig, fresh bool) {
	t.retention = periodic{at: add(now, b.InitialTaskDelay), period: b.RetentionCheckInterval}
	t.expiry = periodic{at: add(now, b.ProducerExpirationCheck), period: b.ProducerExpirationCheck}
	if fresh {
		t.schedule(&t.retention)
		t.schedule(&t.expiry)
		t.copying.at = Never
		return
	}
	t.schedule(&t.expiry)
	t.schedule(&t.retention)
	if t.copying.period > 0 {
		t.copyEvery(now, t.copying.period)
	}
}

func (t *tasks) copyEvery(now, period Millis) {
	t.copying = periodic{at: Never, period: period}
	if period > 0 {
		t.copying.at = add(now, period)
		t.schedule(&t.copying)
	}
}

// next is when the next task is due.
func (t *tasks) next() Millis { return min(t.retention.at, t.expiry.at, t.copying.at) }

// pop is the task that comes next, if it is due now, and schedules it again.
func (t *tasks) pop(now Millis) task {
	kind, first := noTask, (*periodic)(nil)
	for i, p := range [...]*periodic{&t.retention, &t.expiry, &t.copying} {
		if p.at > now {
			continue
		}
		if first == nil || p.at < first.at || p.at == first.at && p.order < first.order {
			kind, first = task(i+1), p
		}
	}
	if first != nil {
		first.at = add(first.at, first.period)
		t.schedule(first)
	}
	return kind
}
