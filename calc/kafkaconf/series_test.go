package kafkaconf

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/partsize/partsize/calc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func readSeries(t *testing.T, text string) *Series {
	t.Helper()
	s, err := ReadSeries(strings.NewReader(text), SeriesOptions{})
	require.NoError(t, err)
	at := calc.Millis(0)
	for _, p := range s.Pieces { // the invariant of Series
		require.Equal(t, at, p.At)
		require.Positive(t, p.Length)
		require.GreaterOrEqual(t, p.Amount, int64(0))
		at += p.Length
	}
	return s
}

func TestSeriesForms(t *testing.T) {
	threeMinutes := []Piece{{0, 60000, 60}, {60000, 60000, 120}, {120000, 60000, 180}}
	for name, c := range map[string]struct {
		text string
		unit RateUnit
	}{
		"offsets":            {"time,records/s\n0,1\n60,2\n120,3\n", RecordsPerSecond},
		"spans":              {"ts,records/s\n0s,1\n1m,2\n2m,3\n", RecordsPerSecond},
		"clock":              {"time,msg/s\n10:00,1\n10:01,2\n10:02:00,3\n", RecordsPerSecond},
		"milliseconds":       {"time_ms,records/s\n0,1\n60000,2\n120000,3\n", RecordsPerSecond},
		"ISO, Z":             {"time,bytes/s\n2026-11-30T23:59:00Z,1\n2026-12-01T00:00:00Z,2\n2026-12-01T00:01:00Z,3\n", BytesPerSecond},
		"ISO, zones":         {"time,bytes/s\n2026-11-30T23:59:00+00:00,1\n2026-12-01T01:00:00+0100,2\n2026-11-30 22:01:00 -02,3\n", BytesPerSecond},
		"ISO, parts":         {"time,bytes/s\n2026-11-30 23:59:00.000,1\n2026-12-01 00:00:00.000000,2\n2026-12-01 00:01,3\n", BytesPerSecond},
		"epoch":              {"timestamp,B/s\n1796083140,1\n1796083200,2\n1796083260.0,3\n", BytesPerSecond},
		"epoch ms":           {"timestamp,B/s\n1796083140000,1\n1796083200000,2\n1796083260000,3\n", BytesPerSecond},
		"epoch µs":           {"timestamp,B/s\n1796083140000000,1\n1796083200000000,2\n1796083260000000,3\n", BytesPerSecond},
		"epoch ns":           {"timestamp,B/s\n1796083140000000000,1\n1796083200000000000,2\n1796083260000000000,3\n", BytesPerSecond},
		"BOM, CRLF, quotes":  {"\ufeff\"Time\",\"Bytes/s\"\r\n\"0\",\"1\"\r\n\"60\",\"2\"\r\n\"120\",\"3\"", BytesPerSecond},
		"CR alone":           {"time,bytes/s\r0,1\r60,2\r120,3", BytesPerSecond},
		"semicolons, commas": {"time;bytes/s\n0;1,0\n60;2,00\n120;3\n", BytesPerSecond},
		"Excel":              {"sep=;\ntime;bytes/s\n0;1\n60;2\n120;3\n", BytesPerSecond},
		"tabs":               {"time\tbytes/s\n0\t1\n60\t2\n120\t3\n", BytesPerSecond},
		"order of columns":   {"topic,messages per second,ts\na,1,0\na,2,60\na,3,120\n", RecordsPerSecond},
		"exponents":          {"time,bytes/s\n0,1e0\n60,0.2E+1\n120,300e-2\n", BytesPerSecond},
		"a minute":           {"time,records/min\n0,60\n60,120\n120,180\n", RecordsPerSecond},
		"JMX":                {"time,MessagesInPerSec\n0,1\n60,2\n120,3\n", RecordsPerSecond},
		"units in the cells": {"0,1 B/s\n60,2 B/s\n120,3 B/s\n", BytesPerSecond},
		"bits":               {"time,bit/s\n0,8\n60,16\n120,24\n", BytesPerSecond},
		"blank lines, notes": {"# from the dashboard\n\ntime,bytes/s\n\n0,1\n# noon\n60,2\n   \n120,3\n", BytesPerSecond},
		"disorder":           {"time,bytes/s\n60,2\n0,1\n120,3\n", BytesPerSecond},
		"newest first":       {"time,bytes/s\n120,3\n60,2\n0,1\n", BytesPerSecond},
		"UTF-16":             {"\xff\xfe" + wide("time,bytes/s\n0,1\n60,2\n120,3\n"), BytesPerSecond},
	} {
		t.Run(name, func(t *testing.T) {
			s := readSeries(t, c.text)
			assert.Equal(t, c.unit, s.Unit)
			assert.Equal(t, threeMinutes, s.Pieces)
		})
	}
}

func wide(ascii string) string {
	return strings.Join(strings.Split(ascii, ""), "\x00") + "\x00"
}

func TestSeriesUnits(t *testing.T) {
	for header, perMinute := range map[string]int64{
		"bytes/s": 60, "kB/s": 60_000, "KiB/s": 60 << 10, "MB/s": 60_000_000, "MiB/s": 60 << 20, "GiB/s": 60 << 30, "Throughput (MiB/s)": 60 << 20,
		"Mbps": 7_500_000, "kbit/s": 7500, "bytes_per_second": 60, "BytesInPerSec": 60, "bytes_in": 60, "GB/day": 694444, "records/h": 0,
	} {
		s, err := ReadSeries(strings.NewReader("time,"+header+"\n0,1\n60,0\n"), SeriesOptions{})
		require.NoError(t, err, header)
		assert.Equal(t, perMinute, s.Total(), header)
	}
	// 1/60 of a record a minute: rounded once, not at each row.
	s := readSeries(t, "time,records/h\n"+hours(10, "60"))
	assert.Equal(t, int64(600), s.Total(), "10 hours of 60 records/h")
}

func hours(n int, rate string) string {
	var b strings.Builder
	for i := range n * 60 {
		fmt.Fprintf(&b, "%dm,%s\n", i, rate)
	}
	return b.String()
}

func TestSeriesOddities(t *testing.T) {
	for name, c := range map[string]struct {
		text   string
		total  int64
		notice string
	}{
		"gap":        {"time,bytes/s\n0,1\n60,1\n120,1\n3600,1\n3660,1\n", 3720, "line 5: no rows for 58m before it, where 1m is usual"},
		"disorder":   {"time,bytes/s\n0,1\n120,1\n60,2\n", 240, "line 4: its time comes before that of the line above"},
		"duplicate":  {"time,bytes/s\n0,1\n60,5\n60,2\n120,1\n", 240, "line 4: the same time as another line; the later line counts"},
		"empty":      {"time,bytes/s\n0,1\n60,\n120,1\n", 240, "line 3: no rate"},
		"NaN":        {"time,bytes/s\n0,1\n60,NaN\n120,1\n180,2\n", 300, "line 3: no rate"},
		"negative":   {"time,bytes/s\n0,1\n60,-5\n120,1\n180,2\n", 300, `line 3: "-5" is not a rate`},
		"garbage":    {"time,bytes/s\n0,1\nx\x01y,2\n60,abc\n120,1\n180,2\n", 300, `line 4: "abc" is not a rate`},
		"time":       {"time,bytes/s\n0,1\nyesterday,2\n60,1\n", 120, `line 3: "yesterday" is not a time`},
		"mixed time": {"time,bytes/s\n0,1\n2026-01-01T00:00:00Z,2\n60,1\n", 120, `line 3: "2026-01-01T00:00:00Z" is not a time`},
		"short":      {"time,bytes/s\n0,1\n60\n120,1\n", 240, `line 3: "60" has too few columns`},
		"long":       {"time,bytes/s\n0,1\n60," + strings.Repeat("9", 300_000) + "\n120,1\n", 240, "line 3: longer than 65536 bytes"},
		"too many":   {"time,bytes/s\n0,1\n60,99999999999999999999\n120,1\n", 240, "is not a rate"},
		"columns":    {"time,a bytes/s,b bytes/s\n0,1,7\n60,1,7\n", 120, `column "a bytes/s" is read; left out: b bytes/s`},
		"thousands":  {"time,bytes/s\n0,\"1,000\"\n60,1\n", 60060, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := readSeries(t, c.text)
			assert.Equal(t, c.total, s.Total())
			var texts []string
			for _, n := range s.Notices {
				texts = append(texts, n.String())
			}
			assert.Contains(t, strings.Join(texts, "\n"), c.notice)
		})
	}
}

func TestSeriesRefused(t *testing.T) {
	for text, problem := range map[string]string{
		"":                                   "the file has no rows",
		"\n\n# nothing\n":                    "the file has no rows",
		"time,bytes/s\n":                     "no row could be read",
		"time,bytes/s\n0,1\n":                "only one row could be read",
		"time,bytes/s\n0,x\n1,y\n":           `no row could be read; line 2: "x" is not a rate`,
		"0,1\n60,2\n":                        "the file does not say what its rates count: begin it with a line such as time,bytes/s",
		"time,value\n0,1\n60,2\n":            `neither column "value" nor its first value "1" says what it counts`,
		"just text\n":                        "has one column",
		"PK\x03\x04\x00\x00\x00":             "not text",
		"time,bytes/s\n0,9e12\n8000000h,1\n": "more than 2^63 bytes",
	} {
		_, err := ReadSeries(strings.NewReader(text), SeriesOptions{})
		assert.ErrorContains(t, err, problem, "%q", text)
	}
	_, err := ReadSeries(strings.NewReader("0,1\n60,2\n"), SeriesOptions{Unit: RecordsPerSecond})
	assert.NoError(t, err)
}

// Whatever is merged, the total is that of the rows.
func TestSeriesReductionKeepsTotals(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var text strings.Builder
		text.WriteString("time,bytes/s\n")
		at, total, rate := int64(0), int64(0), int64(0)
		rows := 2 + random.IntN(3000)
		for i := range rows {
			step := int64(1 + random.IntN(3)*random.IntN(1000))
			if i > 0 {
				total += rate * step
				at += step
			}
			rate = int64(random.IntN(3) * random.IntN(1_000_000))
			fmt.Fprintf(&text, "%d,%d\n", at, rate)
		}
		fmt.Fprintf(&text, "%d,0\n", at+1)
		s, err := ReadSeries(strings.NewReader(text.String()), SeriesOptions{MaxPieces: 2 + random.IntN(100)})
		require.NoError(t, err)
		require.Equal(t, total+rate, s.Total())
		require.Equal(t, int64(rows+1), s.Rows)
	}
}

// A burst stays a burst when a long calm is around it.
func TestSeriesReductionKeepsBursts(t *testing.T) {
	var text strings.Builder
	text.WriteString("time,bytes/s\n")
	for i := range 100_000 {
		rate := 10
		if i >= 50_000 && i < 50_060 {
			rate = 1_000_000 + i%7
		}
		fmt.Fprintf(&text, "%d,%d\n", i, rate)
	}
	s, err := ReadSeries(strings.NewReader(text.String()), SeriesOptions{MaxPieces: 20})
	require.NoError(t, err)
	assert.LessOrEqual(t, len(s.Pieces), 20)
	peak := int64(0)
	for _, p := range s.Pieces {
		peak = max(peak, p.Amount*1000/int64(p.Length))
	}
	assert.Greater(t, peak, int64(900_000))
}

// manyRows writes a series of n rows without holding it.
type manyRows struct {
	n, i, by int
	rest     []byte
}

func (m *manyRows) Read(p []byte) (int, error) {
	for len(m.rest) == 0 {
		if m.n == 0 {
			return 0, io.EOF
		}
		var b bytes.Buffer
		for ; m.n > 0 && b.Len() < 60_000; m.n-- {
			b.WriteString(time.UnixMilli(1_700_000_000_000 + int64(m.i)*1000).UTC().Format("2006-01-02T15:04:05Z"))
			fmt.Fprintf(&b, ",%d.5\n", 1000+m.i%977)
			m.i += m.by
		}
		m.rest = b.Bytes()
	}
	n := copy(p, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

func TestSeriesBackwardsBeyondTheWindow(t *testing.T) {
	n := seriesWindow + seriesWindow/2
	forth, err := ReadSeries(io.MultiReader(strings.NewReader("time,bytes/s\n"), &manyRows{n: n, by: 1}), SeriesOptions{})
	require.NoError(t, err)
	back, err := ReadSeries(io.MultiReader(strings.NewReader("time,bytes/s\n"), &manyRows{n: n, i: n - 1, by: -1}), SeriesOptions{})
	require.NoError(t, err)
	assert.Equal(t, forth.Total(), back.Total())
	assert.Equal(t, forth.Length(), back.Length())
	assert.Equal(t, forth.Epoch, back.Epoch)
	assert.Equal(t, int64(n), back.Rows)
	assert.LessOrEqual(t, len(back.Pieces), defaultMaxPieces)
}

func TestSeriesDisorderBeyondTheWindow(t *testing.T) {
	_, err := ReadSeries(io.MultiReader(strings.NewReader("time,bytes/s\n"), &manyRows{n: 2 * seriesWindow, by: 1},
		strings.NewReader("2001-01-01T00:00:00Z,1\n")), SeriesOptions{})
	assert.ErrorContains(t, err, "sort the file by time first")
}

func BenchmarkSeriesTenMillionRows(b *testing.B) {
	var text bytes.Buffer
	text.WriteString("time,bytes/s\n")
	io.Copy(&text, &manyRows{n: 10_000_000, by: 1})
	b.SetBytes(int64(text.Len()))
	b.ResetTimer()
	for b.Loop() {
		s, err := ReadSeries(bytes.NewReader(text.Bytes()), SeriesOptions{})
		if err != nil || s.Rows != 10_000_000 {
			b.Fatal(err)
		}
	}
}

func FuzzReadSeries(f *testing.F) {
	f.Add([]byte("time,bytes/s\n0,1\n60,2\n"))
	f.Add([]byte("\xff\xfet\x00,\x00b\x00"))
	f.Add([]byte("ts;\"records/min\"\r\n2026-01-01T00:00:00+01:00;1,5\r\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := ReadSeries(bytes.NewReader(data), SeriesOptions{MaxPieces: 5})
		if err != nil {
			return
		}
		at := calc.Millis(0)
		for _, p := range s.Pieces {
			if p.At != at || p.Length <= 0 || p.Amount < 0 {
				t.Fatalf("pieces %v", s.Pieces)
			}
			at += p.Length
		}
		if len(s.Pieces) > 5 {
			t.Fatalf("%d pieces", len(s.Pieces))
		}
	})
}
