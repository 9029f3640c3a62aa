package io.headgate.testbed.scenario.report;

import io.headgate.control.report.Environment;
import io.headgate.control.report.HtmlPage;
import io.headgate.control.report.HtmlPage.Headline;
import io.headgate.control.report.Picture;
import io.headgate.control.report.Table;
import io.headgate.testbed.figure.FigureFiles.Drawn;
import io.headgate.testbed.scenario.About;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Findings;
import io.headgate.testbed.scenario.Labels;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.MeasureKind;
import io.headgate.testbed.scenario.Numbers;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.report.Result.Part;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Writes a result as one HTML page with everything that a reader needs to judge it. */
final class HtmlReport {
    private static final int ROWS = 200;
    private static final int CELLS = 10_000;
    private static final int STATEMENTS = 30;
    private static final int SIDE_BY_SIDE = 6;
    private static final int HEADLINES = 3;

    private final Result result;
    private final HtmlPage page;

    private HtmlReport(Result result) {
        this.result = result;
        List<Part> parts = result.parts();
        this.page =
                new HtmlPage(
                        parts.isEmpty()
                                ? "headgate reproduce " + result.scenario().about().name()
                                : parts.getFirst().command());
    }

    /** The page, with links to files that the run left elsewhere. */
    static String of(
            Result result, Map<String, Drawn> drawings, List<Picture> networks, List<String> left) {
        HtmlReport report = new HtmlReport(result);
        report.head();
        report.figures(drawings);
        report.page.pictures(networks);
        report.checks();
        report.statements();
        report.runs(left);
        report.parameters();
        report.parts();
        return report.page.finish();
    }

    private void head() {
        About about = result.scenario().about();
        Findings findings = result.findings();
        List<Check> checks = findings == null ? List.of() : findings.checks();
        String headline = result.headline();
        page.verdict(result.verdict().name(), headline.substring(headline.indexOf(": ") + 2));
        List<Headline> numbers = new ArrayList<>();
        CheckSummary.byMeasure(CheckSummary.of(checks)).stream()
                .limit(HEADLINES)
                .forEach(same -> numbers.add(CheckSummary.headline(same)));
        page.headlines(numbers);
        page.terms(
                List.of(
                        new Headline("What", about.title()),
                        new Headline("Source", about.source()),
                        new Headline("What it says", about.claim())));
        page.list("fail", result.failures().stream().limit(STATEMENTS).toList());
        page.list("warning", result.warnings());
        if (findings == null) {
            page.paragraph(
                    result.results().size()
                            + " of "
                            + result.sweep().cellsInAll()
                            + " runs are here; headgate reproduce merge evaluates them when all are"
                            + " here.");
        }
    }

    private void statements() {
        Findings findings = result.findings();
        if (findings == null || (findings.statements().isEmpty() && findings.tables().isEmpty())) {
            return;
        }
        page.heading("What happened");
        page.list("", findings.statements().stream().limit(STATEMENTS).toList());
        int more = findings.statements().size() - STATEMENTS;
        if (more > 0) {
            page.paragraph(more + " more are in result.json.");
        }
        for (Findings.Titled titled : findings.tables()) {
            page.paragraph(titled.title() + ":");
            page.table(titled.table());
        }
    }

    private void checks() {
        Findings findings = result.findings();
        if (findings == null || findings.checks().isEmpty()) {
            return;
        }
        page.heading("Expected and measured");
        List<CheckSummary> all = CheckSummary.of(findings.checks());
        page.table(
                Table.of(
                        all.stream().limit(ROWS).toList(),
                        Table.column("", one -> one.passed() ? "pass" : "FAIL"),
                        Table.column("what", CheckSummary::what),
                        Table.column("measured", CheckSummary::measured),
                        Table.column("expected", CheckSummary::expected),
                        Table.column("difference", HtmlReport::difference),
                        Table.column("source", one -> one.checks().getFirst().source())));
        if (all.size() > ROWS) {
            page.paragraph("The other " + (all.size() - ROWS) + " are in result.json.");
        }
    }

    private static String difference(CheckSummary one) {
        Check check = one.checks().getFirst();
        return one.checks().size() == 1
                ? Numbers.difference(check.difference(), check.expected(), check.unit())
                : one.failures() + " of " + one.checks().size() + " seeds off";
    }

    private void figures(Map<String, Drawn> drawings) {
        Findings findings = result.findings();
        if (findings == null) {
            return;
        }
        List<Picture> pictures = new ArrayList<>();
        for (Figure figure : findings.figures()) {
            Drawn drawn = drawings.get(figure.name());
            if (drawn != null) {
                pictures.add(drawn.picture(ResultFiles.FIGURES + "/", figure.paperSays()));
            }
        }
        page.pictures(pictures);
    }

    private void runs(List<String> left) {
        page.heading("Runs");
        Map<String, String> columns = result.units();
        int most = Math.min(ROWS, Math.max(SIDE_BY_SIDE, CELLS / Math.max(1, columns.size())));
        // The heading and the cells of each measured number, over the runs that are shown.
        List<List<String>> numbers = new ArrayList<>();
        List<CellResult> shown = result.results().stream().limit(most).toList();
        numbers.add(row("run", shown, run -> Integer.toString(run.cell().index())));
        numbers.add(row("", shown, this::label));
        numbers.add(row("seed", shown, run -> Long.toString(run.cell().seed())));
        columns.forEach((name, unit) ->
                numbers.add(
                        row(
                                unit.isEmpty() ? name : name + " (" + unit + ")",
                                shown,
                                run -> Numbers.shown(run.measure(name), ""))));
        numbers.add(row("wall time (s)", shown, run -> String.format("%.2f", run.wallSeconds())));
        numbers.add(
                row(
                        "digest",
                        shown,
                        run -> run.outcome() == null ? "failed" : run.outcome().digest()));
        // Few runs with many numbers are in columns next to each other, because rows would be too
        // long to read.
        List<List<String>> lines =
                shown.size() <= SIDE_BY_SIDE ? numbers : turned(numbers, shown.size() + 1);
        page.table(lines.getFirst(), lines.subList(1, lines.size()));
        if (result.results().size() > shown.size()) {
            page.paragraph(
                    "The other " + (result.results().size() - shown.size()) + " are in runs.csv.");
        }
        page.terms(meanings(shown));
        List<String> files = new ArrayList<>(ResultFiles.SINGLE);
        files.remove(ResultFiles.REPORT);
        files.add(ResultFiles.JSON);
        files.addAll(left);
        page.links(files);
    }

    /** What each number counts and over which time, once for each kind. */
    private static List<Headline> meanings(List<CellResult> runs) {
        Set<MeasureKind> kinds = EnumSet.noneOf(MeasureKind.class);
        for (CellResult run : runs) {
            for (Measure measure : run.measures()) {
                MeasureKind kind = MeasureKind.of(measure.name());
                if (kind != null) {
                    kinds.add(kind);
                }
            }
        }
        return kinds.stream().map(kind -> new Headline(kind.form(), kind.says())).toList();
    }

    private static List<String> row(
            String heading, List<CellResult> runs, Function<CellResult, String> cell) {
        List<String> row = new ArrayList<>(List.of(heading));
        runs.forEach(run -> row.add(cell.apply(run)));
        return row;
    }

    private static List<List<String>> turned(List<List<String>> rows, int width) {
        List<List<String>> turned = new ArrayList<>();
        for (int column = 0; column < width; column++) {
            int at = column;
            turned.add(rows.stream().map(row -> row.get(at)).toList());
        }
        return turned;
    }

    private void parameters() {
        page.heading("Parameters");
        page.table(
                Table.of(
                        result.scenario().parameters(),
                        Table.column("name", Parameter::name),
                        Table.column("here", this::values),
                        Table.column("default", Parameter::defaultText),
                        Table.column("allowed", Parameter::range),
                        Table.column("meaning", Parameter::meaning)));
        if (!result.results().isEmpty()) {
            page.paragraph("One run again:");
            page.lines(result.sweep().replay(result.results().getFirst().cell()));
        }
        page.paragraph("The whole resolved configuration of every run is in result.json.");
    }

    private String values(Parameter parameter) {
        return result.results().stream()
                .map(run -> run.cell().values().text(parameter.name()))
                .distinct()
                .collect(Collectors.joining(", "));
    }

    private void parts() {
        page.heading("Made by");
        page.table(
                Table.of(
                        result.parts().stream().limit(ROWS).toList(),
                        Table.column("command", Part::command),
                        Table.column("started", Part::started),
                        Table.column("took", part -> Numbers.shown(part.wallSeconds(), "s")),
                        Table.column(
                                "Headgate",
                                part -> part.environment().version() + ", commit " + part.commit()),
                        Table.column("JVM", part -> part.environment().jvm()),
                        Table.column("machine", HtmlReport::machine)));
    }

    private static String machine(Part part) {
        Environment on = part.environment();
        return on.kernel() + ", " + on.cpu() + ", " + on.cores() + " cores";
    }

    private String label(CellResult run) {
        String label = Labels.of(result.results(), run);
        return label.isEmpty() ? "run" : label;
    }
}
