package io.headgate.testbed.scenario.bed.watch;

import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.counter.CounterDirectory.Entry;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.DropCounters;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.testbed.scenario.DroppedFrames;
import java.util.ArrayList;
import java.util.List;

/**
 * Periodically reads the drop counters of all ports, to report which port dropped frames, why, and
 * when it began; and reads the queues, to distinguish waiting frames from lost ones.
 */
public final class DropWatch {
    private final List<Counter> counters = new ArrayList<>();
    private final List<Counter> queues = new ArrayList<>();

    private static final class Counter {
        private final String at;
        private final String reason;
        private final CounterDirectory directory;
        private final Entry entry;
        private long before;
        private long seen;
        private double seenUs = Double.NaN;

        Counter(String at, String reason, CounterDirectory directory, Entry entry) {
            this.at = at;
            this.reason = reason;
            this.directory = directory;
            this.entry = entry;
        }

        long value() {
            return directory.value(entry) - before;
        }
    }

    /** Watches the ports of a switch, or the sides of a host's card. */
    public void add(String node, CounterDirectory directory) {
        for (Entry entry : directory.entries()) {
            if (entry.label().equals(EgressCounter.QUEUE_FRAMES.label())) {
                queues.add(new Counter(node, "", directory, entry));
            }
            boolean isDrop = entry.label().startsWith(DropCounters.LABEL_PREFIX);
            if (isDrop && (entry.scope() == Scope.INGRESS || entry.scope() == Scope.EGRESS)) {
                String owner = entry.owner();
                String port =
                        owner.startsWith(node + ".") ? owner.substring(node.length() + 1) : owner;
                String way = entry.scope() == Scope.INGRESS ? " in" : " out";
                String reason = entry.label().substring(DropCounters.LABEL_PREFIX.length());
                counters.add(new Counter(node + "/" + port + way, reason, directory, entry));
            }
        }
    }

    /** Called when the run begins: earlier drops do not count. */
    public void begin() {
        counters.forEach(one -> one.before = one.directory.value(one.entry));
    }

    public void look(double timeUs) {
        queues.forEach(one -> one.seen = one.value());
        for (Counter one : counters) {
            long value = one.value();
            if (value != one.seen) {
                one.seen = value;
                one.seenUs = Double.isNaN(one.seenUs) ? timeUs : one.seenUs;
            }
        }
    }

    /** Frames that waited in queues at the last look. */
    public long waiting() {
        return queues.stream().mapToLong(one -> one.seen).sum();
    }

    /**
     * The drops until the last look, and drops that kernels report late. Frames that wait when a
     * device is closed are not lost.
     */
    public List<DroppedFrames> all() {
        List<DroppedFrames> all = new ArrayList<>();
        for (Counter one : counters) {
            long frames = DropReason.valueOf(one.reason).isOfKernel() ? one.value() : one.seen;
            if (frames > 0) {
                all.add(new DroppedFrames(one.at, one.reason, frames, one.seenUs));
            }
        }
        return all;
    }
}
