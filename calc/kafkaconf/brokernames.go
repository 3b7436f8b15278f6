package kafkaconf

// otherBrokerNames are the settings of a broker of Kafka 4.3, and those of earlier versions since 2.0, that are neither in
// the table nor in [clusterFields] nor known by their prefix. A key that is in none of these is reported as unknown.
//
// Source: kafka-configs.sh --describe --all of a broker 4.3.1; the upgrade notes for what is gone.
const otherBrokerNames = `
add.partitions.to.txn.retry.backoff.max.ms add.partitions.to.txn.retry.backoff.ms advertised.host.name
advertised.listeners advertised.port allow.everyone.if.no.acl.found alter.config.policy.class.name
alter.log.dirs.replication.quota.window.num alter.log.dirs.replication.quota.window.size.seconds
auto.create.topics.enable auto.include.jmx.reporter auto.leader.rebalance.enable background.threads
broker.heartbeat.interval.ms broker.id.generation.enable broker.rack broker.session.timeout.ms
client.quota.callback.class config.providers connection.failed.authentication.delay.ms connections.max.idle.ms
connections.max.reauth.ms control.plane.listener.name controlled.shutdown.enable controlled.shutdown.max.retries
controlled.shutdown.retry.backoff.ms controller.listener.names controller.quota.window.num
controller.quota.window.size.seconds controller.socket.timeout.ms create.topic.policy.class.name
delete.records.purgatory.purge.interval.requests delete.topic.enable early.start.listeners
eligible.leader.replicas.enable fetch.max.bytes fetch.purgatory.purge.interval.requests
follower.fetch.last.tiered.offset.enable follower.replication.throttled.rate group.initial.rebalance.delay.ms
group.max.session.timeout.ms group.max.size group.min.session.timeout.ms host.name
initial.broker.registration.timeout.ms inter.broker.listener.name inter.broker.protocol.version
internal.leader.epoch.checkpoint.enable leader.imbalance.check.interval.seconds leader.imbalance.per.broker.percentage
leader.replication.throttled.rate listener.security.protocol.map listeners log.dir.failure.timeout.ms
log.flush.offset.checkpoint.interval.ms log.flush.start.offset.checkpoint.interval.ms
log.message.downconversion.enable log.message.format.version max.connection.creation.rate max.connections
max.connections.per.ip max.connections.per.ip.overrides max.incremental.fetch.session.cache.slots
max.request.partition.size.limit metadata.log.max.record.bytes.between.snapshots metadata.log.max.snapshot.interval.ms
metadata.max.idle.interval.ms num.io.threads num.network.threads num.recovery.threads.per.data.dir
num.replica.alter.log.dirs.threads num.replica.fetchers offset.metadata.max.bytes offsets.commit.required.acks
offsets.commit.timeout.ms offsets.load.buffer.size offsets.retention.check.interval.ms offsets.retention.minutes
offsets.topic.compression.codec port process.roles producer.purgatory.purge.interval.requests queued.max.request.bytes
queued.max.requests remote.fetch.max.wait.ms remote.list.offsets.request.timeout.ms
remote.log.manager.copier.thread.pool.size remote.log.manager.copy.max.bytes.per.second
remote.log.manager.copy.quota.window.num remote.log.manager.copy.quota.window.size.seconds
remote.log.manager.expiration.thread.pool.size remote.log.manager.fetch.max.bytes.per.second
remote.log.manager.fetch.quota.window.num remote.log.manager.fetch.quota.window.size.seconds
remote.log.manager.follower.thread.pool.size remote.log.manager.thread.pool.size
remote.log.metadata.manager.class.name remote.log.metadata.manager.class.path remote.log.metadata.manager.impl.prefix
remote.log.metadata.manager.listener.name remote.log.reader.max.pending.tasks remote.log.reader.threads
remote.log.storage.manager.class.name remote.log.storage.manager.class.path remote.log.storage.manager.impl.prefix
replica.alter.log.dirs.io.max.bytes.per.second replica.fetch.backoff.ms replica.fetch.min.bytes
replica.fetch.response.max.bytes replica.fetch.wait.max.ms replica.high.watermark.checkpoint.interval.ms
replica.lag.time.max.ms replica.selector.class replica.socket.receive.buffer.bytes replica.socket.timeout.ms
replication.quota.window.num replication.quota.window.size.seconds request.timeout.ms reserved.broker.max.id
share.coordinator.append.linger.ms share.coordinator.cached.buffer.max.bytes share.coordinator.load.buffer.size
share.coordinator.snapshot.update.records.per.snapshot share.coordinator.state.topic.compression.codec
share.coordinator.state.topic.min.isr share.coordinator.threads share.coordinator.write.timeout.ms
share.fetch.purgatory.purge.interval.requests super.users telemetry.max.bytes
transaction.abort.timed.out.transaction.cleanup.interval.ms transaction.max.timeout.ms
transaction.partition.verification.enable transaction.remove.expired.transaction.cleanup.interval.ms
transaction.state.log.load.buffer.size transaction.state.log.min.isr transaction.two.phase.commit.enable
transactional.id.expiration.ms zookeeper.connect
`
