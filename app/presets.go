package app

import "strings"

// preset is a scenario that people know, as a link.
type preset struct{ name, link string }

var presets = []preset{
	{"Kafka's defaults", ""},
	{"Low traffic, kept for an hour", "produce=5KiB/s&retention.ms=1h"},
	{"Bound by size", "produce=5MiB/s&retention.bytes=50GiB&horizon=1d"},
	{"Firehose", "produce=100MiB/s&retention.ms=6h&horizon=1d"},
	{"Day and night", "produce=4MiB/s&produce.daily=20,20,60,100,100,100,60,40&retention.ms=2d&horizon=14d"},
	{"Backfill of 30 days", "produce=1MiB/s&backlog=1TiB&backlog.age=30d&backlog.rate=50MiB/s&horizon=14d"},
	{"Many tiny partitions", "produce=10B/s&record.value=100&retention.ms=1d&partitions=5000&replication.factor=3"},
	{"Timestamps from the future", "produce=500KiB/s&retention.ms=1d&timestamp.shift=59min&horizon=7d"},
}

// named is the preset or the recent link with a name.
func (s *state) named(name string) (link string, ok bool) {
	for _, p := range presets {
		if p.name == name {
			return p.link, true
		}
	}
	for _, link := range s.recent {
		if recentName(link) == name {
			return link, true
		}
	}
	return "", false
}

// take shows a preset; it can be undone.
func (s *state) take(name string) {
	if link, ok := s.named(name); ok {
		read, _ := readLink(link)
		s.remember("")
		s.edited, s.linkSays = true, nil
		s.goTo(was{read.input, read.place})
	}
}

// maxRecent is how many links are kept.
const maxRecent = 8

// keep notes a link that the reader copied, the newest first.
func (s *state) keep(link string) {
	if link == "" {
		return
	}
	kept := []string{link}
	for _, old := range s.recent {
		if old != link && len(kept) < maxRecent {
			kept = append(kept, old)
		}
	}
	s.recent = kept
	s.views.form = nil
}

// recentName is a link as a name.
func recentName(link string) string {
	name := strings.TrimPrefix(link, "v=1&")
	return shorten(strings.ReplaceAll(name, "&", ", "))
}
