package io.headgate.testbed.lab.control;

import io.headgate.control.report.Median;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * What a run came to: three hosts send to one, and after three fifths of the time the third stops.
 * Rates are on the wire, with what telemetry adds to frames.
 *
 * @param name as headings have it
 * @param lineMbps of all links
 * @param threeMbps what each sender had while all three sent
 * @param twoMbps what each had once the third had stopped
 * @param fairness Jain's index of what the three had
 * @param queueKb of the bottleneck, the mean while all three sent
 */
public record ControlTrial(
        String name,
        double lineMbps,
        List<Double> threeMbps,
        List<Double> twoMbps,
        double fairness,
        double queueKb,
        Counts counts) {
    /**
     * What was counted in the whole run.
     *
     * @param stoppedMs for how long senders' cards were paused, in all
     * @param pauseFrames that the switch sent to the senders
     * @param repeated packets that senders sent again
     * @param lostFrames anywhere
     */
    public record Counts(double stoppedMs, long pauseFrames, long repeated, long lostFrames) {}

    /** When the third sender stops, as a part of the time. */
    public static final double STOPS_AT = 0.6;

    /** When means begin, as a part of the time in which three, then two send. */
    public static final double SETTLED_AT = 0.3;

    private static final double LEAST_USE = 0.5;

    public ControlTrial {
        threeMbps = List.copyOf(threeMbps);
        twoMbps = List.copyOf(twoMbps);
    }

    public ControlTrial(
            String name,
            double lineMbps,
            List<Double> threeMbps,
            List<Double> twoMbps,
            double queueKb,
            Counts counts) {
        this(name, lineMbps, threeMbps, twoMbps, jain(threeMbps), queueKb, counts);
    }

    private static double jain(List<Double> mbps) {
        double sum = sum(mbps);
        double squares = mbps.stream().mapToDouble(one -> one * one).sum();
        return squares == 0 ? 0 : sum * sum / (mbps.size() * squares);
    }

    /**
     * The median of several runs of the same, number by number: of rates those of the fastest
     * sender, of the next, and so on; what was lost or repeated is that of the run with most.
     */
    public static ControlTrial median(String name, List<ControlTrial> runs) {
        ControlTrial first = runs.getFirst();
        return new ControlTrial(
                name,
                first.lineMbps,
                medians(runs, ControlTrial::threeMbps),
                medians(runs, ControlTrial::twoMbps),
                median(runs, ControlTrial::fairness),
                median(runs, ControlTrial::queueKb),
                new Counts(
                        median(runs, run -> run.counts.stoppedMs),
                        Math.round(median(runs, run -> run.counts.pauseFrames)),
                        runs.stream().mapToLong(run -> run.counts.repeated).max().orElse(0),
                        runs.stream().mapToLong(run -> run.counts.lostFrames).max().orElse(0)));
    }

    private static List<Double> medians(
            List<ControlTrial> runs, Function<ControlTrial, List<Double>> of) {
        List<Double> medians = new ArrayList<>();
        for (int sender = 0; sender < of.apply(runs.getFirst()).size(); sender++) {
            int rank = sender;
            medians.add(
                    median(
                            runs,
                            run ->
                                    of.apply(run).stream()
                                            .sorted(Comparator.reverseOrder())
                                            .toList()
                                            .get(rank)));
        }
        return medians;
    }

    private static double median(List<ControlTrial> runs, ToDoubleFunction<ControlTrial> value) {
        return Median.of(runs.stream().mapToDouble(value));
    }

    /** What the three had together. */
    public double threeTogetherMbps() {
        return sum(threeMbps);
    }

    /** What the two had together. */
    public double twoTogetherMbps() {
        return sum(twoMbps);
    }

    private static double sum(List<Double> mbps) {
        return mbps.stream().mapToDouble(Double::doubleValue).sum();
    }

    /** What is not as it should be, a sentence each, compared with the same without control. */
    public List<String> problems(ControlTrial without) {
        List<String> problems = new ArrayList<>();
        if (counts.lostFrames + counts.repeated > 0) {
            problems.add(said(lost()));
        }
        if (counts.stoppedMs >= without.counts.stoppedMs) {
            problems.add(
                    said(
                            "senders were stopped for "
                                    + number(counts.stoppedMs)
                                    + " ms, and for "
                                    + number(without.counts.stoppedMs)
                                    + " without control"));
        }
        if (queueKb >= without.queueKb) {
            problems.add(
                    said(
                            "the queue is "
                                    + number(queueKb)
                                    + " kB long on average, and "
                                    + number(without.queueKb)
                                    + " kB without control"));
        }
        double most = LEAST_USE * lineMbps;
        // A sender that never sent, or never after that, has no mean.
        boolean isUsed = sum(threeMbps) >= most && sum(twoMbps) >= most;
        if (!isUsed) {
            problems.add(
                    said(
                            "the senders had "
                                    + number(sum(threeMbps))
                                    + " Mb/s together, and "
                                    + number(sum(twoMbps))
                                    + " after one stopped: less than half of the link"));
        }
        return problems;
    }

    /** Why this, the case without control, is nothing to compare with; empty if it is. */
    public String doubt() {
        if (counts.lostFrames + counts.repeated > 0) {
            return said(lost());
        }
        return counts.stoppedMs == 0
                ? said("no sender was ever stopped, so a control cannot make that shorter")
                : "";
    }

    private String lost() {
        return counts.lostFrames + " frames were lost, " + counts.repeated + " packets repeated";
    }

    private String said(String what) {
        return name + ": " + what;
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
