package io.headgate.control.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.report.RunReport.Check;
import io.headgate.control.report.RunReport.Doubt;
import io.headgate.control.report.RunReport.Section;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class RunReportTest {
    private static RunReport part(int number) {
        RunReport part = new RunReport("a part");
        part.add(new Section("Losses", number, "lost: " + number));
        part.file("capture", Path.of("capture" + number));
        part.problem("too much");
        part.check(new Check("frames lost", "frames", number, number, 0));
        return part;
    }

    @Test
    void partsThatFoundTheSameKindOfThingStandSideBySide() {
        RunReport report = new RunReport("headgate lab hol");
        report.addAll(part(1), "with PFC");
        report.addAll(part(2), "with credits");

        assertThat(report.toText())
                .contains("Losses with PFC\n  lost: 1", "Losses with credits\n  lost: 2")
                .contains("capture with PFC: capture1", "capture with credits: capture2");
        assertThat(report.toJson())
                .contains("\"Losses with PFC\" : 1", "\"Losses with credits\" : 2");
        assertThat(report.problems())
                .isEqualTo(List.of("with PFC: too much", "with credits: too much"));
        assertThat(report.toText())
                .contains("FAIL  with PFC: frames lost", "FAIL  with credits: frames lost");
    }

    private static RunReport lab(RunReport... runs) {
        RunReport lab = new RunReport("headgate lab deadlock");
        for (int i = 0; i < runs.length; i++) {
            lab.addAll(runs[i], "run " + (i + 1));
        }
        lab.withdrawDoubts();
        return lab;
    }

    private static RunReport run(String problem, String doubt) {
        RunReport run = new RunReport("a run");
        if (!problem.isEmpty()) {
            run.problem(problem);
        }
        if (!doubt.isEmpty()) {
            run.doubtWhateverFails(Doubt.ofMachine(doubt));
        }
        return run;
    }

    @Test
    void aDoubtThatLastsExcusesItsOwnPartAlone() {
        RunReport late = lab(run("a flow stood still", "held for 2 s"), run("", ""));
        assertThat(late.conclusion()).isEqualTo("INVALID: run 1: held for 2 s");
        assertThat(late.problems()).containsExactly("run 1: a flow stood still");
        RunReport failed =
                lab(run("a flow stood still", "held for 2 s"), run("a flow stood still", ""));
        assertThat(failed.conclusion()).isEqualTo("FAIL: run 2: a flow stood still");
        assertThat(failed.doubts()).isEmpty();
        assertThat(failed.toText())
                .contains(
                        """
                        Runs that show nothing
                          run 1: held for 2 s
                          not judged: run 1: a flow stood still
                        """);
        RunReport fair = lab(run("", "held for 2 s"), run("a flow stood still", ""));
        assertThat(fair.conclusion()).isEqualTo("FAIL: run 2: a flow stood still");
        assertThat(lab(run("a flow stood still", "")).verdict()).isEqualTo("FAIL");
        assertThat(lab(run("", ""), run("", "")).verdict()).isEqualTo("PASS");
    }

    @Test
    void textPageAndJsonHaveTheSameVerdictAndHeadlinesInTheSameOrder(@TempDir Path directory)
            throws IOException {
        RunReport report = new RunReport("headgate lab own.yaml");
        report.headline("lost, of 100 datagrams", "3");
        report.headline("longest outage of 2 probes", "120.0 ms (h1→h2)");
        report.problem("h1 & h2 do not reach each other");
        report.write(directory, "report");
        String text = Files.readString(directory.resolve("report.txt"));
        String html = Files.readString(directory.resolve("report.html"));
        JsonNode json =
                new JsonMapper().readTree(Files.readString(directory.resolve("report.json")));
        List<String> inJson = new ArrayList<>();
        json.get("headline")
                .properties()
                .forEach(one -> inJson.add(one.getKey() + ": " + one.getValue().asString()));
        List<String> onPage =
                Pattern.compile("<div><b>(.*?)</b>(.*?)</div>")
                        .matcher(html)
                        .results()
                        .map(found -> found.group(2) + ": " + found.group(1))
                        .toList();
        List<String> inText = text.lines().skip(1).limit(2).map(String::strip).toList();
        assertThat(inText)
                .containsExactly(
                        "lost, of 100 datagrams: 3", "longest outage of 2 probes: 120.0 ms (h1→h2)")
                .isEqualTo(inJson)
                .isEqualTo(onPage);
        String verdict = "FAIL: h1 & h2 do not reach each other";
        assertThat(text).contains(verdict);
        assertThat(html).contains(verdict.replace("&", "&amp;"));
        assertThat(json.get("verdict").asString()).isEqualTo("FAIL");
    }

    @Test
    void aLimitThatIsNotKeptFailsTheRunAndStandsFirst() {
        RunReport report = new RunReport("headgate bench engine");
        report.check(new Check("cold", "ns", 110, 55, 60));
        assertThat(report.conclusion()).isEqualTo("PASS: 1 of 1 limits are kept");

        report.check(new Check("PFC", "ns", 18.4, 9.2, 8));
        assertThat(report.passed()).isFalse();
        assertThat(report.conclusion()).isEqualTo("FAIL: 1 of 2 limits are kept");
        assertThat(report.toText())
                .contains(
                        """
                        Limits
                                what  measured  scaled  limit
                          FAIL  PFC    18.4 ns  9.2 ns   8 ns
                          pass  cold    110 ns   55 ns  60 ns
                        """);
        assertThat(report.toJson()).contains("\"scaled\" : 9.2", "\"passed\" : false");
        assertThat(report.toHtml())
                .contains("FAIL: 1 of 2 limits are kept", "<td>PFC</td><td>18.4 ns</td>");
    }

    @Test
    void whatIsAboveItsLimitByLittleIsShownWithTheDigitsThatTellThemApart() {
        RunReport report = new RunReport("headgate bench engine");
        report.check(new Check("PFC", "ns", 8.0004, 8.0004, 8));
        report.check(new Check("credits", "ns", 7.96, 7.96, 8));
        report.check(new Check("cold", "ns", 59.96, 59.96, 60.04));
        report.check(new Check("off", "ns", 8, 8, 8));

        assertThat(report.toText())
                .contains(
                        """
                        Limits
                                what      measured     limit
                          FAIL  PFC      8.0004 ns      8 ns
                          pass  credits    7.96 ns      8 ns
                          pass  cold      59.96 ns  60.04 ns
                          pass  off           8 ns      8 ns
                        """);
    }

    @Test
    void whatCouldNotBeMeasuredKeepsNoLimitAndNothingIsScaledWhereLimitsHoldAnywhere() {
        RunReport report = new RunReport("headgate bench allocation");
        report.check(new Check("memory", "bytes", 0, 0, 0));
        assertThat(report.toText()).doesNotContain("scaled");

        report.check(new Check("tap", "bytes", Double.NaN, Double.NaN, 0));
        assertThat(report.passed()).isFalse();
        assertThat(report.toText()).contains("not measured");
    }

    @Test
    void thePageLinksAFileElsewhereByItsWholePath(@TempDir Path directory) throws IOException {
        RunReport report = new RunReport("headgate lab incast");
        report.file("Capture", directory.resolve("elsewhere/frames.pcapng"));
        Path to = Files.createDirectory(directory.resolve("report"));
        report.file("Frames", to.resolve("recordings/1.csv"));
        report.write(to, "lab-report");
        assertThat(Files.readString(to.resolve("report.html")))
                .contains("href=\"" + directory.resolve("elsewhere/frames.pcapng") + '"')
                .contains("href=\"recordings/1.csv\"", "href=\"lab-report.json\"");
    }
}
