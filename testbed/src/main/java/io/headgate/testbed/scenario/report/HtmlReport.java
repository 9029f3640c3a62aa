package io.headgate.testbed.scenario.report;

import io.headgate.control.report.Environment;
import io.headgate.testbed.figure.FigureFiles.Drawn;
import io.headgate.testbed.scenario.About;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Findings;
import io.headgate.testbed.scenario.Labels;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.Numbers;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.report.Result.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** One page with everything a reader wants to judge: nothing is loaded, figures are inside. */
final class HtmlReport {
    private static final int ROWS = 200;
    private static final int SIDE_BY_SIDE = 6;

    private static final String STYLE =
            """
            body{max-width:62em;margin:2em auto;padding:0 1em;font-family:sans-serif;color:#222}
            table{border-collapse:collapse;margin:1em 0;font-size:14px;display:block;overflow-x:auto}
            th,td{border:1px solid #ccc;padding:.3em .6em;text-align:left;vertical-align:top}
            th{background:#f4f4f4}td.n{text-align:right;font-variant-numeric:tabular-nums}
            .pass{color:#00704d}.fail{color:#b04000}.part{color:#775500}
            .verdict{font-size:1.3em;font-weight:bold}
            figure{margin:2em 0}figcaption{margin-top:.5em}dt{font-weight:bold}dd{margin:0 0 .5em 1em}
            figure svg{width:100%;height:auto;max-width:60em}pre{font-size:13px;overflow-x:auto;background:#f4f4f4;padding:.6em}
            """;

    private final Result result;
    private final StringBuilder html = new StringBuilder();

    private HtmlReport(Result result) {
        this.result = result;
    }

    /**
     * The page.
     *
     * @param drawings each figure, by name
     */
    static String of(Result result, Map<String, Drawn> drawings) {
        HtmlReport report = new HtmlReport(result);
        report.head();
        report.checks();
        report.figures(drawings);
        report.runs();
        report.parameters();
        report.parts();
        return report.html.append("</body></html>\n").toString();
    }

    private void head() {
        About about = result.scenario().about();
        html.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>");
        html.append(escaped("Headgate: " + about.name())).append("</title>\n<style>\n");
        html.append(STYLE).append("</style></head><body>\n");
        html.append("<h1>").append(escaped(about.title())).append("</h1>\n");
        String word = result.verdict().name();
        html.append("<p class=\"verdict ").append(word.toLowerCase(Locale.ROOT));
        html.append("\">").append(word).append("</p>\n<dl><dt>Source</dt><dd>");
        html.append(escaped(about.source())).append("</dd><dt>What it says</dt><dd>");
        html.append(escaped(about.claim())).append("</dd></dl>\n");
        list("fail", result.failures());
        Findings findings = result.findings();
        if (findings == null) {
            paragraph(
                    result.results().size()
                            + " of "
                            + result.sweep().cellsInAll()
                            + " runs are here; headgate reproduce merge concludes when all are.");
        } else {
            list("", findings.statements());
        }
    }

    private void list(String style, List<String> lines) {
        if (lines.isEmpty()) {
            return;
        }
        html.append("<ul class=\"").append(style).append("\">\n");
        lines.forEach(line -> html.append("<li>").append(escaped(line)).append("</li>\n"));
        html.append("</ul>\n");
    }

    private void paragraph(String text) {
        html.append("<p>").append(escaped(text)).append("</p>\n");
    }

    private void checks() {
        Findings findings = result.findings();
        if (findings == null || findings.checks().isEmpty()) {
            return;
        }
        html.append("<h2>Expected and measured</h2>\n");
        List<List<String>> rows = new ArrayList<>();
        for (Check check : findings.checks()) {
            String expected = Numbers.text(check.expected(), check.unit());
            String tolerance =
                    check.tolerance() == 0
                            ? "exact"
                            : "± " + Numbers.text(check.tolerance(), check.unit());
            rows.add(
                    List.of(
                            check.passed() ? "pass" : "FAIL",
                            check.what(),
                            Numbers.text(check.measured(), check.unit()),
                            switch (check.relation()) {
                                case NEAR -> expected;
                                case AT_MOST -> "at most " + expected;
                                case AT_LEAST -> "at least " + expected;
                            },
                            Numbers.difference(check.difference(), check.expected(), check.unit()),
                            check.relation() == Check.Relation.NEAR ? tolerance : "",
                            check.source()));
        }
        table(
                List.of("", "what", "measured", "expected", "difference", "tolerance", "source"),
                rows);
    }

    private void figures(Map<String, Drawn> drawings) {
        Findings findings = result.findings();
        if (findings == null) {
            return;
        }
        for (Figure figure : findings.figures()) {
            html.append("<figure id=\"").append(escaped(figure.name())).append("\">\n");
            Drawn drawn = drawings.get(figure.name());
            html.append(drawn == null ? "" : inline(drawn.svg()));
            html.append("<figcaption><dl><dt>The source says</dt><dd>");
            html.append(escaped(figure.paperSays())).append("</dd><dt>Measured</dt><dd>");
            html.append(escaped(figure.measured()));
            html.append(escaped(drawn == null ? "" : " " + String.join(" ", drawn.notes())));
            html.append("</dd></dl></figcaption></figure>\n");
        }
    }

    /** The drawing alone: XML declaration and document type have no place inside a page. */
    private static String inline(String svg) {
        int start = svg.indexOf("<svg");
        return start < 0 ? "" : svg.substring(start) + "\n";
    }

    private void runs() {
        html.append("<h2>Runs</h2>\n");
        Map<String, String> columns = new TreeMap<>();
        for (CellResult run : result.results()) {
            if (run.outcome() != null) {
                for (Measure measure : run.outcome().measures()) {
                    columns.putIfAbsent(measure.name(), measure.unit());
                }
            }
        }
        // The heading and the cells of each measured number, over the runs that are shown.
        List<List<String>> numbers = new ArrayList<>();
        List<CellResult> shown = result.results().stream().limit(ROWS).toList();
        numbers.add(row("run", shown, run -> Integer.toString(run.cell().index())));
        numbers.add(row("", shown, run -> label(result, run)));
        numbers.add(row("seed", shown, run -> Long.toString(run.cell().seed())));
        columns.forEach((name, unit) ->
                numbers.add(
                        row(
                                unit.isEmpty() ? name : name + " (" + unit + ")",
                                shown,
                                run -> Numbers.text(run.measure(name)))));
        numbers.add(row("wall time (s)", shown, run -> String.format("%.2f", run.wallSeconds())));
        numbers.add(
                row(
                        "digest",
                        shown,
                        run -> run.outcome() == null ? "failed" : run.outcome().digest()));
        // Few runs with many numbers stand side by side, or nobody could read them.
        List<List<String>> lines =
                shown.size() <= SIDE_BY_SIDE ? numbers : turned(numbers, shown.size() + 1);
        table(lines.getFirst(), lines.subList(1, lines.size()));
        if (result.results().size() > ROWS) {
            paragraph("The other " + (result.results().size() - ROWS) + " are in runs.csv.");
        }
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
        html.append("<h2>Parameters</h2>\n");
        List<List<String>> rows = new ArrayList<>();
        for (Parameter parameter : result.scenario().parameters()) {
            List<String> values =
                    result.results().stream()
                            .map(run -> run.cell().values().text(parameter.name()))
                            .distinct()
                            .toList();
            rows.add(
                    List.of(
                            parameter.name(),
                            String.join(", ", values),
                            parameter.defaultText(),
                            parameter.range(),
                            parameter.meaning()));
        }
        table(List.of("name", "here", "default", "allowed", "meaning"), rows);
        if (!result.results().isEmpty()) {
            paragraph("One run again:");
            html.append("<pre>")
                    .append(escaped(result.sweep().replay(result.results().getFirst().cell())))
                    .append("</pre>\n");
        }
        paragraph("The whole resolved configuration of every run is in result.json.");
    }

    private void parts() {
        html.append("<h2>Made by</h2>\n");
        List<List<String>> rows = new ArrayList<>();
        for (Part part : result.parts()) {
            Environment on = part.environment();
            rows.add(
                    List.of(
                            part.command(),
                            part.started(),
                            Numbers.text(part.wallSeconds(), "s"),
                            on.version()
                                    + ", commit "
                                    + on.commit()
                                    + (on.localChanges() ? " with local changes" : ""),
                            on.jvm(),
                            on.kernel() + ", " + on.cpu() + ", " + on.cores() + " cores"));
        }
        table(List.of("command", "started", "took", "Headgate", "JVM", "machine"), rows);
    }

    private void table(List<String> headings, List<List<String>> rows) {
        html.append("<table><tr>");
        headings.forEach(text -> html.append("<th>").append(escaped(text)).append("</th>"));
        html.append("</tr>\n");
        for (List<String> row : rows) {
            html.append("<tr>");
            for (String cell : row) {
                String style =
                        switch (cell) {
                            case "pass" -> " class=\"pass\"";
                            case "FAIL" -> " class=\"fail\"";
                            default -> cell.matches("-?[0-9][0-9.]*") ? " class=\"n\"" : "";
                        };
                html.append("<td").append(style).append('>').append(escaped(cell)).append("</td>");
            }
            html.append("</tr>\n");
        }
        html.append("</table>\n");
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    private static String label(Result result, CellResult run) {
        String label = Labels.of(result.results(), run);
        return label.isEmpty() ? "run" : label;
    }
}
