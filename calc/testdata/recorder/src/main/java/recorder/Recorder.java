package recorder;

import java.io.File;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ScheduledFuture;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.LogSegment;
import org.apache.kafka.storage.internals.log.LogStartOffsetIncrementReason;
import org.apache.kafka.storage.internals.log.UnifiedLog;

/** Plays one scenario against a {@link VirtualBroker} and notes what happens to the partition's files. */
final class Recorder {
    private final Scenario scenario;
    private final Trace trace;
    private final KafkaMessages messages;
    private final Directory directory;
    private final VirtualBroker broker;
    private final Map<String, String> topic;
    private final LogConfig firstConfig;

    /** The segments Kafka had when last looked at. */
    private TreeMap<Long, LogSegment> live = new TreeMap<>();
    /** Base offsets with {@code .deleted} files on disk. */
    private final Set<Long> deleted = new TreeSet<>();
    /** The modification time given to each live segment's {@code .log}. */
    private final Map<Long, Long> modified = new HashMap<>();
    /** The next sequence number of each producer. */
    private final Map<Long, Integer> sequences = new HashMap<>();

    private long nextSample;
    private long downUntil = Long.MIN_VALUE;
    /** The frozen high watermark, or -1 while it follows the log end. */
    private long highWatermark = -1;
    private long copied = -1;
    private long copyEvery;
    private ScheduledFuture<?> copyTask;
    private boolean topicDeleted;
    private long appends;
    private long kafkaNanos;

    private Recorder(Scenario scenario, File work, Directory directory, KafkaMessages messages) {
        this.scenario = scenario;
        this.trace = new Trace(scenario);
        this.directory = directory;
        this.messages = messages;
        this.topic = new LinkedHashMap<>(scenario.topic());
        long start = System.nanoTime();
        this.broker = new VirtualBroker(work, scenario);
        kafkaNanos += System.nanoTime() - start;
        this.firstConfig = broker.log().config();
        takeOver();
    }

    /**
     * A finished recording.
     *
     * @param json the trace
     * @param kafkaMs how long Kafka itself worked, in real milliseconds
     */
    record Recording(String json, long appends, int events, int samples, long untilMs, double kafkaMs) {
    }

    /** Records {@code scenario} in the empty directory {@code work}. */
    static Recording record(Scenario scenario, File work, Directory directory, KafkaMessages messages) throws Exception {
        Recorder r = new Recorder(scenario, work, directory, messages);
        r.play();
        r.broker.stop();
        return new Recording(r.trace.write(r.firstConfig), r.appends, r.trace.events(), r.trace.samples(), r.trace.untilMs(),
            r.kafkaNanos / 1e6);
    }

    private void play() throws Exception {
        List<Scenario.Step> steps = scenario.steps();
        long[] done = new long[steps.size()];
        long last = 0;
        while (true) {
            int next = -1;
            long time = Long.MAX_VALUE;
            for (int i = 0; i < done.length; i++) {
                long at = time(steps.get(i), done[i]);
                if (at < time) {
                    time = at;
                    next = i;
                }
            }
            if (next < 0 || time > scenario.untilMs()) {
                break;
            }
            if (time > last && trace.events() > scenario.stopAfterEvents()) {
                trace.endAt(last);
                break;
            }
            String where = "scenario.steps[" + next + "]";
            if (steps.get(next) instanceof Scenario.Append append) {
                // A producer that finds the broker down does not try again.
                if (time >= downUntil) {
                    advanceTo(time);
                    append(append, done[next], where);
                }
            } else {
                if (time < downUntil) {
                    throw new Scenario.Invalid(where, "the broker is down until " + downUntil);
                }
                advanceTo(time);
                step(steps.get(next), where);
            }
            done[next]++;
            last = Math.max(time, downUntil);
        }
        advanceTo(trace.untilMs());
        sample("end", true);
    }

    /** When a step happens for the {@code n}-th time; {@code Long.MAX_VALUE} when it does not. */
    private static long time(Scenario.Step step, long n) {
        if (step instanceof Scenario.Append append) {
            return n < append.count() ? append.at() + append.every() * n : Long.MAX_VALUE;
        }
        return n == 0 ? step.at() : Long.MAX_VALUE;
    }

    /** Runs the tasks due up to {@code t} and takes the periodic samples on the way. */
    private void advanceTo(long t) {
        while (true) {
            long due = broker.nextTask();
            if (nextSample < due && nextSample <= t) {
                broker.setNow(nextSample);
                sample("periodic", nextSample == 0);
                nextSample = scenario.sampleEveryMs() == 0 ? Long.MAX_VALUE : nextSample + scenario.sampleEveryMs();
            } else if (due <= t) {
                messages.clear();
                int before = trace.events();
                look("retention", runTasks(due));
                if (trace.events() > before) {
                    sample("events", false);
                }
            } else {
                broker.setNow(t);
                return;
            }
        }
    }

    /**
     * Runs all tasks that are due at {@code t}.
     *
     * @return whether one of them runs only once, as those that remove files do
     */
    private boolean runTasks(long t) {
        boolean once = false;
        long start = System.nanoTime();
        while (broker.nextTask() <= t) {
            once |= broker.runTask();
        }
        kafkaNanos += System.nanoTime() - start;
        return once;
    }

    private void step(Scenario.Step step, String where) throws Exception {
        UnifiedLog log = broker.log();
        if (topicDeleted) {
            throw new Scenario.Invalid(where, "the topic is deleted");
        }
        if (step instanceof Scenario.Configure configure) {
            topic.putAll(configure.topic());
            broker.configure(topic);
        } else if (step instanceof Scenario.DeleteRecords delete) {
            try {
                log.maybeIncrementLogStartOffset(delete.before(), LogStartOffsetIncrementReason.ClientRecordDeletion);
            } catch (ApiException e) {
                trace.event(broker.now(), "reject", delete.before(), e.getClass().getSimpleName());
            }
        } else if (step instanceof Scenario.Restart restart) {
            restart(restart, where);
        } else if (step instanceof Scenario.HighWatermark mark) {
            if (mark.offset() > log.logEndOffset() || mark.offset() >= 0 && mark.offset() < log.highWatermark()) {
                throw new Scenario.Invalid(where + ".high_watermark", mark.offset() + " is not between the present high watermark "
                    + log.highWatermark() + " and the log end " + log.logEndOffset());
            }
            highWatermark = mark.offset() == Scenario.HighWatermark.FREEZE ? log.highWatermark() : mark.offset();
            updateHighWatermark();
        } else if (step instanceof Scenario.CopiedTo copiedTo) {
            copied(copiedTo.offset());
        } else if (step instanceof Scenario.CopyEvery copy) {
            copyEvery = copy.every();
            scheduleCopy();
        } else if (step instanceof Scenario.DeleteTopic) {
            broker.deleteTopic();
            topicDeleted = true;
            trace.event(broker.now(), "delete_topic", -1, null);
        }
        messages.clear();
        look("retention", runTasks(broker.now()));
        sample("step", false);
    }

    private void restart(Scenario.Restart restart, String where) throws Exception {
        long start = System.nanoTime();
        broker.stop();
        stampModified(true);
        kafkaNanos += System.nanoTime() - start;
        trace.event(broker.now(), "stop", -1, "clean");
        sample("events", false);
        downUntil = restart.at() + restart.downMs();
        broker.setNow(downUntil);
        start = System.nanoTime();
        try {
            broker.start();
        } catch (IllegalStateException e) {
            throw new Scenario.Invalid(where, "Kafka itself fails at " + broker.now() + " ms: " + e.getMessage());
        }
        kafkaNanos += System.nanoTime() - start;
        takeOver();
        trace.event(broker.now(), "start", -1, "clean");
        noteRemoved("start");
        updateHighWatermark();
        if (copied >= 0) {
            broker.log().updateHighestOffsetInRemoteStorage(copied);
        }
        scheduleCopy();
        while (nextSample < downUntil) {
            nextSample += scenario.sampleEveryMs();
        }
    }

    private void scheduleCopy() {
        if (copyTask != null) {
            copyTask.cancel(false);
            copyTask = null;
        }
        if (copyEvery > 0) {
            copyTask = broker.every(copyEvery, () -> {
                UnifiedLog log = broker.log();
                long next = 0;
                for (LogSegment segment : log.logSegments()) {
                    if (segment.baseOffset() <= log.highWatermark()) {
                        next = segment.baseOffset();
                    }
                }
                if (next - 1 > copied) {
                    copied(next - 1);
                }
            });
        }
    }

    private void copied(long offset) {
        copied = offset;
        broker.log().updateHighestOffsetInRemoteStorage(offset);
        trace.event(broker.now(), "copied", offset, null);
    }

    private void updateHighWatermark() throws Exception {
        broker.log().updateHighWatermark(highWatermark < 0 ? broker.log().logEndOffset() : highWatermark);
    }

    private void append(Scenario.Append append, long call, String where) throws Exception {
        if (topicDeleted) {
            throw new Scenario.Invalid(where, "the topic is deleted");
        }
        UnifiedLog log = broker.log();
        LogSegment active = log.activeSegment();
        long first = call == 0 && append.offset() >= 0 ? append.offset() : log.logEndOffset();
        if (first < log.logEndOffset()) {
            throw new Scenario.Invalid(where + ".append.offset", first + " is below the log end " + log.logEndOffset());
        }
        long now = scenario.epochMs() + broker.now();
        ByteBuffer[] batches = new ByteBuffer[append.batches()];
        Map<Long, Integer> nextSequences = new HashMap<>();
        int bytes = 0;
        for (int b = 0; b < batches.length; b++) {
            long i = call * batches.length + b;
            long producer = producer(append, i);
            int sequence = nextSequences.getOrDefault(producer, sequences.getOrDefault(producer, 0));
            long timestamp = append.timestamp().of(i, now, scenario.epochMs());
            if (timestamp < -1) {
                throw new Scenario.Invalid(where + ".append.timestamp", "batch " + i + " gets the negative timestamp " + timestamp);
            }
            // A producer's batches start at offset 0; the leader gives them their offsets.
            long offset = append.leader() ? 0 : first + (long) b * append.records();
            batches[b] = batch(append, i, offset, producer, sequence, timestamp);
            nextSequences.put(producer, sequence + append.records());
            bytes += batches[b].remaining();
        }
        ByteBuffer all = batches[0];
        if (batches.length > 1) {
            all = ByteBuffer.allocate(bytes);
            for (ByteBuffer batch : batches) {
                all.put(batch);
            }
            all.flip();
        }
        messages.clear();
        long start = System.nanoTime();
        try {
            KafkaApi.append(log, all, append.leader());
            updateHighWatermark();
        } catch (RuntimeException e) {
            // Kafka wraps what is wrong with single records.
            Throwable refusal = e instanceof ApiException ? e : e.getCause();
            if (!(refusal instanceof ApiException)) {
                throw new Scenario.Invalid(where, "Kafka itself fails at " + broker.now() + " ms: " + e);
            }
            trace.event(broker.now(), "reject", log.logEndOffset(), refusal.getClass().getSimpleName());
            sample("events", false);
            return;
        } finally {
            kafkaNanos += System.nanoTime() - start;
        }
        appends++;
        sequences.putAll(nextSequences);
        boolean rolled = log.activeSegment() != active;
        String reason = rolled ? messages.rollReason(bytes, log.logEndOffset() - 1, active.baseOffset()) : "";
        if (rolled | runTasks(broker.now())) {
            look(reason, true);
            sample("events", false);
        } else {
            stampModified(false);
        }
    }

    private static long producer(Scenario.Append append, long i) {
        return append.producer() < 0 ? -1 : append.producer() + i % append.producers();
    }

    /** Batch {@code i} of an append step. */
    static ByteBuffer batch(Scenario.Append append, long i, long offset, long producer, int sequence, long timestamp) {
        long[] timestamps = new long[append.records()];
        Arrays.setAll(timestamps, r -> timestamp < 0 ? timestamp : timestamp + append.spread() * r);
        byte[] key = append.key() < 0 ? null : new byte[append.key()];
        int size = append.values()[(int) (i % append.values().length)];
        byte[] value = size < 0 ? null : new byte[size];
        return KafkaApi.batch(offset, producer, sequence, timestamps, key, value);
    }

    /** Takes the segments Kafka has now for granted. */
    private void takeOver() {
        live = segments();
        stampModified(true);
    }

    private TreeMap<Long, LogSegment> segments() {
        TreeMap<Long, LogSegment> segments = new TreeMap<>();
        for (LogSegment segment : broker.log().logSegments()) {
            segments.put(segment.baseOffset(), segment);
        }
        return segments;
    }

    /**
     * Compares Kafka's segments and the deleted files with those of the last look, and notes the differences as events.
     *
     * @param rollReason why a new segment, if there is one, was made
     * @param removals whether files may have been removed
     */
    private void look(String rollReason, boolean removals) {
        if (topicDeleted) {
            if (removals && !deleted.contains(-1L) && !broker.log().dir().exists()) {
                deleted.add(-1L);
                trace.event(broker.now(), "removed", -1, "topic");
            }
            return;
        }
        TreeMap<Long, LogSegment> now = segments();
        now.forEach((base, segment) -> {
            LogSegment old = live.get(base);
            if (old == null) {
                trace.event(broker.now(), "roll", base, rollReason);
            } else if (old != segment) {
                trace.event(broker.now(), "replace", base, rollReason);
                deleted.add(base);
            }
        });
        Map<Long, String> reasons = messages.deleteReasons();
        live.keySet().forEach(base -> {
            if (!now.containsKey(base)) {
                trace.event(broker.now(), "delete", base, reasons.getOrDefault(base, "unknown"));
                deleted.add(base);
                modified.remove(base);
            }
        });
        if (removals) {
            noteRemoved(null);
        }
        // Kafka writes to a segment's .log outside an append only where it also makes or deletes a segment.
        if (!live.equals(now)) {
            live = now;
            stampModified(true);
        } else {
            stampModified(false);
        }
    }

    private void noteRemoved(String reason) {
        if (deleted.isEmpty()) {
            return;
        }
        Set<Long> present = new TreeSet<>();
        for (String name : broker.log().dir().list()) {
            if (Directory.isDeleted(name)) {
                present.add(Directory.base(name));
            }
        }
        deleted.removeIf(base -> {
            boolean gone = !present.contains(base);
            if (gone) {
                trace.event(broker.now(), "removed", base, reason);
            }
            return gone;
        });
    }

    /**
     * Gives each {@code .log} that was really written since the last look the virtual time as its modification time,
     * because Kafka takes that time for a segment without timestamps.
     */
    private void stampModified(boolean all) {
        if (all) {
            live.keySet().forEach(this::stampModified);
        } else {
            stampModified(live.lastKey());
        }
    }

    private void stampModified(long base) {
        File file = new File(broker.log().dir(), String.format("%020d.log", base));
        Long known = modified.get(base);
        if (known == null || file.lastModified() != known) {
            long time = scenario.epochMs() + broker.now();
            file.setLastModified(time);
            modified.put(base, time);
        }
    }

    private void sample(String why, boolean always) {
        UnifiedLog log = broker.log();
        Directory.Listing files = directory.list(log.dir());
        long localStart = Boolean.parseBoolean(topic.get("remote.storage.enable")) ? log.localLogStartOffset() : -1;
        trace.sample(broker.now(), why, log.logStartOffset(), localStart, log.logEndOffset(), log.size(), files, always);
    }
}
