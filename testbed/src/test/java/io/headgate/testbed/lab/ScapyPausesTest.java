package io.headgate.testbed.lab;

import static io.headgate.testbed.lab.ScapyNetwork.PROGRAM_MS;
import static io.headgate.testbed.lab.ScapyNetwork.TOS_3;
import static io.headgate.testbed.lab.ScapyNetwork.TOS_4;
import static io.headgate.testbed.lab.ScapyNetwork.await;
import static io.headgate.testbed.lab.ScapyNetwork.started;
import static io.headgate.testbed.lab.ScapyNetwork.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.run.RunningSwitch;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.testbed.netns.Programs;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pauses that scapy makes, into a switch, and those that the switch makes, read by tshark. */
@Tag("netns")
class ScapyPausesTest {
    private static final String PFC =
            "flow-control: pfc, link: {own-reaction: 50ms, peer-reaction: 50ms}";

    /** Sends PFC frames for priority 3: quanta, how many, seconds between them. */
    private static final String PAUSER =
            """
            import sys
            from scapy.all import Ether, sendp
            from scapy.contrib.mac_control import MACControlClassBasedFlowControl
            quanta, count, gap = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
            pfc = (Ether(dst="01:80:c2:00:00:01", src="02:00:00:00:00:01")
                   / MACControlClassBasedFlowControl(c3_enabled=1, c3_pause_time=quanta))
            frame = bytes(pfc).ljust(60, b"\\0")
            sendp(Ether(frame), iface="eth0", count=count, inter=gap, verbose=False)
            print("sent")
            """;

    @TempDir private Path directory;
    private ScapyNetwork bed;

    @BeforeEach
    void makeHosts() throws Exception {
        bed = new ScapyNetwork(directory);
        bed.script("pauser.py", PAUSER);
    }

    @AfterEach
    void removeHosts() {
        bed.close();
    }

    @Test
    void aPauseSilencesExactlyThePriorityItNamesUntilItIsOver() throws Exception {
        try (RunningSwitch running = bed.start(PFC)) {
            Programs.Running sender = bed.sender(100, 200, 25, TOS_3, TOS_4);
            assertThat(await(() -> started(running, 3) > 20)).isTrue();
            // 65,535 quanta at 10 Mb/s are 3.4 s.
            Programs.Running pauser = bed.python(1, "pauser.py", 65_535, 1, 0);
            assertThat(
                            await(() ->
                                    value(running, Scope.INGRESS, "p1", "pfc.xoff.received.p3")
                                            == 1))
                    .isTrue();
            // What had started before is out within a few milliseconds.
            long at = started(running, 4);
            assertThat(await(() -> started(running, 4) > at + 10)).isTrue();
            long silent = started(running, 3);
            assertThat(await(() -> started(running, 4) > at + 200)).isTrue();
            assertThat(started(running, 3)).isEqualTo(silent);
            assertThat(await(() -> started(running, 3) > silent + 20)).isTrue();
            assertThat(value(running, Scope.EGRESS, "p1", "stopped.max.ns.p3"))
                    .isBetween(3_300_000_000L, 5_000_000_000L);
            assertThat(value(running, Scope.EGRESS, "p1", "stopped.p4")).isZero();
            assertThat(running.counters().drops())
                    .noneMatch(drop -> drop.reason().equals("LINK_LOCAL"));
            assertThat(pauser.await(PROGRAM_MS).output()).contains("sent");
            sender.await(0);
        }
    }

    @Test
    void theSwitchsOwnPausesAreAsTheStandardHasThem() throws Exception {
        try (RunningSwitch running = bed.start(PFC + ", buffers: {xoff: 20kB}")) {
            List<String> fields =
                    List.of(
                            "frame.len",
                            "eth.src",
                            "eth.dst",
                            "macc.opcode",
                            "macc.cbfc.enbv",
                            "macc.cbfc.pause_time.c3",
                            "macc.cbfc.pause_time.c4");
            Programs.Running tshark = bed.tshark(2, 5, "ether proto 0x8808", List.of(), fields);
            // 20 Mb/s for a port of 10.
            Programs.Running sender = bed.sender(1400, 1800, 20, TOS_3);
            List<String[]> pauses = ScapyNetwork.frames(tshark, fields.size());
            sender.await(0);
            String mac = bed.mac("p2");
            for (String[] pause : pauses) {
                assertThat(pause[0]).isEqualTo("60");
                assertThat(pause[1]).isEqualTo(mac);
                assertThat(pause[2]).isEqualTo("01:80:c2:00:00:01");
                assertThat(pause[3]).isEqualTo("0x0101");
                assertThat(pause[4]).isEqualTo("0x0008");
                assertThat(pause[5]).isIn("65535", "0");
                assertThat(pause[6]).isIn("0", "");
            }
            assertThat(value(running, Scope.EGRESS, "p2", "pfc.xoff.sent.p3")).isPositive();
        }
    }

    @Test
    void thePfcWatchdogBreaksAPauseStormAndRestoresThePriorityAfterIt() throws Exception {
        String watchdog =
                ", watchdog: {action: drop, detection: 200ms, restoration: 200ms, poll: 50ms}";
        try (RunningSwitch running = bed.start(PFC + watchdog)) {
            Programs.Running sender = bed.sender(100, 200, 40, TOS_3, TOS_4);
            assertThat(await(() -> started(running, 3) > 20)).isTrue();
            // Pauses of 100 ms, one every 50 ms, for 5 s.
            Programs.Running pauser = bed.python(1, "pauser.py", 1953, 100, 0.05);
            assertThat(await(() -> value(running, Scope.EGRESS, "p1", "watchdog.storms.p3") == 1))
                    .isTrue();
            long other = started(running, 4);
            assertThat(
                            await(() ->
                                    running.counters().drops().stream()
                                            .anyMatch(drop -> drop.reason().equals("WATCHDOG"))))
                    .isTrue();
            assertThat(await(() -> started(running, 4) > other + 50)).isTrue();
            assertThat(pauser.await(PROGRAM_MS).output()).contains("sent");
            assertThat(await(() -> value(running, Scope.EGRESS, "p1", "watchdog.restored.p3") == 1))
                    .isTrue();
            long restored = started(running, 3);
            assertThat(await(() -> started(running, 3) > restored + 50)).isTrue();
            sender.await(0);
        }
    }
}
