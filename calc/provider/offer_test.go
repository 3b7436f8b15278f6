package provider

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What is broken about an instance has ways out that can be given, and each is enough by itself.
func TestOffers(t *testing.T) {
	for _, c := range []struct {
		service *Service
		text    string
		rule    string
		keys    []string
	}{
		{&ibmEventStreams, "plan=lite partitions=6", "lite.partitions", []string{"partitions"}},
		{&ibmEventStreams, "storage=2TB produce=1MB/s retention.ms=1h partitions=100", "traffic.150", []string{"throughput"}},
		{&eventHubs, "partitions=6 produce=900kB/s retention.ms=1d", "standard.traffic", []string{"units"}},
		{&eventHubs, "partitions=6 produce=100kB/s retention.ms=2d", "standard.storage", []string{"units", "retention.bytes"}},
		{&eventHubs, "plan=premium partitions=100 units=1 retention.bytes=100GB", "premium.storage", []string{"units", "retention.bytes"}},
		{&confluentCloud, "retention.bytes=100GiB partitions=60", "basic.storage", []string{"retention.bytes"}},
		{&googleKafka, "disk=200GiB brokers=3 vcpus=12", "disk", []string{"disk"}},
		{&amazonMSK, "broker.size=small replication.factor=3 partitions=301", "partitions.small", []string{"brokers"}},
		{&aiven, "disk=1TiB retention.bytes=100GiB partitions=12 replication.factor=3", "disk.use", []string{"disk", "brokers", "retention.bytes"}},
		{&amazonMSK, "disk=1TiB retention.bytes=10TiB partitions=12 replication.factor=3", "disk.use", []string{"retention.bytes"}}, // no disk is so large, and no replica fits
		{&amazonMSK, "disk=1TiB retention.bytes=500GiB partitions=100 replication.factor=3", "disk.use", []string{"brokers", "retention.bytes"}},
		{&amazonMSK, "disk=1000GiB produce=10MB/s auto.scaling.target=60 partitions=6 replication.factor=3", "growth", []string{"retention.bytes"}}, // no replica fits
		{&apacheKafka, "disk=1TiB retention.bytes=100GiB partitions=12 replication.factor=3", "", []string{"disk", "brokers"}},
		{&strimzi, "disk=1TiB retention.bytes=100GiB partitions=12 replication.factor=3", "", []string{"disk", "brokers"}},
	} {
		r, err := Parse(c.service, c.text)
		require.NoError(t, err)
		verdict := func(r Request) *Verdict {
			for _, v := range Check(r) {
				if v.Rule == c.rule && v.Effect < Accepted {
					return &v
				}
			}
			return nil
		}
		v := verdict(r)
		require.NotNil(t, v, c.text)
		var keys []string
		for _, f := range v.Fixes {
			keys = append(keys, f.Key)
			fixed, err := Parse(c.service, c.text)
			require.NoError(t, err)
			require.NoError(t, fixed.Set(f.Key, f.Value))
			for i := range fixed.Topics {
				fixed.Topics[i].Traffic = nil
			}
			require.NoError(t, fixed.Measure())
			after := verdict(fixed)
			assert.True(t, after == nil || !after.Breach() && v.Breach() || after.Effect > v.Effect, "%s: %s is no way out: %+v", c.text, f.Text, after)
		}
		assert.Equal(t, c.keys, keys, c.text)
	}
}

// A disk that grows by itself, and fast enough, is not called full because of how large it was.
func TestGrownDiskIsNotFull(t *testing.T) {
	r, err := Parse(&amazonMSK, "disk=1000GiB auto.scaling.target=60 produce=1MiB/s partitions=4 replication.factor=3 retention.ms=7d")
	require.NoError(t, err)
	for _, v := range Check(r) {
		assert.False(t, v.Breach(), v.Sentence)
	}
	still, err := Parse(&amazonMSK, "disk=1000GiB produce=1MiB/s partitions=4 replication.factor=3 retention.ms=7d")
	require.NoError(t, err)
	assert.Equal(t, Blocked, Decide(Check(still)).Effect, "without growth it is")
}

// What is missing is named, and what is given is not asked for again.
func TestMissing(t *testing.T) {
	r, err := Parse(&googleKafka, "disk=1TiB partitions=1")
	require.NoError(t, err)
	assert.Contains(t, Decide(Check(r)).Sentence, "give vcpus=12.")
}
