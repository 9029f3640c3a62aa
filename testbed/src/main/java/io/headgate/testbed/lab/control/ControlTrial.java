package io.headgate.testbed.lab.control;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a run came to: three hosts send to one, and after three fifths of the time the third stops.
 * Rates are on the wire, with what telemetry adds to frames.
 *
 * @param name as headings have it
 * @param lineMbps of all links
 * @param threeMbps what each sender had while all three sent
 * @param twoMbps what each had once the third had stopped
 * @param queueKb of the bottleneck, the mean while all three sent
 * @param pauseFrames that the switch sent to the senders
 * @param repeated packets that senders sent again
 * @param lostFrames anywhere
 */
public record ControlTrial(
        String name,
        double lineMbps,
        List<Double> threeMbps,
        List<Double> twoMbps,
        double queueKb,
        long pauseFrames,
        long repeated,
        long lostFrames) {
    /** When the third sender stops, as a part of the time. */
    public static final double STOPS_AT = 0.6;

    /** When means begin, as a part of the time in which three, then two send. */
    public static final double SETTLED_AT = 0.3;

    private static final double LEAST_USE = 0.5;

    public ControlTrial {
        threeMbps = List.copyOf(threeMbps);
        twoMbps = List.copyOf(twoMbps);
    }

    /** Jain's index of what the three had. */
    public double fairness() {
        double sum = sum(threeMbps);
        double squares = threeMbps.stream().mapToDouble(mbps -> mbps * mbps).sum();
        return squares == 0 ? 0 : sum * sum / (threeMbps.size() * squares);
    }

    private static double sum(List<Double> mbps) {
        return mbps.stream().mapToDouble(Double::doubleValue).sum();
    }

    /** What is not as it should be, a sentence each, compared with the same without control. */
    public List<String> problems(ControlTrial without) {
        List<String> problems = new ArrayList<>();
        if (lostFrames + repeated > 0) {
            problems.add(said(lost()));
        }
        if (pauseFrames >= without.pauseFrames) {
            problems.add(
                    said(
                            pauseFrames
                                    + " pauses were sent, and "
                                    + without.pauseFrames
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
        if (lostFrames + repeated > 0) {
            return said(lost());
        }
        return pauseFrames == 0
                ? said("no pauses were sent, so there is nothing for a control to make fewer")
                : "";
    }

    private String lost() {
        return lostFrames + " frames were lost, " + repeated + " packets repeated";
    }

    private String said(String what) {
        return name + ": " + what;
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
