package io.headgate.testbed.lab.rocc;

import io.headgate.control.report.Median;
import io.headgate.testbed.lab.rocc.Demand.Sender;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * The result of a run; rates are on the wire, averaged after the first second.
 *
 * @param isControlled whether with RoCC
 * @param lineMbps of all links
 * @param shareMbps the max-min share that follows from what the flows ask for
 * @param fairMbps the fair rate that the switch announced; 0 without RoCC
 * @param flowMbps of each flow
 * @param referenceKb target length of the queue
 * @param pauseFrames that the switch sent to the senders
 * @param notices that the switch sent
 * @param lostFrames anywhere
 */
public record Trial(
        Demand demand,
        boolean isControlled,
        double lineMbps,
        double shareMbps,
        double fairMbps,
        List<Double> flowMbps,
        double queueKb,
        double referenceKb,
        long pauseFrames,
        long notices,
        long lostFrames) {
    private static final double RATE_TOLERANCE = 0.05;
    private static final double QUEUE_TOLERANCE = 0.2;
    private static final double PAUSE_SHARE = 0.1;

    /** From then on rates and queue are averaged. */
    private static final double SETTLED_SECONDS = 1;

    /** At a run's end, where senders do not stop at the same time. */
    private static final double ENDING_SECONDS = 0.2;

    public Trial {
        flowMbps = List.copyOf(flowMbps);
    }

    /** Start of the averages, for a run of this length. */
    public static double fromSeconds(double seconds) {
        return Math.min(SETTLED_SECONDS, toSeconds(seconds) / 2);
    }

    /** When they end. */
    public static double toSeconds(double seconds) {
        return seconds - ENDING_SECONDS;
    }

    /**
     * The max-min share: flows that ask for less than theirs have what they send, and the others
     * share the rest.
     */
    public static double share(Demand demand, List<Double> flowMbps, double lineMbps) {
        double rest = lineMbps;
        int sharing = 0;
        for (int i = 0; i < flowMbps.size(); i++) {
            if (demand.senders().get(i).isGreedy()) {
                sharing++;
            } else {
                rest -= flowMbps.get(i);
            }
        }
        return rest / sharing;
    }

    /** As headings have it. */
    public String name() {
        return demand.word() + (isControlled ? " with RoCC" : " without RoCC");
    }

    /**
     * The median of several runs of the same, number by number; what was lost is that of the run
     * that lost most.
     */
    public static Trial median(List<Trial> runs) {
        Trial first = runs.getFirst();
        List<Double> flows = new ArrayList<>();
        for (int i = 0; i < first.flowMbps.size(); i++) {
            int flow = i;
            flows.add(median(runs, run -> run.flowMbps.get(flow)));
        }
        return new Trial(
                first.demand,
                first.isControlled,
                first.lineMbps,
                median(runs, Trial::shareMbps),
                median(runs, Trial::fairMbps),
                flows,
                median(runs, Trial::queueKb),
                first.referenceKb,
                Math.round(median(runs, Trial::pauseFrames)),
                Math.round(median(runs, Trial::notices)),
                runs.stream().mapToLong(Trial::lostFrames).max().orElse(0));
    }

    private static double median(List<Trial> runs, ToDoubleFunction<Trial> value) {
        return Median.of(runs.stream().mapToDouble(value));
    }

    /**
     * Deviations from what RoCC promises, a sentence each, also compared with the same run without
     * RoCC.
     */
    public List<String> problems(Trial without) {
        List<String> problems = new ArrayList<>();
        String share = "the max-min share is " + number(shareMbps) + " Mb/s";
        if (!isNear(fairMbps, shareMbps, RATE_TOLERANCE)) {
            problems.add(said("the fair rate is " + number(fairMbps) + " Mb/s, and " + share));
        }
        for (int i = 0; i < flowMbps.size(); i++) {
            Sender sender = demand.senders().get(i);
            double mbps = flowMbps.get(i);
            double dueMbps = sender.isGreedy() ? shareMbps : sender.share() * lineMbps;
            if (!isNear(mbps, dueMbps, RATE_TOLERANCE)) {
                String flow = "flow " + (i + 1) + ", of h" + sender.host();
                String due = sender.isGreedy() ? share : "it asks for " + number(dueMbps) + " Mb/s";
                problems.add(said(flow + ", has " + number(mbps) + " Mb/s, and " + due));
            }
        }
        if (!isNear(queueKb, referenceKb, QUEUE_TOLERANCE)) {
            problems.add(
                    said(
                            "the queue is "
                                    + number(queueKb)
                                    + " kB long on average; the reference is "
                                    + number(referenceKb)
                                    + " kB"));
        }
        if (pauseFrames > PAUSE_SHARE * without.pauseFrames) {
            problems.add(
                    said(
                            pauseFrames
                                    + " pauses were sent, more than a tenth of the "
                                    + without.pauseFrames
                                    + " without RoCC"));
        }
        return problems;
    }

    /** Why this, the case without RoCC, is nothing to compare with; empty if it is. */
    public String doubt() {
        return pauseFrames == 0
                ? said("no pauses were sent, so there is nothing for RoCC to make fewer")
                : "";
    }

    private String said(String what) {
        return name() + ": " + what;
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    private static boolean isNear(double value, double expected, double share) {
        return Math.abs(value - expected) <= share * expected;
    }
}
