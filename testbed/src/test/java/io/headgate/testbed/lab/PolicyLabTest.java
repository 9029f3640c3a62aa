package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Doubt;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import io.headgate.testbed.lab.LabOptions.DeviceKind;
import io.headgate.testbed.lab.ReportPage.Shown;
import io.headgate.testbed.lab.column.LabColumn.Of;
import io.headgate.testbed.lab.policy.WeightedTrials;
import io.headgate.testbed.netns.LabRecords;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** OpenQueue policies loaded into a running switch: who loses what, and that no swap loses any. */
@Tag("netns")
@Tag("long")
final class PolicyLabTest {
    @TempDir private Path directory;
    private final String prefix = "hgp" + ProcessHandle.current().pid() + "-";
    private final PrintStream nowhere =
            new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);

    private LabOptions options(int seconds) {
        Path path = directory.resolve("report");
        return new LabOptions(
                DeviceKind.AFPACKET,
                "auto",
                "backoff",
                "20Mbps",
                seconds,
                1500,
                false,
                false,
                path,
                path,
                prefix,
                7);
    }

    /** Compares the tables with one another, and with the ports' counters over all phases. */
    private static void columns(ReportPage page, boolean isFair) {
        Shown who = page.table(Of.WHO_LOST);
        Shown why = page.table(Of.WHY);
        double[] came = new double[3];
        double received = 0;
        for (int row = 0; row < who.rows(); row++) {
            int host = who.text(row, "host").charAt(1) - '1';
            double atPort =
                    who.number(row, "sent")
                            - who.number(row, "lost in the host")
                            - who.number(row, "on the way");
            double lost = who.number(row, "at p4 or behind");
            assertThat(who.number(row, "received")).isEqualTo(atPort - lost);
            assertThat(who.number(row, "of what came there (%)"))
                    .isCloseTo(100 * lost / atPort, within(0.06));
            came[host] += atPort;
            received += who.number(row, "received");
        }
        for (int host = 0; host < 3; host++) {
            assertThat(page.counter("INGRESS", "p" + (host + 1), "frames.forwarded"))
                    .isGreaterThanOrEqualTo(came[host]);
        }
        assertThat(page.counter("EGRESS", "p4", "frames.transmitted"))
                .isGreaterThanOrEqualTo(received);
        for (String policy : List.of("tail-drop", "lqd", "push-out")) {
            double named = 0;
            for (int row = 0; row < why.rows(); row++) {
                boolean isIt = why.text(row, "policy").equals(policy);
                boolean isRest = why.text(row, "reason").equals("unexplained");
                named += isIt && !isRest ? why.number(row, "frames") : 0;
            }
            double missing =
                    who.sum("sent", "policy", policy) - who.sum("received", "policy", policy);
            int rest = why.row("policy", policy);
            while (!why.text(rest, "reason").equals("unexplained")) {
                rest++;
            }
            assertThat(why.number(rest, "frames")).isEqualTo(missing - named);
        }
        double queued = 0;
        for (int row = 0; row < why.rows(); row++) {
            boolean isQueue = why.text(row, "where").equals("switch, port p4");
            queued += isQueue ? why.number(row, "frames") : 0;
        }
        assertThat(queued).isBetween(isFair ? 1.0 : 0.0, page.drops("p4", false, ""));
        page.everyColumnIsHeld(
                "Queues", "Losses while policies were swapped", "Switch " + page.switchName());
    }

    /** What arrives of nine algorithms is what the port to the receiver sent. */
    @Test
    void worthIsCountedInWhatThePortSent() throws Exception {
        ReportPage page;
        LabRecords records = new LabRecords(directory.resolve("labs"));
        try (PolicyLab lab = new PolicyLab(options(1), true, records, "test", nowhere)) {
            page = ReportPage.of(lab.run());
        }
        Shown weighted = page.table(Of.WEIGHTED);
        double arrived = 0;
        for (int row = 0; row < weighted.rows(); row++) {
            double valuable = weighted.number(row, "valuable (1/s)");
            double cheap = weighted.number(row, "cheap (1/s)");
            assertThat(weighted.number(row, "worth (1/s)")).isEqualTo(63 * valuable + cheap);
            assertThat(weighted.text(row, "algorithm")).isEqualTo(WeightedTrials.POLICIES.get(row));
            arrived += valuable + cheap;
        }
        double sent = page.counter("EGRESS", "p4", "frames.transmitted");
        assertThat(arrived).isBetween(1.0, sent);
        page.everyColumnIsHeld("UDP", "Switch " + page.switchName());
    }

    @Test
    void policiesSayWhoLosesAndSwapsLoseNothing() throws Exception {
        RunReport report;
        int swapped;
        List<PolicyLab.Outcome> outcomes;
        LabRecords records = new LabRecords(directory.resolve("labs"));
        try (PolicyLab lab = new PolicyLab(options(5), false, records, "test", nowhere)) {
            report = lab.run();
            swapped = lab.swapped();
            outcomes = lab.outcomes();
        }
        if (Verdicts.isFair(report)) {
            assertThat(report.problems()).as(report.toText()).isEmpty();
        }
        // How many depends on how often the machine lets the lab swap.
        assertThat(swapped).isPositive();
        boolean isFair = report.doubts().stream().noneMatch(Doubt::ofMachine);
        assertThat(outcomes).hasSize(3);
        for (PolicyLab.Outcome outcome : outcomes) {
            assertThat(outcome.passages())
                    .as(report.toText())
                    .hasSize(3)
                    .allSatisfy(passage -> {
                        assertThat(passage.sent()).isPositive();
                        assertThat(passage.lostInHost()).isLessThanOrEqualTo(0);
                        assertThat(isFair ? passage.lostOnTheWay() : 0).isZero();
                    });
        }
        columns(ReportPage.of(report), isFair);
        assertThat(report.toText())
                .contains("Who lost what, and where", "Why", "Queues", "pushed-out");
        assertThat(NetworkNamespace.names().stream().filter(name -> name.startsWith(prefix)))
                .isEmpty();
    }
}
