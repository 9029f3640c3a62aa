package io.headgate.testbed.lab.twin;

import io.headgate.control.report.Table;
import io.headgate.dataplane.counter.DropCounters;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Series;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The comparison of a lab with its twin, number by number.
 *
 * @param title the lab's command
 * @param phases in their order
 * @param leftOut parts that have no twin, a sentence each
 */
public record LabTwin(String title, List<Phase> phases, List<String> leftOut) {
    /** What is allowed, of the larger of both. */
    private static final double SHARE = 0.25;

    /** What is allowed in any case: what the machine, pings and iperf3's own connections add. */
    private static final double FRAMES = 100;

    private static final double QUEUE_BYTES = 50_000;

    /** The share of a port's rate by which what it sends may differ. */
    private static final double RATE_SHARE = 0.15;

    private static final double STOPPED_PERCENT = 15;

    /** A machine's scheduler, and looks each tenth of a second, are finer than that. */
    private static final double WINDOW_S = 0.5;

    /** The beginning is known to a tenth of a second. */
    private static final double SKIPPED_S = 0.2;

    private static final double US_PER_S = 1e6;

    /** What is allowed, for a person. */
    public static final String TOLERANCE =
            "Allowed differences: in each half second, 15 percent of a port's rate and of the time,"
                    + " and for queues a quarter of the larger value or 50 kB; in the whole phase a"
                    + " quarter of the larger value, 100 frames or 50 kB.";

    /**
     * A phase of the lab.
     *
     * @param name empty where the lab has one
     * @param compared over time first, then those of the whole phase
     */
    public record Phase(String name, int flows, List<Compared> compared) {
        /** The first in time that differs, else the first of the whole phase; null: none. */
        @Nullable Compared first() {
            return compared.stream().filter(Compared::differs).findFirst().orElse(null);
        }
    }

    public LabTwin {
        phases = List.copyOf(phases);
        leftOut = List.copyOf(leftOut);
    }

    /**
     * Runs the twin of a lab.
     *
     * @param directory its report's
     * @throws ScenarioException if it has none, in a sentence
     */
    public static LabTwin of(Path directory) throws ScenarioException {
        RecordedLab.Lab lab = RecordedLab.read(directory);
        List<Phase> phases = new ArrayList<>();
        for (RecordedPhase phase : lab.phases()) {
            RecordedPhase twin = TwinRun.of(phase, lab.seed());
            phases.add(new Phase(phase.name(), phase.flows().size(), compare(phase, twin)));
        }
        return new LabTwin(lab.title(), phases, lab.leftOut());
    }

    static List<Compared> compare(RecordedPhase lab, RecordedPhase twin) {
        List<Compared> all = new ArrayList<>();
        for (Series one : lab.series()) {
            twin.series().stream()
                    .filter(other -> other.name().equals(one.name()))
                    .findFirst()
                    .ifPresent(other -> all.addAll(overTime(lab, one, other)));
        }
        all.sort(Comparator.comparingDouble(Compared::fromS));
        twin.counters()
                .forEach((port, counted) -> {
                    Map<String, Long> inLab = lab.counters().getOrDefault(port, Map.of());
                    Set<String> labels = new TreeSet<>(counted.keySet());
                    inLab.keySet().stream()
                            .filter(label -> label.startsWith(DropCounters.LABEL_PREFIX))
                            .forEach(labels::add);
                    labels.remove(EgressCounter.BYTES_TRANSMITTED.label());
                    for (String label : labels) {
                        double a = inLab.getOrDefault(label, 0L);
                        double b = counted.getOrDefault(label, 0L);
                        boolean isQueue = label.equals(EgressCounter.QUEUE_MAX_BYTES.label());
                        if (a != 0 || b != 0) {
                            all.add(
                                    new Compared(
                                            port,
                                            word(label),
                                            isQueue ? "byte" : "frames",
                                            Compared.WHOLE,
                                            Compared.WHOLE,
                                            a,
                                            b,
                                            allowed(a, b, isQueue ? QUEUE_BYTES : FRAMES)));
                        }
                    }
                });
        return all;
    }

    private static String word(String label) {
        if (label.equals(EgressCounter.QUEUE_MAX_BYTES.label())) {
            return "longest queue";
        }
        if (label.equals(EgressCounter.FRAMES_TRANSMITTED.label())) {
            return "sent";
        }
        return label.startsWith(DropCounters.LABEL_PREFIX)
                ? "lost, " + label.substring(DropCounters.LABEL_PREFIX.length())
                : "pauses sent, priority " + label.substring(label.length() - 1);
    }

    private static double allowed(double a, double b, double least) {
        return Math.max(least, SHARE * Math.max(a, b));
    }

    private static List<Compared> overTime(RecordedPhase lab, Series one, Series other) {
        int space = one.name().indexOf(' ');
        String kind = one.name().substring(0, space);
        String place = one.name().substring(space + 1);
        List<Compared> all = new ArrayList<>();
        for (double from = SKIPPED_S; from + WINDOW_S <= lab.seconds(); from += WINDOW_S) {
            double a = mean(one, from);
            double b = mean(other, from);
            if (!Double.isNaN(a) && !Double.isNaN(b)) {
                all.add(
                        switch (kind) {
                            case "sent" ->
                                    over(
                                            place,
                                            "sent",
                                            "bit/s",
                                            from,
                                            a,
                                            b,
                                            RATE_SHARE * rate(lab, place));
                            case "queue" ->
                                    over(
                                            place,
                                            "queue",
                                            "byte",
                                            from,
                                            a,
                                            b,
                                            allowed(a, b, QUEUE_BYTES));
                            default -> over(place, "stopped", "%", from, a, b, STOPPED_PERCENT);
                        });
            }
        }
        return all;
    }

    private static Compared over(
            String place,
            String what,
            String unit,
            double from,
            double a,
            double b,
            double allowed) {
        return new Compared(place, what, unit, from, from + WINDOW_S, a, b, allowed);
    }

    private static double rate(RecordedPhase lab, String place) {
        int slash = place.indexOf('/');
        int number = lab.network().switches().indexOf(place.substring(0, slash));
        return lab.configs().get(number).ports().stream()
                .filter(port -> port.name().equals(place.substring(slash + 1)))
                .mapToLong(port -> port.rateBps())
                .findFirst()
                .orElse(0);
    }

    /** NaN where nothing was looked at. */
    private static double mean(Series series, double fromS) {
        double sum = 0;
        int samples = 0;
        for (int i = 0; i < series.values().length; i++) {
            double s = series.timesUs()[i] / US_PER_S;
            if (s >= fromS && s < fromS + WINDOW_S) {
                sum += series.values()[i];
                samples++;
            }
        }
        return samples == 0 ? Double.NaN : sum / samples;
    }

    /** Whether no number is further from its twin than is allowed. */
    public boolean isAlike() {
        return phases.stream().allMatch(phase -> phase.first() == null);
    }

    /** For a person. */
    public String toText() {
        StringBuilder text = new StringBuilder("Twin of: ").append(title).append('\n');
        for (Phase phase : phases) {
            Table table = new Table("where", "what", ">lab", ">virtual time", ">allowed", "");
            long differ = phase.compared.stream().filter(Compared::differs).count();
            for (Compared one : phase.compared) {
                if (one.isOfWholePhase()) {
                    table.row(
                            one.place(),
                            one.what(),
                            one.shown(one.lab()),
                            one.shown(one.twin()),
                            "± " + one.shown(one.allowed()),
                            one.differs() ? "differs" : "");
                }
            }
            text.append('\n')
                    .append(phase.name.isEmpty() ? "" : phase.name + ": ")
                    .append(phase.flows)
                    .append(" flows, ")
                    .append(phase.compared.size())
                    .append(" numbers compared, ")
                    .append(differ)
                    .append(" differ\n")
                    .append(table);
            Compared first = phase.first();
            text.append(
                    first == null
                            ? "No difference.\n"
                            : "First difference: " + first.describe() + ".\n");
        }
        leftOut.forEach(one -> text.append("\nLeft out: ").append(one).append(".\n"));
        return text.append('\n').append(TOLERANCE).append('\n').toString();
    }
}
