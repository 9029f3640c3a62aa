package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.control.report.RunReport;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import io.headgate.testbed.lab.LabOptions.DeviceKind;
import io.headgate.testbed.lab.ReportPage.Shown;
import io.headgate.testbed.lab.column.LabColumn.Of;
import io.headgate.testbed.lab.own.OwnLabSpec;
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
                7,
                false);
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
            double lost = who.number(row, "in queues or behind");
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
                boolean isIt = why.text(row, "phase").equals(policy);
                boolean isRest = why.text(row, "reason").equals("unexplained");
                named += isIt && !isRest ? why.number(row, "frames") : 0;
            }
            double missing =
                    who.sum("sent", "phase", policy) - who.sum("received", "phase", policy);
            int rest = why.row("phase", policy);
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
                "Queues", "Losses", "Flow control", "UDP", "Switch " + page.switchName());
    }

    private OwnLab lab(boolean isWeighted, int seconds) {
        OwnLabSpec spec = ReadyLabs.policy(isWeighted, "20Mbps", seconds);
        LabRecords records = new LabRecords(directory.resolve("labs"));
        return new OwnLab(List.of(spec), 1, options(seconds), records, "test", nowhere);
    }

    /** What arrives of nine algorithms is what the port to the receiver sent. */
    @Test
    void worthIsCountedInWhatThePortSent() throws Exception {
        ReportPage page;
        try (OwnLab lab = lab(true, 1)) {
            page = ReportPage.of(lab.run());
        }
        Shown measures = page.table(Of.MEASURES);
        Shown udp = page.table("UDP");
        double arrived = 0;
        for (int row = 0; row < measures.rows(); row++) {
            String name = measures.text(row, "measure");
            assertThat(measures.text(row, "unit")).isEqualTo("per s");
            double worth = 0;
            for (int flow = 0; flow < udp.rows(); flow++) {
                if (name.equals("worth of " + udp.text(flow, "phase"))) {
                    String[] lost = udp.text(flow, "lost/total (datagrams)").split("/");
                    double came = Double.parseDouble(lost[1]) - Double.parseDouble(lost[0]);
                    worth += (udp.text(flow, "flow").startsWith("h3") ? 1 : 63) * came;
                    arrived += came;
                }
            }
            assertThat(measures.number(row, "value")).isCloseTo(worth, within(0.01 * worth));
        }
        assertThat(measures.rows()).isEqualTo(9);
        double sent = page.counter("EGRESS", "p4", "frames.transmitted");
        assertThat(arrived).isBetween(1.0, sent);
        assertThat(udp.text(0, "sent (Mb/s)")).isNotEmpty();
    }

    @Test
    void policiesSayWhoLosesAndSwapsLoseNothing() throws Exception {
        RunReport report;
        try (OwnLab lab = lab(false, 5)) {
            report = lab.run();
        }
        boolean isFair = Verdicts.isFair(report);
        if (isFair) {
            assertThat(report.problems()).as(report.toText()).isEmpty();
        }
        Shown who = ReportPage.of(report).table(Of.WHO_LOST);
        assertThat(who.rows()).isEqualTo(12);
        for (int row = 0; row < who.rows(); row++) {
            assertThat(who.number(row, "sent")).isPositive();
            assertThat(who.number(row, "lost in the host")).isLessThanOrEqualTo(0);
            assertThat(isFair ? who.number(row, "on the way") : 0).isZero();
        }
        columns(ReportPage.of(report), isFair);
        assertThat(report.toText())
                .contains("Who lost what, and where", "Why", "Queues", "pushed-out")
                .contains("50 orders were carried out in turn while frames flowed");
        assertThat(NetworkNamespace.names().stream().filter(name -> name.startsWith(prefix)))
                .isEmpty();
    }
}
