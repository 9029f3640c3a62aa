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
        String page = report.toHtml();
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
        page.pictures(
                List.of(
                        new Picture("a", large, "figures/a.svg", Picture.Kind.PLOT, "A."),
                        new Picture("b", large, "figures/b.svg", Picture.Kind.PLOT, "B.")));
        assertThat(page.finish())
                .hasSizeLessThan(1_000_000)
                .doesNotContain("figures/a.svg")
                .contains("src=\"figures/b.svg\"", "href=\"figures/b.csv\"");
    }

    @Test
    void networksStandSideBySideAndANoteBeforeItsTable() {
        RunReport part = new RunReport("part");
        Table table = new Table("a");
        table.row("1");
        part.add(new RunReport.Section("Result", 1, "what it says", table));
        part.add(new Picture("n1", "<svg/>", "n1.svg", Picture.Kind.NETWORK, "One."));
        part.add(new Picture("n2", "<svg/>", "n2.svg", Picture.Kind.NETWORK, "Two."));
        part.add(new Picture("plot", "<svg/>", "plot.svg", Picture.Kind.PLOT, "Plot."));
        RunReport report = new RunReport("whole");
        report.addAll(part, "with PFC");
        String page = report.toHtml();
        assertThat(page.split("<div class=\"row\">")).hasSize(2);
        assertThat(page)
                .containsSubsequence(
                        "<div class=\"row\">", "One.", "Two.", "</div>", "Plot.", "plot.pdf")
                .containsSubsequence("Result with PFC", "<p>what it says</p>", "<table>")
                .doesNotContain("n1.pdf");
        assertThat(report.toText()).contains("  what it says\n  a\n  1\n");
    }
}
