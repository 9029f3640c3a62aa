package io.headgate.testbed.traffic;

import java.util.Arrays;

/**
 * Flows that are complete, by the time at which they became so: datagrams when the receiver had all
 * of them, windowed flows when the sender knew. At the same time, by their sources and numbers. One
 * entry a flow; grows with the run.
 */
public final class FlowLog {
    private FlowGroup[] groups = new FlowGroup[64];
    private int[] sourceHosts = new int[64];
    private int[] destinationHosts = new int[64];
    private int[] numbers = new int[64];
    private long[] sizeBytes = new long[64];
    private long[] startPs = new long[64];
    private long[] finishedPs = new long[64];
    private long[] acknowledgedPs = new long[64];
    private long[] idealPs = new long[64];

    // Rows by entry: hosts are not all run at the same time, so rows come out of order a little.
    private int[] rows = new int[64];
    private int size;

    void add(Flow flow, long ideal) {
        if (size == numbers.length) {
            grow(2 * size);
        }
        groups[size] = flow.group;
        sourceHosts[size] = flow.sourceHost;
        destinationHosts[size] = flow.destinationHost;
        numbers[size] = flow.number;
        sizeBytes[size] = flow.sizeBytes;
        startPs[size] = flow.startPs;
        finishedPs[size] = flow.finishedPs;
        acknowledgedPs[size] = flow.acknowledgedPs;
        idealPs[size] = ideal;
        int entry = size++;
        while (entry > 0 && isBefore(size - 1, rows[entry - 1])) {
            rows[entry] = rows[entry - 1];
            entry--;
        }
        rows[entry] = size - 1;
    }

    private boolean isBefore(int row, int other) {
        int byTime = Long.compare(completePs(row), completePs(other));
        int bySource = byTime == 0 ? sourceHosts[row] - sourceHosts[other] : byTime;
        return (bySource == 0 ? numbers[row] - numbers[other] : bySource) < 0;
    }

    private long completePs(int row) {
        return acknowledgedPs[row] == Flow.NOT_YET ? finishedPs[row] : acknowledgedPs[row];
    }

    private void grow(int length) {
        groups = Arrays.copyOf(groups, length);
        sourceHosts = Arrays.copyOf(sourceHosts, length);
        destinationHosts = Arrays.copyOf(destinationHosts, length);
        numbers = Arrays.copyOf(numbers, length);
        sizeBytes = Arrays.copyOf(sizeBytes, length);
        startPs = Arrays.copyOf(startPs, length);
        finishedPs = Arrays.copyOf(finishedPs, length);
        acknowledgedPs = Arrays.copyOf(acknowledgedPs, length);
        idealPs = Arrays.copyOf(idealPs, length);
        rows = Arrays.copyOf(rows, length);
    }

    /** Number of entries. */
    public int size() {
        return size;
    }

    public FlowGroup group(int entry) {
        return groups[rows[entry]];
    }

    public int sourceHost(int entry) {
        return sourceHosts[rows[entry]];
    }

    public int destinationHost(int entry) {
        return destinationHosts[rows[entry]];
    }

    /** The flow's number at its source. */
    public int number(int entry) {
        return numbers[rows[entry]];
    }

    public long sizeBytes(int entry) {
        return sizeBytes[rows[entry]];
    }

    public long startPs(int entry) {
        return startPs[rows[entry]];
    }

    /** When the receiver had all of it. */
    public long finishedPs(int entry) {
        return finishedPs[rows[entry]];
    }

    /** When the sender knew; {@link Flow#NOT_YET} for datagrams. */
    public long acknowledgedPs(int entry) {
        return acknowledgedPs[rows[entry]];
    }

    /** What it takes alone in an idle network; 0 if nobody said. */
    public long idealPs(int entry) {
        return idealPs[rows[entry]];
    }

    /** From its beginning to when the receiver had all of it. */
    public long completionPs(int entry) {
        return finishedPs(entry) - startPs(entry);
    }
}
