package io.headgate.testbed.conform;

import io.headgate.config.Withers;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.DroppedFrames;
import io.headgate.testbed.scenario.Figure;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The result of a conformance case.
 *
 * @param must what must be seen
 * @param why it was skipped or could not be run; else empty
 * @param figures that its file asks for
 * @param losses losses of each run: frames that its ports dropped and frames that did not arrive
 * @param tries a sentence on each that failed before, and why it does not count
 * @param unseen checks that could not be judged, and why
 * @param seconds on this machine's clock
 */
@Withers
public record CaseResult(
        ConformanceCase of,
        String title,
        String source,
        String must,
        Verdict verdict,
        String why,
        List<Check> checks,
        List<Figure> figures,
        List<Losses> losses,
        List<String> unseen,
        List<String> tries,
        double seconds)
        implements CaseResultBuilder.With {
    /** How many checks a table names of a case that passed. */
    private static final int NAMED = 2;

    /**
     * The losses of a run.
     *
     * @param run what distinguishes it from the case's others
     * @param dropped by port and reason
     * @param missing of each kind of traffic, frames that were sent and did not arrive until the
     *     end, negative where more came than were sent; its name or number says which priority it
     *     has
     * @param waiting frames that waited in a queue when it was last looked at: those of them that
     *     did not come until the end are not lost
     */
    public record Losses(
            String run, List<DroppedFrames> dropped, Map<String, Long> missing, long waiting) {
        private static final Set<String> OF_LINK_CONTROL =
                names(
                        DropReason.LINK_LOCAL,
                        DropReason.LINK_CONTROL_MALFORMED,
                        DropReason.LINK_CONTROL_MISADDRESSED);

        private static final Set<String> OF_LOSSY_OR_STORMED =
                names(DropReason.QUEUE_FULL, DropReason.ACCOUNT_AT_CAP, DropReason.WATCHDOG);

        private static Set<String> names(DropReason... reasons) {
            return Arrays.stream(reasons).map(DropReason::name).collect(Collectors.toSet());
        }

        public Losses {
            dropped = List.copyOf(dropped);
            missing = Map.copyOf(missing);
        }

        boolean isNone() {
            return dropped.isEmpty() && missing.isEmpty();
        }

        /**
         * Frames whose fate is unknown: missing without a drop or a queue that explains it, or
         * dropped, or arrived, without having been sent. Pauses do not count: drops of them explain
         * no missing frame.
         */
        long unnamed() {
            long gone = missing.values().stream().mapToLong(Long::longValue).sum();
            long named =
                    dropped.stream()
                            .filter(one -> !OF_LINK_CONTROL.contains(one.reason()))
                            .mapToLong(DroppedFrames::frames)
                            .sum();
            long surplus =
                    missing.values().stream().mapToLong(frames -> Math.max(0, -frames)).sum();
            return surplus + Math.max(0, named - gone) + Math.max(0, gone - named - waiting);
        }

        /** Whether a port dropped what it must not: neither lossy nor in a storm. */
        boolean isOfLossless() {
            return dropped.stream()
                    .map(DroppedFrames::reason)
                    .anyMatch(reason ->
                            !OF_LINK_CONTROL.contains(reason)
                                    && !OF_LOSSY_OR_STORMED.contains(reason));
        }

        /** In sentences. */
        Stream<String> sentences() {
            String of = run + ": ";
            return Stream.concat(
                    dropped.stream().map(one -> of + one.sentence()),
                    missing.entrySet().stream()
                            .sorted(Map.Entry.comparingByKey())
                            .map(one -> of + missing(one.getKey(), one.getValue())));
        }

        private static String missing(String group, long frames) {
            return frames > 0
                    ? frames + " of " + group + " did not arrive"
                    : -frames + " more of " + group + " came than were sent";
        }
    }

    /** The verdict of a case. */
    public enum Verdict {
        PASS,
        FAIL,
        SKIP
    }

    public CaseResult {
        checks = List.copyOf(checks);
        figures = List.copyOf(figures);
        losses = List.copyOf(losses);
        unseen = List.copyOf(unseen);
        tries = List.copyOf(tries);
    }

    /** The observations, in a line: everything that was wrong, or the first numbers. */
    public String seen() {
        if (!why.isEmpty()) {
            return why;
        }
        List<Check> failed = checks.stream().filter(check -> !check.passed()).toList();
        List<Check> told = failed.isEmpty() ? checks.stream().limit(NAMED).toList() : failed;
        String first = String.join("; ", told.stream().map(Check::sentence).toList());
        String passed =
                failed.isEmpty() && checks.size() > NAMED
                        ? "; " + checks.size() + " checks in all"
                        : "";
        String hidden = unseen.isEmpty() ? "" : "; not judged: " + String.join("; ", unseen);
        return first + passed + hidden + (tries.isEmpty() ? "" : "; " + String.join("; ", tries));
    }

    /** The verdict, with the number of the try if it is not the first. */
    public String shownVerdict() {
        return tries.isEmpty() ? verdict.name() : verdict + " at try " + (tries.size() + 1);
    }

    /** Everything that was wrong, and the losses meanwhile. */
    String failed() {
        Stream<String> seen = checks.stream().filter(check -> !check.passed()).map(Check::sentence);
        String all = Stream.concat(seen, lost().stream()).collect(Collectors.joining("; "));
        return why.isEmpty() ? all : why;
    }

    /** The losses, with their places, in sentences. */
    public List<String> lost() {
        return losses.stream().flatMap(Losses::sentences).toList();
    }
}
