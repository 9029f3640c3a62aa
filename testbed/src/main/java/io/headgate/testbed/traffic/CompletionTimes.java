package io.headgate.testbed.traffic;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Flow completion times by classes of size, from a {@link FlowLog}: percentiles to three
 * significant digits, means exact.
 */
public final class CompletionTimes {
    private static final int SIGNIFICANT_DIGITS = 3;

    /** Times above are counted as this: 11 days. */
    private static final long MAX_NS = 1_000_000_000_000_000L;

    /**
     * Flows whose size is at least {@code fromBytes} and below {@code toBytes}.
     *
     * @param meanNs mean time from a flow's beginning to its last byte's arrival, in ns; not a
     *     number without flows
     * @param timesNs all of these times, in ns
     */
    public record SizeClass(
            long fromBytes, long toBytes, long flows, double meanNs, Histogram timesNs) {

        /**
         * The time in ns that a part of the flows, in per cent, did not exceed; 0 without flows.
         */
        public long timeNs(double percentile) {
            return timesNs.getValueAtPercentile(percentile);
        }
    }

    private CompletionTimes() {}

    /** All flows of a group (null: of all), in one class. */
    public static SizeClass all(FlowLog log, @Nullable FlowGroup group) {
        return byClass(log, group, 0, Long.MAX_VALUE);
    }

    /**
     * The flows of a group (null: of all) in classes.
     *
     * @param boundsBytes where one class ends and the next begins, increasing; the first class
     *     begins at 0, the last has no end
     */
    public static List<SizeClass> bySize(
            FlowLog log, @Nullable FlowGroup group, long... boundsBytes) {
        List<SizeClass> classes = new ArrayList<>();
        long from = 0;
        for (long bound : boundsBytes) {
            if (bound <= from) {
                throw new IllegalArgumentException(
                        "a class from " + from + " B to " + bound + " B; bounds must increase");
            }
            classes.add(byClass(log, group, from, bound));
            from = bound;
        }
        classes.add(byClass(log, group, from, Long.MAX_VALUE));
        return classes;
    }

    private static SizeClass byClass(
            FlowLog log, @Nullable FlowGroup group, long fromBytes, long toBytes) {
        Histogram times = new Histogram(MAX_NS, SIGNIFICANT_DIGITS);
        double sumNs = 0;
        for (FlowLog.Entry entry : log.entries()) {
            long size = entry.sizeBytes();
            if (size >= fromBytes && size < toBytes && (group == null || entry.group() == group)) {
                double ns = entry.completionPs() / 1000.0;
                sumNs += ns;
                times.recordValue(Math.min(Math.max(0, Math.round(ns)), MAX_NS));
            }
        }
        long flows = times.getTotalCount();
        return new SizeClass(fromBytes, toBytes, flows, sumNs / flows, times);
    }
}
