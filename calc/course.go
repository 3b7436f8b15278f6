package calc

// remoteCourse is what a partition did to the remote store, in order of time: what it wrote to __remote_log_metadata, and
// what became of each segment.
type remoteCourse struct {
	events   []remoteEvent
	segments []RemoteSegment // by attempt to copy
}

// remoteEvent is a record in __remote_log_metadata.
type remoteEvent struct {
	at    Millis
	state RemoteState
	id    int32 // of the attempt to copy
}

// note takes an event down.
func (c *remoteCourse) note(now Millis, kind EventKind, g *RemoteSegment) {
	state := CopySegmentStarted
	switch kind {
	case CopyFinished:
		state = CopySegmentFinished
	case RemoteDeleteStarted:
		state = DeleteSegmentStarted
	case RemoteDeleteFinished:
		state = DeleteSegmentFinished
	}
	if state == CopySegmentStarted {
		c.segments = append(c.segments, *g)
	} else {
		c.segments[g.id] = *g
	}
	c.events = append(c.events, remoteEvent{now, state, int32(g.id)})
}
