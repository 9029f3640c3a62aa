package io.headgate.testbed.traffic;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * Flows that are complete, by the time at which they became so: datagrams when the receiver had all
 * of them, windowed flows when the sender knew. At the same time, by their sources and numbers. One
 * entry a flow; grows with the run.
 */
public final class FlowLog {
    private static final Comparator<Entry> ORDER =
            Comparator.comparingLong(Entry::completePs)
                    .thenComparingInt(Entry::sourceHost)
                    .thenComparingInt(Entry::number);

    private final List<Entry> entries = new ArrayList<>();

    /**
     * A flow.
     *
     * @param number the flow's number at its source
     * @param finishedPs when the receiver had all of it
     * @param acknowledgedPs when the sender knew; {@link Flow#NOT_YET} for datagrams
     * @param idealPs what it takes alone in an idle network; 0 if nobody said
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

        /** From its beginning to when the receiver had all of it. */
        public long completionPs() {
            return finishedPs - startPs;
        }
    }

    void add(Flow flow, long ideal) {
        Entry entry =
                new Entry(
                        flow.group,
                        flow.sourceHost,
                        flow.destinationHost,
                        flow.number,
                        flow.sizeBytes,
                        flow.startPs,
                        flow.finishedPs,
                        flow.acknowledgedPs,
                        ideal);
        // Hosts are not all run at the same time, so entries come out of order a little.
        int at = entries.size();
        while (at > 0 && ORDER.compare(entry, entries.get(at - 1)) < 0) {
            at--;
        }
        entries.add(at, entry);
    }

    public List<Entry> entries() {
        return Collections.unmodifiableList(entries);
    }
}
