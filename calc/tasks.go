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
	armed      Millis // when it was scheduled
	order      int64  // of scheduling within that time
}

// before reports whether p runs before q: tasks of one time run in the order in which they were scheduled.
func (p *periodic) before(q *periodic) bool {
	if p.at != q.at {
		return p.at < q.at
	}
	if p.armed != q.armed {
		return p.armed < q.armed
	}
	return p.order < q.order
}

// tasks are the broker's periodic tasks. A task is scheduled again when its run ends.
//
// Kafka: KafkaScheduler, LogManager.startupWithConfigOverrides, UnifiedLog's PeriodicProducerExpirationCheck.
type tasks struct {
	retention, expiry, copying periodic
	scheduled                  int64
	began                      Millis // when the first retention check after a start is due
}

func (t *tasks) schedule(p *periodic, now Millis) {
	p.armed, p.order = now, t.scheduled
	t.scheduled++
}

// start schedules the tasks of a broker that starts now. A new log is made after the retention check was scheduled; one
// that exists is loaded before.
func (t *tasks) start(now Millis, b BrokerConfig, fresh bool) {
	t.began = add(now, b.InitialTaskDelay)
	t.retention = periodic{at: t.began, period: b.RetentionCheckInterval}
	t.expiry = periodic{at: add(now, b.ProducerExpirationCheck), period: b.ProducerExpirationCheck}
	if fresh {
		t.schedule(&t.retention, now)
		t.schedule(&t.expiry, now)
		t.copying.at = Never
		return
	}
	t.schedule(&t.expiry, now)
	t.schedule(&t.retention, now)
	if t.copying.period > 0 {
		t.copyEvery(now, t.copying.period)
	}
}

func (t *tasks) copyEvery(now, period Millis) {
	t.copying = periodic{at: Never, period: period}
	if period > 0 {
		t.copying.at = add(now, period)
		t.schedule(&t.copying, now)
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
		if first == nil || p.before(first) {
			kind, first = task(i+1), p
		}
	}
	if first != nil {
		first.at = add(first.at, first.period)
		t.schedule(first, now)
	}
	return kind
}

// skip passes over the runs of a check before a time, as if they had run and found nothing. It leaves the first run after a
// start, and checks of one period, which may always fall together: their order is that of their last runs.
func (t *tasks) skip(p *periodic, until Millis) {
	if p.at >= until || p.armed != p.at-p.period || t.retention.period == t.expiry.period ||
		t.retention.period == t.copying.period {
		return
	}
	n := (min(until, Never-p.period) - p.at + p.period - 1) / p.period
	p.at += n * p.period
	p.armed = p.at - p.period
}
