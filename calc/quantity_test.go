package calc

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestParseBytes(t *testing.T) {
	for text, want := range map[string]Bytes{
		"0": 0, "1073741824": GiB, "1GiB": GiB, "1 GiB": GiB, "1gib": GiB, " 1 GiB ": GiB, "1Gi": GiB, "1GB": 1_000_000_000,
		"1gb": 1_000_000_000, "1 kB": 1000, "1KB": 1000, "10MB": 10_000_000, "1.5GiB": 1610612736, "0.5KiB": 512, "1.50 KiB": 1536,
		"007": 7, "12B": 12, "12 bytes": 12, "1 byte": 1, "1GiB512MiB": GiB + 512*MiB, "9223372036854775807": math.MaxInt64,
	} {
		got, err := ParseBytes(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
}

func TestParseMillis(t *testing.T) {
	for text, want := range map[string]Millis{
		"0": 0, "604800000": 7 * Day, "7d": 7 * Day, "168h": 7 * Day, "7 days": 7 * Day, "7D": 7 * Day, "1w": 7 * Day,
		"1d12h": 36 * Hour, "1d 12h": 36 * Hour, "3 h 06 min 10 s": 3*Hour + 6*Minute + 10*Second, "90m": 90 * Minute,
		"1.5h": 90 * Minute, "0.25s": 250, "250 ms": 250, "1y": 365 * Day, "2 weeks": 14 * Day, "5min": 5 * Minute,
		"9223372036854775807": Never, "1 sec": Second,
	} {
		got, err := ParseMillis(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
}

// TestBadQuantities has the ways in which people write numbers that must not be guessed at. Each error says what is wrong
// and, where there is one, the value to write.
func TestBadQuantities(t *testing.T) {
	size := func(s string) error { _, err := ParseBytes(s); return err }
	time := func(s string) error { _, err := ParseMillis(s); return err }
	rate := func(s string) error { _, err := ParseRate(s); return err }
	ratio := func(s string) error { _, err := ParseRatio(s); return err }
	version := func(s string) error { _, err := ParseVersion(s); return err }
	for _, c := range []struct {
		parse         func(string) error
		text          string
		problem, want string // a part of the problem; Nearest
	}{
		{size, "", "is empty", ""},
		{size, "  ", "is empty", ""},
		{size, "GiB", "does not begin with a number", ""},
		{size, "abc", "does not begin with a number but with abc", ""},
		{size, "-5", "is negative", ""},
		{size, "−5", "is negative", ""},
		{size, "+5", "plus sign", "5"},
		{size, "9223372036854775808", "too large by 1: the largest 64-bit number is 9223372036854775807", "9223372036854775807"},
		{size, "18446744073709551616", "is too large", "9223372036854775807"},
		{size, "99999999999999999999999999", "is too large", "9223372036854775807"},
		{size, "8EiB", "too large by 1", "9223372036854775807"},
		{size, "1.5", "fraction without a unit", "1"},
		{size, "1.000", "fraction without a unit", "1000"},
		{size, "0.1GiB", "not a whole number of bytes", "107374182"},
		{size, "7.999999999EiB", "not a whole number of bytes", "9223372035701854303"},
		{size, "1.5B", "not a whole number of bytes", "1"},
		{size, "1.", "point without a digit", "1"},
		{size, ".5GiB", "point without a digit", "0.5GiB"},
		{size, "1e9", "exponent", "1000000000"},
		{size, "1.5E3", "exponent", "1500"},
		{size, "1e9 B", "exponent", "1000000000 B"},
		{size, "1e-3", "exponent", ""},
		{size, "1e99", "exponent", ""},
		{size, "0x10", "hexadecimal", "16"},
		{size, "1,000", "thousands separators (',')", "1000"},
		{size, "1_000_000", "thousands separators ('_')", "1000000"},
		{size, "1 000", "thousands separators (a space)", "1000"},
		{size, "1\u00a0000\u00a0000 B", "thousands separators (a space)", "1000000 B"},
		{size, "53\u202f687\u202f091\u202f200\u00a0B", "thousands separators (a space)", "53687091200\u00a0B"},
		{size, "1'000", "thousands separators", "1000"},
		{size, "1.000.000", "thousands separators ('.')", "1000000"},
		{size, "1,000.5 GiB", "thousands separators", "1000.5 GiB"},
		{size, "1.000,5 GiB", "thousands separators", "1000.5 GiB"},
		{size, "1,5GiB", "comma", "1.5GiB"},
		{size, "١٢٣", "not a digit from 0 to 9", "123"},
		{size, "１０２４", "not a digit from 0 to 9", "1024"},
		{size, "५GiB", "not a digit from 0 to 9", "5GiB"},
		{size, "1½ GiB", "not a digit from 0 to 9", ""},
		{size, "10²", "not a digit from 0 to 9", ""},
		{size, "1G", "decimal or binary", "1GiB"},
		{size, "1m", "decimal or binary", "1MiB"},
		{size, "1Gb", "unit of bits", "1GB"},
		{size, "5d", "d is a unit of time, and this takes a unit of size", ""},
		{size, "1GIBB", "not a unit of size", "1GiB"},
		{size, "1 parsec", "not a unit of size", ""},
		{size, "12 34", "thousands separators (a space)", "1234"},
		{size, "5 GiB!", "\"!\" after the unit", ""},
		{size, "5 GiB 3", "no unit after 3", ""},
		{size, "5MiB 3GiB", "units out of order", ""},
		{size, "NaN", "does not begin", ""},
		{size, strings.Repeat("9", 5000), "too long for a number", ""},
		{time, "7 sek", "sek is not a unit of time", "7 sec"},
		{time, "7 dais", "dais is not a unit of time", "7 days"},
		{time, "1GiB", "GiB is a unit of size, and this takes a unit of time", ""},
		{time, "5M", "neither minutes nor months", "5min"},
		{time, "3 months", "month has no fixed length", "90d"},
		{time, "1mo", "month has no fixed length", "30d"},
		{time, "5us", "finer than a millisecond", ""},
		{time, "0.5", "fraction without a unit", "0"},
		{time, "0.0005s", "not a whole number of milliseconds", "0"},
		{time, "12h1d", "units out of order", ""},
		{time, "1d1d", "units out of order", ""},
		{time, "1:30", "\":\" after the number", ""},
		{time, "300000000y", "too large", "9223372036854775807"},
		{rate, "5MiB", "does not say in what time", "5MiB/s"},
		{rate, "1048576", "does not say in what time", "1048576B/s"},
		{rate, "5MiB/", "no time after the slash", "5MiB/s"},
		{rate, "5MiB/sek", "sek is not a unit of time", "5MiB/sec"},
		{rate, "5M/s", "may be bytes or records", "5MiB/s"},
		{rate, "5Mb/s", "unit of bits", "5MB/s"},
		{rate, "1,000/s", "thousands separators", "1000/s"},
		{rate, "-5/s", "is negative", ""},
		{rate, "1e3/s", "exponent", "1000/s"},
		{rate, "5 mesages/s", "not a unit", "5 messages/s"},
		{rate, "5d/s", "unit of time", ""},
		{rate, "5/0s", "zero", ""},
		{rate, "", "is empty", ""},
		{ratio, "0", "is zero", ""},
		{ratio, "4", "records grow", "4:1"},
		{ratio, "1:4", "records grow", "4:1"},
		{ratio, "150%", "records grow", "100%"},
		{ratio, "-1", "is negative", ""},
		{ratio, "0,25", "comma", "0.25"},
		{ratio, "a:b", "does not begin with a number", ""},
		{version, "5.0", "newer than 4.4", "4.4"},
		{version, "2.7", "older than 2.8", "2.8"},
		{version, "4", "no minor version", ""},
		{version, "3.10", "not a release", ""},
		{version, "4.3.1.2", "not a version", ""},
		{version, "v4.3", "not a version", ""},
		{version, "", "is empty", ""},
	} {
		err := c.parse(c.text)
		require.Error(t, err, c.text)
		var field *FieldError
		require.ErrorAs(t, err, &field, c.text)
		assert.Equal(t, c.text, field.Value)
		assert.Contains(t, field.Problem, c.problem, c.text)
		assert.Equal(t, c.want, field.Nearest, c.text)
		if field.Nearest != "" && c.problem != "exponent" {
			assert.NoError(t, c.parse(field.Nearest), "the way out of %s", c.text)
		}
	}
}

func TestParseRate(t *testing.T) {
	for text, want := range map[string]Rate{
		"5MiB/s": RateOf(5*MiB, Second), "5 MiB/s": RateOf(5*MiB, Second), "10 MB/s": RateOf(10_000_000, Second),
		"100/s": RecordRateOf(100, Second), "100 records/s": RecordRateOf(100, Second), "100 msg/s": RecordRateOf(100, Second),
		"10k records/min": RecordRateOf(10_000, Minute), "1TiB/d": RateOf(TiB, Day), "100Mbit/s": RateOf(12_500_000, Second),
		"100Mbps": RateOf(12_500_000, Second), "5MBps": RateOf(5_000_000, Second), "0.5/s": RecordRateOf(1, 2*Second),
		"1 record per day": RecordRateOf(1, Day), "3/10min": RecordRateOf(3, 10*Minute), "1.5MiB/s": RateOf(3*MiB, 2*Second),
		"0": {}, "0/s": {}, "1/h": RecordRateOf(1, Hour), "1B/ms": RateOf(1, 1), "2 events / second": RecordRateOf(2, Second),
	} {
		got, err := ParseRate(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
}

func TestParseRatio(t *testing.T) {
	for text, want := range map[string][2]int64{
		"1": {1, 1}, "0.25": {1, 4}, "25%": {1, 4}, "4:1": {1, 4}, "2.5:1": {2, 5}, " 4 : 1 ": {1, 4}, "100%": {1, 1}, "33.3%": {333, 1000},
	} {
		got, err := ParseRatio(text)
		require.NoError(t, err, text)
		a, b := got.Terms()
		assert.Equal(t, want, [2]int64{a, b}, text)
	}
}

func TestParseVersion(t *testing.T) {
	for text, want := range map[string]Version{
		"4.3": 40301, "4.3.1": 40301, "4.3.0": 40300, "2.8": 20802, "3.0": 30002, "3.9": 30902, "3.9.0": 30900, "4.0": 40002,
		"4.4": 40400, " 3.6.2 ": 30602,
	} {
		got, err := ParseVersion(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
	assert.Equal(t, "3.9.2", Version(30902).String())
}

func TestBytesString(t *testing.T) {
	for _, c := range []struct {
		b               Bytes
		binary, decimal string
	}{
		{0, "0 B", "0 B"}, {1, "1 B", "1 B"}, {999, "999 B", "999 B"}, {1000, "1000 B", "1 kB"}, {1023, "1023 B", "1.02 kB"},
		{1024, "1 KiB", "1.02 kB"}, {1025, "1.00 KiB", "1.03 kB"}, {GiB, "1 GiB", "1.07 GB"}, {GiB + 1, "1.00 GiB", "1.07 GB"},
		{1536 * MiB, "1.5 GiB", "1.61 GB"}, {55190110208, "51.4 GiB", "55.2 GB"}, {1023 * KiB, "0.999 MiB", "1.05 MB"},
		{999_999, "977 KiB", "1.00 MB"}, {math.MaxInt64, "8.00 EiB", "9.22 EB"}, {-1, "unlimited", "unlimited"}, {-1024, "-1 KiB", "-1.02 kB"},
		{math.MinInt64, "-8 EiB", "-9.22 EB"}, {1_000_000_000, "954 MiB", "1 GB"},
	} {
		assert.Equal(t, c.binary, c.b.String(), "%d", int64(c.b))
		assert.Equal(t, c.decimal, c.b.Decimal(), "%d", int64(c.b))
	}
	assert.Equal(t, "53\u202f687\u202f091\u202f200\u00a0B", Bytes(53687091200).Exact())
	assert.Equal(t, "999\u00a0B", Bytes(999).Exact())
	assert.Equal(t, "-9\u202f223\u202f372\u202f036\u202f854\u202f775\u202f808\u00a0B", Bytes(math.MinInt64).Exact())
	assert.Equal(t, "1 MiB/s", ByteRate(MiB).String())
}

func TestMillisString(t *testing.T) {
	for m, want := range map[Millis]string{
		0: "0 ms", 1: "1 ms", 999: "999 ms", 1000: "1 s", 1500: "1.5 s", 59_499: "59.499 s", 59_500: "1 min", Minute: "1 min",
		5*Minute + 3*Second: "5 min 03 s", Hour: "1 h", 3*Hour + 6*Minute + 10*Second: "3 h 06 min 10 s", 3*Hour + 10*Second: "3 h 00 min 10 s",
		90 * Minute: "1 h 30 min", Day: "1 d 0 h", 7 * Day: "7 d 0 h", 7*Day + 5*Hour: "7 d 5 h", Day - 1: "1 d 0 h", 36 * Hour: "1 d 12 h",
		Never: "never", -250: "-250 ms", -7 * Day: "-7 d 0 h", math.MinInt64: "-106751991167 d 7 h",
	} {
		assert.Equal(t, want, m.String(), "%d", int64(m))
	}
	assert.Equal(t, "604\u202f800\u202f000\u00a0ms", (7 * Day).Exact())
}

func TestRateString(t *testing.T) {
	for text, want := range map[string]string{
		"5MiB/s": "5 MiB/s", "100/s": "100 records/s", "1/s": "1 record/s", "2/h": "2 records/h", "1/365d": "0.00274 records/d",
		"10k records/s": "10 k records/s", "0": "0/s", "1TiB/d": "12.1 MiB/s", "1/60s": "1 record/min",
	} {
		r, err := ParseRate(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, r.String(), text)
	}
	assert.Equal(t, "5.24 MB/s", RateOf(5*MiB, Second).Decimal())
}

// TestPrintedIsRead checks that what is written exactly is read as the same.
func TestPrintedIsRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(0, math.MaxInt64).Draw(t, "n")
		if rapid.Bool().Draw(t, "round") {
			n = n >> 40 << rapid.IntRange(0, 39).Draw(t, "shift")
		}
		b, err := ParseBytes(Bytes(n).Text())
		require.NoError(t, err)
		require.Equal(t, Bytes(n), b)
		m, err := ParseMillis(Millis(n).Text())
		require.NoError(t, err)
		require.Equal(t, Millis(n), m)

		r := newRate(rapid.Int64Range(1, 1<<50).Draw(t, "amount"), rapid.Int64Range(1, int64(century)).Draw(t, "per"), rapid.Bool().Draw(t, "records"))
		got, err := ParseRate(r.Text())
		require.NoError(t, err, r.Text())
		require.Equal(t, r, got, r.Text())
	})
}

// TestShownIsNear checks three significant digits against the exact number, and that only 0 is shown as 0.
func TestShownIsNear(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := max(1, rapid.Int64Range(1, math.MaxInt64).Draw(t, "n")>>rapid.IntRange(0, 62).Draw(t, "less"))
		for _, text := range []string{Bytes(n).String(), Bytes(n).Decimal()} {
			number, unit, ok := strings.Cut(text, " ")
			require.True(t, ok, text)
			size, ok := find(sizeUnits, strings.ToLower(unit))
			require.True(t, ok, text)
			shown, err := strconv.ParseFloat(number, 64)
			require.NoError(t, err)
			require.InEpsilon(t, float64(n), shown*float64(size), 0.0051, "%d is shown as %s", n, text)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"1GiB", "1.5 h", "1,000", "١٢", "1e9", "5MiB/s", "1d12h", "4:1", "25%", "0x1F", "1\u202f000", "−1", "9223372036854775808", "4.3.1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for name, parse := range map[string]func(string) (string, error){
			"bytes":   func(s string) (string, error) { b, err := ParseBytes(s); return b.Text(), err },
			"millis":  func(s string) (string, error) { m, err := ParseMillis(s); return m.Text(), err },
			"rate":    func(s string) (string, error) { r, err := ParseRate(s); return r.Text(), err },
			"ratio":   func(s string) (string, error) { _, err := ParseRatio(s); return s, err },
			"version": func(s string) (string, error) { v, err := ParseVersion(s); return v.String(), err },
		} {
			exact, err := parse(text)
			if err != nil {
				field := err.(*FieldError)
				if field.Value != text || field.Problem == "" || len(field.Error()) > 2000 {
					t.Errorf("%s: %+v", name, field)
				}
				continue
			}
			again, err := parse(exact)
			if err != nil || again != exact {
				t.Errorf("%s: %q is read as %q, and that as %q, %v", name, text, exact, again, err)
			}
		}
	})
}

func BenchmarkParse(b *testing.B) {
	for b.Loop() {
		_, _ = ParseBytes("1.5 GiB")
	}
}
