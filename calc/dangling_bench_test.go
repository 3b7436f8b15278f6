package calc

import (
	"fmt"
	"testing"
)

// twenty is twenty tiered topics of fifty partitions, each with its own retention and traffic.
func twenty(tb testing.TB) []TopicInput {
	var topics []TopicInput
	for i := range 20 {
		in := given(tb, "remote.storage.enable", "true", "partitions", "50", "produce", fmt.Sprintf("%dKiB/s", 100+10*i),
			"retention.ms", fmt.Sprintf("%dd", 3+i), "local.retention.ms", "6h", "horizon", "365d", metadataRetention, "30d")
		topics = append(topics, TopicInput{Name: fmt.Sprintf("topic-%d", i), Input: in})
	}
	return topics
}

// BenchmarkYearOfTwentyTopics is a year of 20 tiered topics × 50 partitions with their metadata topic: the issue wants it
// under 1 s.
func BenchmarkYearOfTwentyTopics(b *testing.B) {
	for b.Loop() {
		c, err := NewMetadataCheck(twenty(b), nil)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := c.Run(nil); err != nil {
			b.Fatal(err)
		}
	}
}
