package provider

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/partsize/partsize/calc"
)

// Every rule has exactly one shape, a source with a date, and a request that keeps it and one that breaks it.
func TestRules(t *testing.T) {
	ids := map[string]bool{}
	rules := 0
	for _, s := range Services() {
		require.Regexp(t, `^[a-z0-9-]+$`, s.ID)
		require.False(t, ids[s.ID], s.ID)
		ids[s.ID] = true
		require.NotEmpty(t, s.Name)
		own := map[string]bool{}
		for i := range s.Rules {
			r := &s.Rules[i]
			rules++
			t.Run(s.ID+"/"+r.ID, func(t *testing.T) {
				assert.False(t, own[r.ID], "the ID comes twice")
				own[r.ID] = true
				checkRule(t, s, r)
			})
		}
	}
	assert.Greater(t, rules, 90)
}

func checkRule(t *testing.T, s *Service, r *Rule) {
	shapes := 0
	for _, set := range []bool{r.Bound != nil, r.Reservation != nil, r.Ladder != nil, r.Staircase != nil, r.Tier != nil, r.Fixed != nil} {
		if set {
			shapes++
		}
	}
	assert.Equal(t, 1, shapes, "shapes")
	assert.True(t, strings.HasSuffix(r.Says, "."), "Says is a sentence")
	for _, p := range r.Plans {
		_, err := s.plan(p)
		assert.NoError(t, err)
	}
	assert.Regexp(t, regexp.MustCompile(`^https://[^ ]+$`), r.Source.URL)
	assert.NotEmpty(t, r.Source.Title)
	read, err := time.Parse(time.DateOnly, r.Source.Read)
	require.NoError(t, err)
	assert.False(t, read.Before(time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)))
	assert.Contains(t, []Confidence{PageRead, ExcerptRead, Unverified}, r.Source.Confidence)
	assert.Equal(t, r.Source.Confidence == Unverified, r.Doubt != "", "what is not verified says why, and nothing else does")
	if r.Ladder == nil {
		assert.True(t, Refused <= r.Effect && r.Effect <= Noted, "effect")
	} else {
		for i, g := range r.Ladder.Rungs {
			assert.True(t, Refused <= g.Effect && g.Effect <= Noted, "effect")
			assert.NotEmpty(t, g.Action)
			if i > 0 && g.Percent > 0 {
				assert.Greater(t, g.Percent, r.Ladder.Rungs[i-1].Percent, "rungs go up")
			}
		}
	}
	for _, example := range []struct {
		text   string
		breaks bool
	}{{r.Pass, false}, {r.Break, true}} {
		require.NotEmpty(t, example.text)
		text := example.text
		if len(r.Plans) > 0 && !strings.Contains(text, "plan=") {
			text += " plan=" + r.Plans[0]
		}
		request, err := Parse(s, text)
		require.NoError(t, err, text)
		var by []Verdict
		for _, v := range Check(request) {
			if v.Rule == r.ID {
				by = append(by, v)
			}
		}
		if !example.breaks {
			assert.Empty(t, by, text)
			continue
		}
		require.Len(t, by, 1, text)
		v := by[0]
		assert.NotEqual(t, Unknown, v.Effect, text)
		assert.Equal(t, r.Source, v.Source)
		assert.NotEmpty(t, v.Sentence)
		assert.NotContains(t, v.Sentence, "%!", v.Sentence)
		if v.Effect.Breach() && r.Fixed == nil && r.Ladder == nil && r.Staircase == nil {
			assert.NotEmpty(t, v.Fixes, "%s: what to change", v.Sentence)
		}
		for _, f := range v.Fixes {
			if f.Key != "" {
				fixed, err := Parse(s, text)
				require.NoError(t, err)
				require.NoError(t, fixed.Set(f.Key, f.Value), f.Text)
				for i := range fixed.Topics {
					fixed.Topics[i].Traffic = nil
				}
				require.NoError(t, fixed.Measure())
				for _, after := range Check(fixed) {
					assert.False(t, after.Rule == r.ID && after.Breach(), "%s is no way out of %q: %s", f.Text, v.Sentence, after.Sentence)
				}
			}
		}
	}
}

// A key that a rule is about exists.
func TestKeysExist(t *testing.T) {
	for _, s := range Services() {
		for i := range s.Rules {
			key := s.Rules[i].key()
			if key == "" {
				continue
			}
			_, option := OptionOf(key)
			_, fact := factOf(key)
			_, _, setting := calc.SettingOf(key)
			assert.True(t, option || fact || setting, "%s/%s: %s", s.ID, s.Rules[i].ID, key)
		}
		for _, a := range s.Aliases {
			_, _, known := calc.SettingOf(a.Key)
			assert.False(t, known, "%s is Kafka's own name", a.Key)
			_, _, known = calc.SettingOf(a.Value)
			assert.True(t, known, a.Value)
		}
		for _, d := range s.Defaults {
			r := Request{Service: s}
			assert.NoError(t, r.Set(d.Key, d.Value))
		}
	}
	for _, o := range Options() {
		if o.Default != "" {
			_, err := o.parse(o.Default)
			assert.NoError(t, err, o.Key)
		}
	}
}

func TestTable(t *testing.T) {
	r, err := Parse(nil, "retention.bytes=50GiB segment.bytes=1GiB partitions=36 replication.factor=3 storage=2TB disk=4TiB")
	require.NoError(t, err)
	rows := Table(r)
	by := map[string]Row{}
	for _, row := range rows {
		by[row.Service.ID+"/"+row.Plan] = row
	}
	assert.Equal(t, Accepted, by["apache-kafka/"].Verdict.Effect)
	assert.Equal(t, Refused, by["ibm-event-streams/Enterprise"].Verdict.Effect)
	assert.Equal(t, "reserved", by["ibm-event-streams/Enterprise"].Verdict.Rule)
	assert.Equal(t, "standard.retention.bytes", by["ibm-event-streams/Standard"].Verdict.Rule)
	assert.Equal(t, "serverless.segment.bytes", by["amazon-msk/Serverless"].Verdict.Rule)
	assert.Equal(t, Accepted, by["confluent-cloud/Standard, Enterprise, Dedicated"].Verdict.Effect)
	for _, row := range rows {
		assert.NotEmpty(t, row.Verdict.Sentence, row.Service.ID)
		if row.Verdict.Effect < Accepted {
			assert.NotEmpty(t, row.Verdict.Source.URL, row.Service.ID)
		}
	}
}

// A row is reckoned with its service's own defaults: a week at Kafka's, three days at Tencent's.
func TestTableHasDefaults(t *testing.T) {
	r, err := Parse(nil, "produce=1MB/s partitions=3 disk=700GB brokers=1")
	require.NoError(t, err)
	before := r.Topics[0].Traffic.Peak
	for _, row := range Table(r) {
		switch row.Service.ID {
		case "hdinsight":
			assert.Equal(t, Blocked, row.Verdict.Effect, "1.8 TB in 7 days do not fit in 700 GB")
		case "huawei-dms":
			assert.Equal(t, Lost, row.Verdict.Effect, "778 GB in 3 days")
			assert.Contains(t, row.Verdict.Sentence, "112.")
		}
	}
	assert.Equal(t, before, r.Topics[0].Traffic.Peak, "the request does not change")
}
