package io.headgate.control.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HtmlPageTest {
    @Test
    void verdictAndTheNumbersThatMatterStandFirst() {
        RunReport report = new RunReport("headgate lab hol --rate 50Mbps");
        report.headline("victim, with PFC", "47 %");
        report.options(Map.of("rate", "50Mbps"));
        Table table = new Table("a", ">b");
        table.row("x < y", "12");
        report.add(new RunReport.Section("Result", List.of(1), table));
        report.problem("one & two");
        String page = report.finish(report.page());
        assertThat(page)
                .contains(
                        "<h1>headgate lab hol --rate 50Mbps</h1>",
                        "FAIL: one &amp; two",
                        "<b>47 %</b>",
                        "<td>x &lt; y</td><td class=\"n\">12</td>")
                .doesNotContain("src=", "<script", "<link");
        assertThat(page.indexOf("47 %")).isLessThan(page.indexOf("x &lt; y"));
        assertThat(report.toJson())
                .contains("\"verdict\" : \"FAIL\"", "\"rate\" : \"50Mbps\"", "\"47 %\"");
    }

    @Test
    void figuresThatWouldMakeThePageTooLargeAreLinked() {
        HtmlPage page = new HtmlPage("t");
        String large = "<svg width=\"504pt\">" + "x".repeat(400_000) + "</svg>";
        page.figure("a", large, "figures/a.svg", List.of());
        page.figure("b", large, "figures/b.svg", List.of());
        assertThat(page.finish())
                .hasSizeLessThan(1_000_000)
                .doesNotContain("figures/a.svg")
                .contains("src=\"figures/b.svg\"");
    }
}
