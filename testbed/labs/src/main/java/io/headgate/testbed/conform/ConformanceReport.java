package io.headgate.testbed.conform;

import io.headgate.control.report.Environment;
import io.headgate.control.report.HtmlPage;
import io.headgate.control.report.Json;
import io.headgate.control.report.Picture;
import io.headgate.control.report.Table;
import io.headgate.testbed.conform.CaseResult.Verdict;
import io.headgate.testbed.figure.Column;
import io.headgate.testbed.figure.FigureFiles;
import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.DroppedFrames;
import io.headgate.testbed.scenario.Figure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Reports the results of cases: for people, for programs, and for servers that collect test
 * results.
 */
public final class ConformanceReport {
    private static final String FIGURES = "figures";

    private final String command;
    private final List<CaseResult> results;

    /**
     * @param command that made it, as typed
     */
    public ConformanceReport(String command, List<CaseResult> results) {
        this.command = command;
        this.results = List.copyOf(results);
    }

    private long count(Verdict verdict) {
        return results.stream().filter(one -> one.verdict() == verdict).count();
    }

    /** What all of them come to; skipped where none could be judged. */
    public Verdict verdict() {
        if (count(Verdict.FAIL) > 0) {
            return Verdict.FAIL;
        }
        return count(Verdict.PASS) > 0 ? Verdict.PASS : Verdict.SKIP;
    }

    /** The last line. */
    public String sentence() {
        return verdict() + ": " + why();
    }

    private String why() {
        String skipped = count(Verdict.SKIP) == 0 ? "" : "; " + count(Verdict.SKIP) + " skipped";
        long judged = results.size() - count(Verdict.SKIP);
        return switch (verdict()) {
            case PASS -> judged + (judged == 1 ? " case" : " cases") + skipped + ".";
            case FAIL -> count(Verdict.FAIL) + " of " + judged + " cases" + skipped + ".";
            case SKIP ->
                    (results.isEmpty()
                                    ? "no case can judge this file: see above"
                                    : "no case can be judged on this bed")
                            + skipped
                            + ".";
        };
    }

    /** Case, what must be seen, what was seen, verdict. */
    public Table table() {
        Table table = new Table("case", "must be seen", "seen", "verdict");
        for (CaseResult one : results) {
            table.row(
                    one.of().label() + " " + one.title(),
                    one.must(),
                    one.seen(),
                    one.shownVerdict());
        }
        return table;
    }

    public Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("command", command);
        map.put("verdict", verdict().name());
        map.put("environment", Environment.here());
        List<Object> cases = new ArrayList<>();
        for (CaseResult one : results) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("case", one.of().label());
            entry.put("name", one.of().name());
            entry.put("title", one.title());
            entry.put("source", one.source());
            entry.put("must", one.must());
            entry.put("seen", one.seen());
            entry.put("verdict", one.verdict().name());
            entry.put("tries", one.tries());
            entry.put("seconds", Math.round(one.seconds() * 1000) / 1000.0);
            entry.put("losses", one.losses().stream().map(ConformanceReport::losses).toList());
            entry.put("notJudged", one.unseen());
            entry.put("checks", one.checks().stream().map(ConformanceReport::check).toList());
            cases.add(entry);
        }
        map.put("cases", cases);
        return map;
    }

    private static Map<String, Object> losses(CaseResult.Losses losses) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("run", losses.run());
        map.put("dropped", losses.dropped().stream().map(ConformanceReport::dropped).toList());
        map.put("missing", losses.missing());
        map.put("waiting", losses.waiting());
        return map;
    }

    private static Map<String, Object> dropped(DroppedFrames dropped) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("at", dropped.at());
        map.put("reason", dropped.reason());
        map.put("frames", dropped.frames());
        map.put("seenUs", Double.isNaN(dropped.seenUs()) ? null : dropped.seenUs());
        return map;
    }

    private static Map<String, Object> check(Check check) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("what", check.what());
        map.put("unit", check.unit());
        map.put("relation", check.relation().name());
        map.put("measured", Double.isFinite(check.measured()) ? check.measured() : null);
        map.put("expected", Double.isFinite(check.expected()) ? check.expected() : null);
        map.put("tolerance", check.tolerance());
        map.put("source", check.source());
        map.put("passed", check.passed());
        return map;
    }

    /** As JUnit's XML has it, which servers of continuous integration read. */
    public String junit() {
        StringBuilder xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        double seconds = results.stream().mapToDouble(CaseResult::seconds).sum();
        xml.append(
                String.format(
                        Locale.ROOT,
                        "<testsuite name=\"headgate conform\" tests=\"%d\" failures=\"%d\""
                                + " errors=\"0\" skipped=\"%d\" time=\"%.3f\">%n",
                        results.size(),
                        count(Verdict.FAIL),
                        count(Verdict.SKIP),
                        seconds));
        for (CaseResult one : results) {
            xml.append(
                    String.format(
                            Locale.ROOT,
                            "  <testcase classname=\"conform\" name=\"%s\" time=\"%.3f\">",
                            escaped(one.of().label() + " " + one.title()),
                            one.seconds()));
            switch (one.verdict()) {
                case PASS -> xml.append("<system-out>").append(escaped(one.seen()));
                case FAIL ->
                        xml.append("<failure message=\"")
                                .append(escaped(one.seen()))
                                .append("\">")
                                .append(escaped("must be seen: " + one.must()));
                case SKIP ->
                        xml.append("<skipped message=\"").append(escaped(one.seen())).append("\">");
            }
            xml.append(
                    switch (one.verdict()) {
                        case PASS -> "</system-out>";
                        case FAIL -> "</failure>";
                        case SKIP -> "</skipped>";
                    });
            xml.append("</testcase>\n");
        }
        return xml.append("</testsuite>\n").toString();
    }

    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                default -> escaped.append(c < ' ' && c != '\n' && c != '\t' ? '?' : c);
            }
        }
        return escaped.toString();
    }

    /**
     * Writes {@code conform.json}, {@code junit.xml} and {@code report.html}.
     *
     * @param directory made if it is not there
     */
    public void write(Path directory) throws IOException {
        Files.createDirectories(directory);
        Files.writeString(
                directory.resolve("conform.json"),
                Json.INDENTED.writeValueAsString(toMap()) + "\n");
        Files.writeString(directory.resolve("junit.xml"), junit());
        Files.writeString(directory.resolve("report.html"), html(directory));
    }

    private String html(Path directory) throws IOException {
        Path figures = Files.createDirectories(directory.resolve(FIGURES));
        HtmlPage page = new HtmlPage("Conformance: " + command);
        page.verdict(verdict().name(), why());
        page.table(table());
        for (CaseResult one : results) {
            if (one.checks().isEmpty()) {
                continue;
            }
            page.heading(one.of().label() + " " + one.title());
            page.paragraph(one.must() + " (" + one.source() + ")");
            List<Picture> pictures = new ArrayList<>();
            for (Figure figure : one.figures()) {
                pictures.add(
                        FigureFiles.write(named(one, figure), Column.of(0), figures)
                                .picture(FIGURES + "/", ""));
            }
            page.pictures(pictures);
            Table checks = new Table("what", "verdict");
            one.checks()
                    .forEach(check ->
                            checks.row(check.sentence(), check.passed() ? "pass" : "FAIL"));
            page.table(checks);
            page.list("", one.lost());
        }
        page.heading("Machine").lines(Environment.here().toText());
        return page.finish();
    }

    /** Cases have figures of the same names; all are drawn alike, whatever their files ask for. */
    private static Figure named(CaseResult one, Figure figure) {
        return figure.withName(one.of().number() + "-" + figure.name())
                .withShade(Figure.Shade.NONE)
                .withPrint(Figure.Print.PLAIN);
    }
}
