package kafkaconf

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A column that is called rate will do when its cells say what they count.
func TestUnitInTheCells(t *testing.T) {
	s := readSeries(t, "time,rate\n0,\n60,1 MiB/s\n120,512KiB/s\n180,1024\n")
	assert.Equal(t, BytesPerSecond, s.Unit)
	assert.Equal(t, int64(60<<20+60<<19+60*1024<<20), s.Total(), "a cell without a unit has the first one's")
	s = readSeries(t, "time;rate\n0;5 records/s\n60;2,5 records/s\n")
	assert.Equal(t, RecordsPerSecond, s.Unit)
	assert.Equal(t, int64(450), s.Total())
	for text, want := range map[string]string{
		"time,rate\n0,5\n60,6\n":        `line 2: neither column "rate" nor its first value "5" says what it counts; name the column records/s or bytes/s`,
		"time,rate\n0,5 apples\n60,6\n": `nor its first value "5 apples"`,
		"time,rate\n0,\n60,\n":          "the file has no rows",
		"time,rate\n":                   "the file has no rows",
	} {
		_, err := ReadSeries(strings.NewReader(text), SeriesOptions{})
		require.ErrorIs(t, err, ErrSeries, text)
		assert.ErrorContains(t, err, want)
	}
}
