package provider

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/partsize/partsize/calc"
)

func ibm(t *testing.T, text string) Request {
	t.Helper()
	r, err := Parse(&ibmEventStreams, text)
	require.NoError(t, err)
	return r
}

func ibmAccount(t *testing.T, text string) Account {
	t.Helper()
	a, ok := NewAccount(ibm(t, text))
	require.True(t, ok)
	return a
}

// gib is bytes in GiB with two digits, as the page's figures are compared with.
func gib(b calc.Bytes) string {
	hundredths := (int64(b)*100 + int64(calc.GiB)/2) / int64(calc.GiB)
	return fmt.Sprintf("%d.%02d", hundredths/100, hundredths%100)
}

// The worked examples of the page, both ways: what its formula gives, and what it says, with the reason why that differs.
// Sizes there are powers of two: Kafka's own defaults of 512 MB and 10 MB are.
//
// Reference: IBM Cloud, Understanding reserved disk usage; cases R11, R13.
func TestIBMExamples(t *testing.T) {
	for _, c := range []struct {
		retention, segment string
		reserved           calc.Bytes
		gib                string // of reserved
		page               string // its words
		pageWithout        string // what its figure is made of: retention.bytes + log.segment.size, in GiB, without the indexes
	}{
		{"1GiB", "512MiB", 1_673_527_296, "1.56", "about 1.5 GB", "1.50"},
		{"50GiB", "512MiB", 56_342_085_632, "52.47", "about 50.5 GB", "50.50"},
		{"1GiB", "128MiB", 1_396_703_232, "1.30", "about 1.1 GB", "1.13"},
		{"100MiB", "512MiB", 662_700_032, "0.62", "approximately 1 GB", "0.60"}, // two segments, were the check late: 1 GiB
	} {
		a := ibmAccount(t, "log.segment.size="+c.segment+" retention.bytes="+c.retention+" segment.index.size=10MiB")
		d := a.Topics[0]
		assert.Equal(t, c.reserved, d.Each, c)
		assert.Equal(t, c.gib, gib(d.Each), c)
		retention, _ := calc.ParseBytes(c.retention)
		segment, _ := calc.ParseBytes(c.segment)
		assert.Equal(t, c.pageWithout, gib(retention+segment), c.page)
		assert.Equal(t, 2*10*calc.MiB*(retention/segment+1), d.Each-retention-segment, "what the page's figure leaves out: the indexes")
		sum := calc.Bytes(0)
		for _, term := range d.Terms {
			sum += term.Bytes
			assert.NotEmpty(t, term.Formula)
		}
		assert.Equal(t, d.Each, sum, "the terms add up")
	}
	// The defaults: 1,596 MiB.
	assert.Equal(t, 1596*calc.MiB, ibmAccount(t, "partitions=1").Reserved)
}

// Reference: the same page, the first example: 200 MB a day for 5 days are 1 GB, and 100 MB for each of 10 partitions.
func TestIBMDailyVolume(t *testing.T) {
	assert.Equal(t, calc.Bytes(1_000_000_000), RetentionBytes(200_000_000, 5*calc.Day, 1))
	assert.Equal(t, calc.Bytes(100_000_000), RetentionBytes(200_000_000, 5*calc.Day, 10))
	assert.Equal(t, calc.Bytes(1), RetentionBytes(1, calc.Day, 3), "rounded up")
	assert.Equal(t, calc.Bytes(1<<63-1), RetentionBytes(1<<60, 36500*calc.Day, 1), "held at the most there is")
	a := ibmAccount(t, "daily.volume=200MB keep=5d partitions=10")
	assert.Equal(t, 100_000_000+512*calc.MiB+20*calc.MiB, a.Topics[0].Each)
	a = ibmAccount(t, "daily.volume=200MB keep=5d partitions=10 retention.bytes=1GiB")
	assert.Equal(t, 1596*calc.MiB, a.Topics[0].Each, "what is given goes before")
}

// Case R14: compact is flat, compact,delete is not; order and blanks do not matter.
func TestIBMCompact(t *testing.T) {
	a := ibmAccount(t, "cleanup.policy=compact retention.bytes=50GiB partitions=3 replication.factor=3")
	assert.Equal(t, calc.Bytes(3_221_225_472), a.Reserved)
	assert.True(t, a.Topics[0].Flat)
	assert.Equal(t, []string{"retention.bytes"}, a.Topics[0].Ignored)
	for _, policy := range []string{"compact,delete", "delete,compact", "delete, compact"} {
		r := Request{Service: &ibmEventStreams}
		for _, p := range []calc.Pair{{Key: "cleanup.policy", Value: policy}, {Key: "retention.bytes", Value: "50GiB"}, {Key: "segment.bytes", Value: "512MiB"}, {Key: "partitions", Value: "3"}} {
			require.NoError(t, r.Set(p.Key, p.Value))
		}
		a, _ := NewAccount(r)
		assert.Equal(t, calc.Bytes(169_026_256_896), a.Reserved, policy)
	}
	ignored := Check(ibm(t, "cleanup.policy=compact retention.bytes=50GiB retention.ms=1d storage=2TB"))
	require.Equal(t, "compact.retention.ms", ignored[1].Rule)
	for _, v := range ignored[:2] {
		assert.Equal(t, Ignored, v.Effect)
		assert.False(t, v.Breach())
	}
}

// Case R16: two topics with four partitions of the default size; replicas are not counted.
func TestIBMTopics(t *testing.T) {
	r := Request{Service: &ibmEventStreams}
	for name, n := range map[string]int64{"a": 3, "b": 1} {
		topic := Topic{Name: name, Partitions: n, Replicas: 3}
		require.NoError(t, topic.Set("retention.bytes", "1073741824"))
		require.NoError(t, topic.Set("segment.bytes", "536870912"))
		r.Topics = append(r.Topics, topic)
	}
	a, ok := NewAccount(r)
	require.True(t, ok)
	assert.Equal(t, calc.Bytes(6_694_109_184), a.Reserved)
	assert.False(t, a.Known)
	assert.Equal(t, calc.Bytes(7_437_899_094), a.Needed())
}

func TestIBMAdmission(t *testing.T) {
	a := ibmAccount(t, "storage=2TB partitions=30 retention.bytes=50GiB segment.bytes=1GiB")
	one := calc.Bytes(55_830_380_544)
	assert.Equal(t, 30*one, a.Reserved)
	assert.Equal(t, "83.7", a.Percent())
	assert.Equal(t, "83.7", a.PercentOf(a.Topics[0]))
	assert.Equal(t, int64(2), a.Fit(one))

	d, err := a.AddPartitions("", 2)
	require.NoError(t, err)
	assert.True(t, d.Allowed, d.Sentence)
	assert.Equal(t, int64(2), d.Fit)

	d, err = a.AddPartitions("", 3)
	require.NoError(t, err)
	assert.False(t, d.Allowed)
	assert.Equal(t, "PolicyViolation", d.Error)
	assert.Equal(t, 33*one-1_800_000_000_000, d.Over)
	assert.Contains(t, d.Sentence, "Adding 3 partitions to the topic is refused with PolicyViolation")
	assert.False(t, d.Unverified)
	var texts []string
	for _, f := range d.Fixes {
		texts = append(texts, f.Text)
	}
	assert.Equal(t, []string{"set partitions to 32", "set retention.bytes to 48GiB", "buy 4TB of storage with 150 MB/s"}, texts)

	_, err = a.AddPartitions("", 0)
	assert.ErrorContains(t, err, "is no number of partitions to add")
	_, err = a.AddPartitions("x", 1)
	assert.ErrorContains(t, err, "is no topic of the instance")
}

// What the page implies of changed configurations is shown as not verified.
func TestIBMConfigure(t *testing.T) {
	a := ibmAccount(t, "storage=2TB partitions=30 retention.bytes=50GiB segment.bytes=1GiB")
	d, err := a.Configure("", "retention.bytes", "60GiB")
	require.NoError(t, err)
	assert.False(t, d.Allowed)
	assert.True(t, d.Unverified)
	assert.Contains(t, d.Sentence, "names only new topics and partitions")
	d, err = a.Configure("", "log.segment.size", "512MiB")
	require.NoError(t, err)
	assert.True(t, d.Allowed)
	assert.False(t, d.Unverified)
	// Smaller is allowed even where it stays above the limit.
	over := ibmAccount(t, "storage=2TB partitions=60 retention.bytes=50GiB segment.bytes=1GiB")
	d, err = over.Configure("", "retention.bytes", "40GiB")
	require.NoError(t, err)
	assert.True(t, d.Over > 0 && d.Allowed, d.Sentence)
}

func TestIBMCreate(t *testing.T) {
	r := Request{Service: &ibmEventStreams}
	require.NoError(t, r.Set("storage", "2TB"))
	for _, c := range []struct {
		name, retention string
	}{{"small", "1GiB"}, {"middle", "200GiB"}, {"large", "1400GiB"}} {
		topic := Topic{Name: c.name, Partitions: 1}
		require.NoError(t, topic.Set("retention.bytes", c.retention))
		r.Topics = append(r.Topics, topic)
	}
	a, _ := NewAccount(r)
	more := Topic{Name: "new", Partitions: 4}
	require.NoError(t, more.Set("retention.bytes", "50GiB"))
	d := a.Create(more)
	assert.False(t, d.Allowed)
	assert.Equal(t, a.Reserved+4*56_342_085_632, d.After)
	assert.Less(t, d.Over, 200*calc.GiB)
	var deletes, buys bool
	for _, f := range d.Fixes {
		deletes = deletes || strings.HasPrefix(f.Text, "delete topic middle, which frees")
		buys = buys || f.Text == "buy 4TB of storage with 150 MB/s"
	}
	assert.True(t, deletes && buys, "%v", d.Fixes)
	assert.Equal(t, int64(0), d.Fit)
	// Each way is enough: with the topic gone, it is allowed.
	r.Topics = append(r.Topics[:1], r.Topics[2])
	b, _ := NewAccount(r)
	assert.True(t, b.Create(more).Allowed)
	// A storage that is not known refuses nothing.
	free := Request{Service: &ibmEventStreams, Topics: r.Topics}
	c, _ := NewAccount(free)
	assert.True(t, c.Create(more).Allowed)
}

// The largest storage offered is not enough: then IBM is asked.
func TestIBMBuys(t *testing.T) {
	fixes := Check(ibm(t, "storage=12TB partitions=300 retention.bytes=50GiB"))[0].Fixes
	assert.Contains(t, fixes[len(fixes)-1].Text, "ask IBM")
	fixes = Check(ibm(t, "storage=2TB partitions=100 retention.bytes=50GiB"))[0].Fixes
	assert.Equal(t, "buy 8TB of storage with 150 MB/s", fixes[len(fixes)-1].Text, "4 and 6 TB are not enough")
	fixes = Check(ibm(t, "throughput=300 storage=4TB partitions=100 retention.bytes=50GiB"))[0].Fixes
	assert.Equal(t, "buy 8TB of storage with 300 MB/s", fixes[len(fixes)-1].Text)
}

// 2 TB may be 2×10¹² bytes or 2 TiB: what is meant is said, and what the other would change.
func TestIBMUnits(t *testing.T) {
	v := Check(ibm(t, "storage=2TB partitions=33 retention.bytes=50GiB segment.bytes=1GiB"))[0]
	assert.Equal(t, Refused, v.Effect)
	assert.Contains(t, v.Sentence, "Storage is taken as 1.82 TiB (2 TB); were it 2TiB, or 2 199 023 255 552 B, the limit would be 1.80 TiB (1.98 TB), and they would fit.")
	v = Check(ibm(t, "storage=2TiB partitions=36 retention.bytes=50GiB segment.bytes=1GiB"))[0]
	assert.Contains(t, v.Sentence, "were it 2TB")
	assert.Contains(t, v.Sentence, "would not fit, either")
	for text, want := range map[string]string{"2TB": "2TiB", "2 TiB": "2 TB", "500GB": "500GiB", "1Gi": "1GB", "10kB": "10KiB", "10KiB": "10kB"} {
		other, _, _, ok := OtherReading(text)
		assert.True(t, ok, text)
		assert.Equal(t, want, other)
	}
	_, _, _, ok := OtherReading("2000000000000")
	assert.False(t, ok)
}

// A hundred thousand partitions of 2 TiB do not overflow.
func TestIBMLargest(t *testing.T) {
	r := Request{Service: &ibmEventStreams}
	require.NoError(t, r.Set("storage", "12TB"))
	for i := range 1000 {
		topic := Topic{Name: fmt.Sprint("t", i), Partitions: 1_000_000}
		require.NoError(t, topic.Set("retention.bytes", "2TiB"))
		r.Topics = append(r.Topics, topic)
	}
	a, _ := NewAccount(r)
	assert.Equal(t, calc.Bytes(1<<63-1), a.Reserved)
	all := Check(r)
	assert.Equal(t, Refused, Decide(all).Effect)
}

func TestIBMUse(t *testing.T) {
	r := ibm(t, "produce=1MiB/s retention.bytes=10GiB retention.ms=-1 segment.bytes=512MiB partitions=4")
	u, ok := ReservedUse(r)
	require.True(t, ok)
	assert.Equal(t, 4*calc.Bytes(11_714_691_072), u.Reserved)
	assert.Greater(t, u.Simulated, 40*calc.GiB)
	assert.Less(t, u.Simulated, u.Reserved)
	assert.Contains(t, u.Sentence, "% of what is reserved")
	_, ok = ReservedUse(ibm(t, "retention.bytes=10GiB"))
	assert.False(t, ok, "without traffic")
}

// A change that reserves no more is not refused; one of the configuration alone is refused with a doubt.
func TestIBMChange(t *testing.T) {
	const full = "storage=2TB segment.bytes=1GiB partitions=40 "
	v := Check(ibm(t, full+"was:segment.bytes=1GiB was:partitions=40 was:retention.bytes=60GiB retention.bytes=50GiB"))[0]
	assert.Equal(t, Advised, v.Effect)
	assert.Contains(t, v.Sentence, "no more than before")
	v = Check(ibm(t, full+"was:segment.bytes=1GiB was:partitions=40 was:retention.bytes=40GiB retention.bytes=50GiB"))[0]
	assert.Equal(t, Refused, v.Effect)
	assert.Contains(t, v.Sentence, "This is not verified")
	v = Check(ibm(t, full+"was:segment.bytes=1GiB was:partitions=30 was:retention.bytes=50GiB retention.bytes=50GiB"))[0]
	assert.Equal(t, Refused, v.Effect)
	assert.NotContains(t, v.Sentence, "not verified")
}

// The pairs are written in TB, and given to the service as 2048 GB.
func TestIBMPairs(t *testing.T) {
	for text, pairs := range map[string]bool{"2TB": true, "2TiB": true, "2048GB": true, "2048GiB": true, "3TB": false, "12288GB": true, "14TB": false} {
		refused := false
		for _, v := range Check(ibm(t, "partitions=1 storage="+text)) {
			refused = refused || v.Rule == "pair"
		}
		assert.Equal(t, !pairs, refused, text)
	}
}

// Without a limit by size no storage is enough, and nobody reads of exbibytes.
func TestEndlessReservation(t *testing.T) {
	for _, text := range []string{"retention.bytes=-1 storage=2TB", "retention.bytes=-1"} {
		r, err := Parse(&ibmEventStreams, text)
		require.NoError(t, err)
		a, ok := NewAccount(r)
		require.True(t, ok)
		assert.True(t, a.Endless)
		reserved := false
		for _, v := range Check(r) {
			assert.NotContains(t, v.Sentence, "EiB")
			for _, f := range v.Fixes {
				assert.NotContains(t, f.Text, "EiB")
			}
			if v.Rule == "reserved" {
				reserved = true
				assert.Equal(t, Refused, v.Effect)
			}
		}
		assert.True(t, reserved)
	}
	r, err := Parse(&ibmEventStreams, "plan=standard retention.bytes=1GiB")
	require.NoError(t, err)
	for _, v := range Check(r) {
		for _, f := range v.Fixes {
			assert.NotContains(t, f.Text, "MB/s", "the pairs are the Enterprise plan's")
		}
	}
}
