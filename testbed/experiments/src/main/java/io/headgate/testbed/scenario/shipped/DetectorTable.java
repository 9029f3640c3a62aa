package io.headgate.testbed.scenario.shipped;

import io.headgate.control.report.Table;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Figure.Axis;
import io.headgate.testbed.scenario.Figure.Line;
import io.headgate.testbed.scenario.Figure.Points;
import io.headgate.testbed.scenario.Figure.Style;
import io.headgate.testbed.scenario.Findings;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.bed.CongestionProbe.Score;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * The table of precision and recall of {@link Detectors}, for each network and over all of them.
 */
record DetectorTable(List<CellResult> results) {
    private static final String SOURCE = "Zhang et al., TCD (SIGCOMM 2021): marks only roots";

    private static final String BY_LITTLE = "missed with an excess below 5 %";

    /** The definition of a congested port. */
    enum Truth {
        NOT_STOPPED("congested: not stopped of late", true),
        STOPPED_TOO("congested: stopped or not", false);

        private final String words;
        private final boolean stops;

        Truth(String words, boolean stops) {
            this.words = words;
            this.stops = stops;
        }

        boolean stops() {
            return stops;
        }

        private String name(String what) {
            return what + " (" + words + ")";
        }

        List<Measure> measures(Score score) {
            return List.of(
                    new Measure(name("marked rightly"), "frames", score.rightly()),
                    new Measure(name("marked wrongly"), "frames", score.wrongly()),
                    new Measure(name("missed"), "frames", score.missed()),
                    new Measure(name(BY_LITTLE), "frames", score.missedByLittle()));
        }

        private Score score(CellResult result) {
            return new Score(
                    (long) result.measure(name("marked rightly")),
                    (long) result.measure(name("marked wrongly")),
                    (long) result.measure(name("missed")),
                    (long) result.measure(name(BY_LITTLE)));
        }
    }

    private static String detector(CellResult result) {
        return result.cell().values().text("detect");
    }

    Findings findings() {
        List<Check> checks = new ArrayList<>();
        List<Figure> figures = new ArrayList<>();
        List<Findings.Titled> tables = new ArrayList<>();
        for (Truth truth : Truth.values()) {
            Map<String, Score> sums = sums(truth);
            tables.add(
                    new Findings.Titled(
                            "All networks in which a port was stopped (" + truth.words + ")",
                            overAll(sums)));
            tables.add(
                    new Findings.Titled(
                            "Precision and recall in each network, in percent ("
                                    + truth.words
                                    + "); -: no frame was marked, or none had to be",
                            byNetwork(truth)));
            figures.add(figure(truth, sums));
            if (truth == Truth.NOT_STOPPED) {
                precision(checks, sums, "tcd-pfc", "red-pfc");
                precision(checks, sums, "tcd-pfc", "step-pfc");
                recall(checks, sums, "tcd-pfc", "red-pfc");
                precision(checks, sums, "tcd-credits", "red-credits");
                precision(checks, sums, "tcd-credits", "step-credits");
                recall(checks, sums, "tcd-credits", "red-credits");
                precision(checks, sums, "tcd-credits", "fecn-credits");
                recall(checks, sums, "sliding-credits", "fecn-credits");
            }
        }
        return new Findings(checks, figures, List.of(), tables);
    }

    /** By detector, over the networks in which a port was stopped. */
    private Map<String, Score> sums(Truth truth) {
        Map<String, Score> sums = new LinkedHashMap<>();
        for (CellResult result : results) {
            if (result.measure(Detectors.STOPPED) > 0) {
                sums.merge(detector(result), truth.score(result), Score::plus);
            }
        }
        return sums;
    }

    private static Table overAll(Map<String, Score> sums) {
        return Table.of(
                sums.entrySet(),
                Table.column("detector", Map.Entry::getKey),
                Table.column(">precision", one -> percent("%.1f %%", one.getValue().precision())),
                Table.column(">recall", one -> percent("%.2f %%", one.getValue().recall())),
                Table.column(">marked rightly", one -> one.getValue().rightly()),
                Table.column(">wrongly", one -> one.getValue().wrongly()),
                Table.column(">missed", one -> one.getValue().missed()),
                Table.column(">missed, excess below 5 %", one -> one.getValue().missedByLittle()));
    }

    private static String percent(String format, double share) {
        return Double.isNaN(share) ? "-" : String.format(Locale.ROOT, format, 100 * share);
    }

    private Table byNetwork(Truth truth) {
        List<String> detectors = results.stream().map(DetectorTable::detector).distinct().toList();
        List<String> headings = new ArrayList<>(List.of(">network", "stopped"));
        detectors.forEach(detector -> headings.add(">" + detector));
        Table table = new Table(headings.toArray(String[]::new));
        Map<Integer, Map<String, CellResult>> networks = new TreeMap<>();
        for (CellResult result : results) {
            networks.computeIfAbsent(result.cell().values().count("network"), _ -> new HashMap<>())
                    .put(detector(result), result);
        }
        networks.forEach((number, found) -> {
            boolean stopped =
                    found.values().stream().anyMatch(one -> one.measure(Detectors.STOPPED) > 0);
            List<String> row =
                    new ArrayList<>(List.of(String.valueOf(number), stopped ? "yes" : "no"));
            for (String detector : detectors) {
                CellResult result = found.get(detector);
                row.add(result == null ? "" : both(truth.score(result)));
            }
            table.row(row.toArray(String[]::new));
        });
        return table;
    }

    private static String both(Score score) {
        return percent("%.0f", score.precision()) + " / " + percent("%.0f", score.recall());
    }

    private static void precision(
            List<Check> checks, Map<String, Score> sums, String better, String other) {
        above(checks, sums, "precision", Score::precision, better, other);
    }

    private static void recall(
            List<Check> checks, Map<String, Score> sums, String better, String other) {
        above(checks, sums, "recall", Score::recall, better, other);
    }

    private static void above(
            List<Check> checks,
            Map<String, Score> sums,
            String what,
            ToDoubleFunction<Score> of,
            String better,
            String other) {
        Score most = sums.get(better);
        Score least = sums.get(other);
        if (most != null && least != null) {
            // Nothing is above InfiniBand's rule where that misses no frame, as in a short run.
            boolean isAll = of.applyAsDouble(least) == 1 && other.equals("fecn-credits");
            double limit = 100 * of.applyAsDouble(least);
            checks.add(
                    Check.atLeast(
                            what + " of " + better + (isAll ? " as " : " above ") + other,
                            "%",
                            100 * of.applyAsDouble(most),
                            isAll ? limit : Math.nextUp(limit),
                            SOURCE));
        }
    }

    /** Bars over all networks: a panel for each flow control, and in it the detectors. */
    private static Figure figure(Truth truth, Map<String, Score> sums) {
        List<String> detectors =
                sums.keySet().stream().map(name -> name.split("-", 2)[0]).distinct().toList();
        Map<String, Points[]> byFlowControl = new LinkedHashMap<>();
        sums.forEach((name, score) -> {
            String[] words = name.split("-", 2);
            int place = detectors.indexOf(words[0]);
            Points[] both =
                    byFlowControl.computeIfAbsent(
                            words[1], _ -> new Points[] {new Points(), new Points()});
            both[0].add(place, 100 * score.precision());
            both[1].add(place, 100 * score.recall());
        });
        List<Line> lines = new ArrayList<>();
        byFlowControl.forEach((by, both) -> {
            lines.add(both[0].line("precision", Style.BARS).withPanel(by));
            lines.add(both[1].line("recall", Style.BARS).withPanel(by));
        });
        return new Figure(
                "precision-" + truth.name().toLowerCase(Locale.ROOT).replace('_', '-'),
                "Precision and recall of marks, " + truth.words,
                Axis.words("detector", detectors),
                Axis.linear("of frames", "%"),
                lines,
                "Marking by queue length also marks victims of pauses; TCD does not mark them.",
                "all networks in which a port was stopped, together; each by itself is in the"
                        + " table");
    }
}
