package provider

import "slices"

// internalTopics are the topics that Kafka makes for itself.
//
// Source: Topic.INTERNAL_TOPICS and CLUSTER_METADATA_TOPIC_NAME of Kafka 4.3.1, and TopicBasedRemoteLogMetadataManagerConfig's
// REMOTE_LOG_METADATA_TOPIC_NAME.
var internalTopics = []string{"__consumer_offsets", "__transaction_state", "__share_group_state", "__cluster_metadata", "__remote_log_metadata"}

// Internal reports whether a topic is one that Kafka makes for itself. Its users neither create nor configure it at a
// service, and no page that was read says whether a service counts it.
func Internal(name string) bool { return slices.Contains(internalTopics, name) }

// Apart parts Kafka's own topics from the users'.
func Apart(all []Topic) (users []Topic, internal []string) {
	for i := range all {
		if Internal(all[i].Name) {
			internal = append(internal, all[i].Name)
			continue
		}
		users = append(users, all[i])
	}
	return users, internal
}
