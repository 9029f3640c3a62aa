package io.headgate.testbed.traffic;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The log of complete flows, in the order of their completion: for datagrams the time at which the
 * receiver had all of them, for windowed flows the time at which the sender knew. Flows of the same
 * time are in the order of their sources and numbers. One entry per flow; grows with the run.
 * {@link Traffic#begun} also has incomplete flows.
 */
public final class FlowLog {
    /** The time that a flow takes alone in an idle network; slowdowns are relative to it. */
    @FunctionalInterface
    public interface IdealTime {
        /**
         * From a flow's beginning to the arrival of its last bit, in ps.
         *
         * @param flow the flow, for its source, destination and length of full frames
         * @param frames number of its frames
         * @param lastFrameBytes length of its last frame, without FCS
         */
        long idealPs(Flow flow, long frames, int lastFrameBytes);
    }

    private static final Comparator<Entry> ORDER =
            Comparator.comparingLong(Entry::completePs)
                    .thenComparingInt(Entry::sourceHost)
                    .thenComparingInt(Entry::number);

    /** Orders entries by the time at which they began; entries of the same time as in the log. */
    static final Comparator<Entry> BY_START =
            Comparator.comparingLong(Entry::startPs)
                    .thenComparingInt(Entry::sourceHost)
                    .thenComparingInt(Entry::number);

    // By part of the run, each in order.
    private final List<List<Entry>> byPart = new ArrayList<>();

    /**
     * A flow.
     *
     * @param number the flow's number at its source
     * @param finishedPs when the receiver had all of it; {@link Flow#NOT_YET} while it is under way
     * @param acknowledgedPs when the sender knew; {@link Flow#NOT_YET} for datagrams
     * @param idealPs the time it takes alone in an idle network; 0 if unknown
     */
    public record Entry(
            FlowGroup group,
            int sourceHost,
            int destinationHost,
            int number,
            long sizeBytes,
            long startPs,
            long finishedPs,
            long acknowledgedPs,
            long idealPs) {
        private long completePs() {
            return acknowledgedPs == Flow.NOT_YET ? finishedPs : acknowledgedPs;
        }

        /** Whether the receiver had all of it by a time. */
        public boolean isFinished(long byPs) {
            return finishedPs != Flow.NOT_YET && finishedPs <= byPs;
        }

        /** From its beginning to when the receiver had all of it, which must have happened. */
        public long completionPs() {
            return finishedPs - startPs;
        }
    }

    static Entry entry(Flow flow, long ideal) {
        return new Entry(
                flow.group,
                flow.sourceHost,
                flow.destinationHost,
                flow.number,
                flow.sizeBytes,
                flow.startPs,
                flow.finishedPs,
                flow.acknowledgedPs,
                ideal);
    }

    /** The entry of a message on a kept connection. */
    static Entry entry(Flow flow, Flow.Message message, long finishedPs) {
        return new Entry(
                flow.group,
                flow.sourceHost,
                flow.destinationHost,
                flow.number,
                message.sizeBytes(),
                message.startPs(),
                finishedPs,
                Flow.NOT_YET,
                message.idealPs());
    }

    void part(int parts) {
        while (byPart.size() < parts) {
            byPart.add(new ArrayList<>());
        }
    }

    /** Adds an entry from a host of a part. */
    void add(int part, Entry entry) {
        List<Entry> entries = byPart.get(part);
        // Hosts are not all run at the same time, so entries come out of order a little.
        int at = entries.size();
        while (at > 0 && ORDER.compare(entry, entries.get(at - 1)) < 0) {
            at--;
        }
        entries.add(at, entry);
    }

    /** All entries so far, in a new list; call it while the run stands still. */
    public List<Entry> entries() {
        return byPart.stream().flatMap(List::stream).sorted(ORDER).toList();
    }
}
