package io.headgate.testbed.lab.deadlock;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The result of one run of the ring. Times are in seconds since the ring's links were released.
 *
 * @param run from 1
 * @param remedy what was turned on
 * @param formedSeconds time from which all three buffers stayed above xon until the remedy; NaN:
 *     they did not
 * @param cycle the ports that waited for one another just before the remedy, in their order
 * @param remedySeconds when it was turned on
 * @param endSeconds when the senders stopped
 * @param leastStandingBytes the least that each buffer held during the deadlock
 * @param resumed times that each buffer fell to xon behind the remedy, as the resumptions that its
 *     port sent tell
 * @param allAboveSeconds for how long all three buffers were above xon at the end
 * @param shareMbps what a flow gets where two share a link of the ring
 * @param leastMbps what each flow got in its worst whole second behind the remedy
 * @param meanMbps what each flow got from the remedy to the end
 * @param dropped frames that switches and hosts dropped, by reason
 * @param reordered frames that came after a later one of their flow
 * @param missing frames sent that had not come when all was at rest, dropped ones included
 * @param letGo frames that the remedy took out of paused queues
 */
public record RingTrial(
        int run,
        Remedy remedy,
        double formedSeconds,
        List<String> cycle,
        double remedySeconds,
        double endSeconds,
        List<Long> leastStandingBytes,
        List<Long> resumed,
        double allAboveSeconds,
        double shareMbps,
        List<Double> leastMbps,
        List<Double> meanMbps,
        Map<String, Long> dropped,
        long reordered,
        long missing,
        long letGo) {
    /** As the dissertation's test bed has them. */
    public static final long XOFF_BYTES = 125_000;

    public static final long XON_BYTES = 10_000;

    /** Time within which the deadlock must have formed. */
    public static final double FORMS_WITHIN_SECONDS = 10;

    public RingTrial {
        cycle = List.copyOf(cycle);
        leastStandingBytes = List.copyOf(leastStandingBytes);
        resumed = List.copyOf(resumed);
        leastMbps = List.copyOf(leastMbps);
        meanMbps = List.copyOf(meanMbps);
        dropped = Map.copyOf(dropped);
    }

    /** Whether the ring was deadlocked until the remedy; rates fill buffers without that. */
    public boolean formed() {
        return !remedy.prevents() && formedSeconds <= FORMS_WITHIN_SECONDS;
    }

    /** Whether every flow got something in every second behind the remedy. */
    public boolean flows() {
        return leastMbps.stream().allMatch(mbps -> mbps > 0);
    }

    /** Whether every flow got half of its share in every second behind the remedy. */
    private boolean getOn() {
        return leastMbps.stream().allMatch(mbps -> mbps >= shareMbps / 2);
    }

    /** All frames that were dropped. */
    public long allDropped() {
        return dropped.values().stream().mapToLong(Long::longValue).sum();
    }

    private String noDeadlock() {
        return String.format(
                Locale.ROOT,
                "no deadlock: not all three buffers were above xon from %.0f s after the release"
                        + " on",
                Math.min(FORMS_WITHIN_SECONDS, remedySeconds));
    }

    /**
     * Why the result after the remedy shows nothing: there was no deadlock to end. Empty if there
     * was one, or if the run was made to show the deadlock itself.
     */
    public String doubt() {
        return formed() || remedy == Remedy.NONE || remedy.prevents()
                ? ""
                : "run " + run + ": " + noDeadlock();
    }

    /** What was not as it should be, each in one sentence without its full stop. */
    public List<String> problems() {
        List<String> problems = new ArrayList<>();
        String which = "run " + run + ": ";
        if (!formed() && remedy == Remedy.NONE) {
            problems.add(which + noDeadlock());
        }
        if (formed() && cycle.size() != leastStandingBytes.size()) {
            problems.add(which + "the pauses do not lead round the ring: " + cycle);
        }
        if (reordered > 0) {
            problems.add(which + reordered + " frames came out of order");
        }
        if (remedy.losesNothing() && allDropped() > 0) {
            problems.add(which + allDropped() + " frames were dropped: " + dropped);
        }
        if (remedy == Remedy.NONE) {
            if (flows() || allAboveSeconds < endSeconds - remedySeconds) {
                problems.add(which + "the deadlock did not last to the end");
            }
            return problems;
        }
        if (remedy.losesNothing()) {
            problemsWithoutLoss(which + "with " + remedy.word(), problems);
        } else if (meanMbps.stream().anyMatch(mbps -> mbps == 0)) {
            problems.add(
                    "%swith %s a flow got nothing: %s Mb/s"
                            .formatted(which, remedy.word(), meanMbps));
        }
        return problems;
    }

    private void problemsWithoutLoss(String which, List<String> problems) {
        if (!flows()) {
            problems.add(
                    which
                            + " a flow got nothing in some second: the worst seconds had "
                            + leastMbps
                            + " Mb/s");
        }
        // Once a second at least, unless the flows get on so well that few pauses are needed.
        double seconds = Math.floor(endSeconds - remedySeconds);
        if (!remedy.prevents()
                && resumed.stream()
                        .anyMatch(times -> times == 0 || (times < seconds && !getOn()))) {
            problems.add(
                    which
                            + " the buffers did not swing between xoff and xon: in "
                            + String.format(Locale.ROOT, "%.0f", seconds)
                            + " s they fell to xon "
                            + resumed
                            + " times, and flows got "
                            + leastMbps
                            + " Mb/s in their worst seconds");
        }
        if (missing > 0) {
            problems.add(which + ": " + missing + " frames never came");
        }
    }
}
