package report

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/partsize/partsize/calc"
)

// surprising are scenarios that have findings, each kind of finding at least once.
var surprising = []string{
	"retention.ms=-1",
	"cleanup.policy=compact",
	"cleanup.policy=compact record.keys=1000",
	"cleanup.policy=compact record.keys=1000 segment.bytes=1MiB horizon=1d",
	"cleanup.policy=compact,delete record.keys=1000",
	"backlog=1TiB backlog.age=30d backlog.rate=50MiB/s horizon=14d",
	"timestamp.shift=-17000d horizon=1d",
	"produce=100kB/s retention.bytes=50MB retention.ms=1h",
	"produce=1MB/s retention.bytes=112197632 retention.ms=-1 horizon=1d disk=1GiB",
	"produce=1000B/s retention.ms=1h",
	"produce=5KiB/s retention.ms=1h",
	"produce=5KiB/s retention.ms=1min",
	"produce=500KiB/s retention.ms=1d timestamp.shift=59min horizon=7d",
	"produce=5MiB/s retention.bytes=50GiB horizon=1d",
	"produce=5MiB/s retention.bytes=3GiB horizon=1d",
	"produce=1MiB/s segment.index.bytes=4096 horizon=9d",
	"produce=500MB/s segment.bytes=2147483647 retention.bytes=10TB horizon=12h partitions=20",
	"produce=1MiB/s segment.bytes=1MiB partitions=1 horizon=9d retention.ms=1d",
	"produce=10B/s record.value=100 retention.ms=1d partitions=5000 replication.factor=3",
	"produce=0/s partitions=1000",
	"retention.ms=1y",
	"retention.bytes=100TiB",
	"produce=100MiB/s retention.ms=5min horizon=1d",
	"produce=100MiB/s retention.ms=1s horizon=1d",
	"disk=100GiB",
	"disk=620GiB",
	"disk=2GiB partitions=5",
	"produce=1MiB/s disk=10GiB retention.bytes=5GiB horizon=2d",
}

// Each finding leads to a page that explains it, and says something.
func TestFindingsAreExplained(t *testing.T) {
	titles := map[string]bool{}
	for _, scenario := range surprising {
		a, _ := run(t, strings.Fields(scenario)...)
		for _, f := range Findings(a) {
			titles[f.Title] = true
			require.NotEmpty(t, f.Links, f.Title)
			for _, link := range f.Links {
				assert.Regexp(t, `^https://(kafka\.apache\.org/documentation/#|github\.com/apache/kafka/blob/4\.3\.1/|issues\.apache\.org/jira/browse/KAFKA-)\w`, link.URL, f.Title)
				assert.NotEmpty(t, link.Text, f.Title)
			}
			says := plainSpaces(f.Words.String())
			assert.Regexp(t, `^([A-Z]|retention\.bytes|\d).*\.$`, says)
			assert.NotRegexp(t, `\b1 (segments|partitions|replicas|files|maps|appends|keys)\b|  |\.\.|%!`, says, f.Title)
		}
	}
	assert.GreaterOrEqual(t, len(titles), 16, "%v", titles)
}

// What a finding offers makes it go, each of its ways by itself, pressed once or as long as it is offered.
func TestFixesMakeFindingsGo(t *testing.T) {
	for _, given := range surprising {
		a, o := run(t, strings.Fields(given)...)
		for _, f := range Findings(a) {
			for i, fix := range f.Fixes {
				in, there := o.Input, &f
				for presses := 0; there != nil; presses++ {
					require.Less(t, presses, 4, "%s: %s is still there with %s", given, f.Title, fix)
					next := there.Fixes[min(i, len(there.Fixes)-1)]
					before := in.Get(next.Key)
					require.NoError(t, in.Set(next.Key, next.Value), "%s: %s", given, f.Title)
					require.NotEqual(t, before, in.Get(next.Key), "%s: %s: pressing changes nothing", given, f.Title)
					scenario, err := calc.NewScenario(in)
					require.NoError(t, err, "%s: %s: %s", given, f.Title, next)
					a := calc.Run(scenario)
					there = found(&a, f.Title)
					if there != nil && len(there.Fixes) == 0 {
						t.Errorf("%s: %s has no way out any more after %s", given, f.Title, next)
						break
					}
				}
			}
		}
	}
}
