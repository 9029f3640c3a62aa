package io.headgate.testbed.conform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.control.cli.CommandFailure;
import io.headgate.control.report.Json;
import io.headgate.testbed.conform.CaseResult.Verdict;
import io.headgate.testbed.conform.cli.ConformCommand;
import io.headgate.testbed.scenario.BedKind;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import picocli.CommandLine;

/** What a run of cases leaves: for people, for programs, for what collects tests. */
class ConformCommandTest {
    @TempDir private Path directory;

    private static CaseResult run(String number, BedKind bed, String from, String to)
            throws Exception {
        ConformanceCase one = ConformanceCase.named(List.of(number)).getFirst();
        String text = one.text().replace(from, to);
        PrintStream nowhere = new PrintStream(PrintStream.nullOutputStream());
        return new ConformanceRun(bed, bed == BedKind.VIRTUAL ? "10Gbps" : "", 1, nowhere, false)
                .run(new ConformanceCase(one.number(), one.name(), text));
    }

    @Test
    void everyReportHasWhatPassedWhatFailedAndWhatWasSkipped() throws Exception {
        CaseResult passed = run("c05", BedKind.VIRTUAL, "", "");
        CaseResult failed = run("c09", BedKind.VIRTUAL, "scheduler: dwrr", "scheduler: strict");
        CaseResult skipped = run("c16", BedKind.NETNS, "", "");
        ConformanceReport report =
                new ConformanceReport("headgate conform", List.of(passed, failed, skipped));
        report.write(directory);

        assertThat(report.sentence()).isEqualTo("FAIL: 1 of 2 cases; 1 skipped.");
        String json = Files.readString(directory.resolve("conform.json"));
        assertThat(Json.COMPACT.readTree(json).at("/cases/1/verdict").asString()).isEqualTo("FAIL");
        Element suite =
                DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(directory.resolve("junit.xml").toFile())
                        .getDocumentElement();
        assertThat(suite.getAttribute("tests")).isEqualTo("3");
        assertThat(suite.getAttribute("failures")).isEqualTo("1");
        assertThat(suite.getElementsByTagName("skipped").getLength()).isEqualTo(1);
        assertThat(
                        ((Element) suite.getElementsByTagName("failure").item(0))
                                .getAttribute("message"))
                .contains("pfc.xoff.sent.p3", "at least 1");
        assertThat(Files.readString(directory.resolve("report.html")))
                .contains("C05 A pause lasts", "figures/c05-out.csv", "<svg");
    }

    @Test
    void whereNothingCanBeJudgedNothingFails() throws Exception {
        CaseResult skipped = run("c16", BedKind.NETNS, "", "");
        ConformanceReport report = new ConformanceReport("headgate conform", List.of(skipped));
        assertThat(report.verdict()).isEqualTo(Verdict.SKIP);
        assertThat(report.sentence())
                .isEqualTo("SKIP: no case can be judged on this bed; 1 skipped.");
        assertThat(report.toMap()).containsEntry("verdict", "SKIP");
    }

    /** A mistyped interface says nothing of a switch. */
    @Test
    void anInterfaceThatIsNotThereIsASentenceAndNoCaseThatFails() {
        ConformCommand command = new ConformCommand();
        new CommandLine(command).parseArgs("C05", "--device-under-test", "afpacket:lo,none-such");
        assertThatThrownBy(command::call)
                .isInstanceOf(CommandFailure.class)
                .hasMessage(
                        "--device-under-test: there is no interface 'none-such'; 'ip link' lists"
                                + " the interfaces.");
    }
}
