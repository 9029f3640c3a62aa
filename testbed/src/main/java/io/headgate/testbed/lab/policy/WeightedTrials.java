package io.headgate.testbed.lab.policy;

import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Section;
import io.headgate.control.report.Table;
import io.headgate.testbed.lab.column.LabColumn;
import io.headgate.testbed.lab.column.LabColumn.Of;
import io.headgate.testbed.netns.Iperf3;
import io.headgate.testbed.netns.Iperf3.Flow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Two hosts send valuable datagrams (type of service 63) in bursts, and a third cheap ones (1) all
 * the time, as many as a link carries, to a fourth: by what arrives, algorithm A (tail drop) is
 * worth less than B (push-out of cheap packets), and B less than C (valuable ones first, too); with
 * 2, 4 and 8 queues, C is worth more than A.
 *
 * <p>Several queues take the datagrams in turn, whatever their flow ({@link #BINDING}). Bursts of
 * both hosts begin together, since their programs do: then valuable datagrams alone are twice what
 * the link carries, for longer than a queue of 512 holds.
 */
public final class WeightedTrials {
    /** Names of the algorithms' files, with the number of queues where there are several. */
    public static final List<String> POLICIES =
            List.of("a", "b", "c", "a-2", "c-2", "a-4", "c-4", "a-8", "c-8");

    /** What of a datagram chooses its queue: its IP identification, which counts datagrams. */
    public static final String BINDING = "flow=id";

    private static final int HIGH_TOS = 63;
    private static final int LOW_TOS = 1;
    private static final int RECEIVER = 4;

    private static final double HIGH_SHARE = 0.45;
    private static final double LOW_SHARE = 0.95;

    /** Datagrams that are sent one right after another. */
    private static final int BURST = 1_000;

    /** What a policy came to: datagrams a second. */
    private record Worth(double high, double low) {
        double value() {
            return HIGH_TOS * high + LOW_TOS * low;
        }
    }

    private final Map<String, Worth> worths = new LinkedHashMap<>();

    /** The flows of each trial. */
    public static List<Flow> flows(long rateBps, int socketBytes) {
        List<Flow> flows = new ArrayList<>();
        for (int host = 1; host < RECEIVER; host++) {
            boolean isHigh = host < RECEIVER - 1;
            long bps = (long) (rateBps * (isHigh ? HIGH_SHARE : LOW_SHARE));
            Flow flow = new Flow(host, RECEIVER, bps, isHigh ? HIGH_TOS : LOW_TOS, socketBytes, "");
            flows.add(isHigh ? flow.withBurst(BURST) : flow);
        }
        return flows;
    }

    /** The file of a policy. */
    public static String file(String policy) {
        return "algorithm-" + policy + ".oq";
    }

    /** Notes the results of the flows under a policy, which lasted some seconds. */
    public void add(String policy, List<Iperf3.Outcome> outcomes, int seconds) {
        double high = 0;
        double low = 0;
        for (Iperf3.Outcome outcome : outcomes) {
            double each = (double) (outcome.datagrams() - outcome.lostDatagrams()) / seconds;
            if (outcome.flow().tos() == HIGH_TOS) {
                high += each;
            } else {
                low += each;
            }
        }
        worths.put(policy, new Worth(high, low));
    }

    /** A policy's value a second. */
    double value(String policy) {
        Worth worth = worths.get(policy);
        if (worth == null) {
            throw new IllegalArgumentException("nothing was noted of " + policy);
        }
        return worth.value();
    }

    /** Says what was measured, and what is not as the chapter has it. */
    public void conclude(RunReport report) {
        Table table = LabColumn.table(Of.WEIGHTED);
        worths.forEach((policy, worth) ->
                table.row(policy, number(worth.high), number(worth.low), number(worth.value())));
        report.add(
                new Section(
                        "Weighted throughput",
                        worths,
                        "datagrams that arrived, and their value: 63 or 1 each, by their type of"
                                + " service; h1 and h2 send bursts of valuable ones",
                        table));
        worths.forEach((policy, worth) ->
                report.headline("worth of algorithm " + policy, number(worth.value()) + " per s"));
        requireMore(report, "b", "a", "figure 2.19 b");
        requireMore(report, "c", "b", "figure 2.19 b");
        for (int queues = 2; queues <= 8; queues *= 2) {
            requireMore(report, "c-" + queues, "a-" + queues, "figure 2.19 d");
        }
    }

    private void requireMore(RunReport report, String more, String less, String figure) {
        if (value(more) <= value(less)) {
            report.problem(
                    "algorithm %s is worth %s per s, no more than %s with %s (%s)"
                            .formatted(
                                    more, number(value(more)), number(value(less)), less, figure));
        }
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }
}
