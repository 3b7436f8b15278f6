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
	copy  bool  // the copy task wrote it: a deletion is of what its own failed attempt left
}

// note takes an event down; copy is whether the copy task wrote it.
func (c *remoteCourse) note(now Millis, kind EventKind, g *RemoteSegment, copy bool) {
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
	c.events = append(c.events, remoteEvent{now, state, int32(g.id), copy})
}

// goesOn reports whether the run of the expiration task that has deleted a segment with event i begins with the next one at
// once.
func (c *remoteCourse) goesOn(i int) bool {
	for _, e := range c.events[i+1:] {
		if e.at > c.events[i].at {
			break
		}
		if e.state == DeleteSegmentStarted && !e.copy {
			return true
		}
	}
	return false
}
