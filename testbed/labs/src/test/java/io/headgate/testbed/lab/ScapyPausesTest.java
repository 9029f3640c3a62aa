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
import java.util.Collections;
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
            Programs.Running sender = bed.sender(100, 200, 600, TOS_3, TOS_4);
            assertThat(await(() -> started(running, 3) > 20)).isTrue();
            // A machine that has no time for the senders while a pause lasts gets another one.
            int pauses = 1;
            while (!isSilencedBy(running, pauses)) {
                assertThat(pauses++).as("pauses").isLessThan(10);
            }
            long silent = started(running, 3);
            assertThat(await(() -> started(running, 3) > silent + 20)).isTrue();
            // At least as long as it said; how exactly is a matter of virtual time.
            assertThat(value(running, Scope.EGRESS, "p1", "stopped.max.ns.p3"))
                    .isGreaterThan(3_300_000_000L);
            assertThat(value(running, Scope.EGRESS, "p1", "stopped.p4")).isZero();
            assertThat(running.counters().drops())
                    .noneMatch(drop -> drop.reason().equals("LINK_LOCAL"));
            sender.await(0);
        }
    }

    /**
     * Pauses priority 3 once more, and looks whether frames of priority 4 go meanwhile and none of
     * priority 3; the sender sends both in turn.
     *
     * @param number of the pause, from 1
     */
    private boolean isSilencedBy(RunningSwitch running, int number) throws Exception {
        // 65,535 quanta at 10 Mb/s are 3.4 s.
        Programs.Running pauser = bed.python(1, "pauser.py", 65_535, 1, 0);
        assertThat(
                        await(() ->
                                value(running, Scope.INGRESS, "p1", "pfc.xoff.received.p3")
                                        == number))
                .isTrue();
        // What had started before is out within a few milliseconds.
        long at = started(running, 4);
        assertThat(await(() -> started(running, 4) > at + 10)).isTrue();
        long silent = started(running, 3);
        assertThat(await(() -> started(running, 4) > at + 60)).isTrue();
        boolean isSilent = started(running, 3) == silent;
        assertThat(pauser.await(PROGRAM_MS).output()).contains("sent");
        return isSilent;
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
            // Sixteen at a time are more than xoff, however seldom the sender has a core.
            Programs.Running sender =
                    bed.sender(1400, 100, 600, Collections.nCopies(16, TOS_3).toArray());
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
            Programs.Running sender = bed.sender(100, 200, 600, TOS_3, TOS_4);
            assertThat(await(() -> started(running, 3) > 20)).isTrue();
            // Pauses of 1 s, one every half second, for 3 s.
            Programs.Running pauser = bed.python(1, "pauser.py", 19_531, 6, 0.5);
            assertThat(await(() -> watchdog(running, "storms") >= 1)).isTrue();
            long other = started(running, 4);
            assertThat(
                            await(() ->
                                    running.counters().drops().stream()
                                            .anyMatch(drop -> drop.reason().equals("WATCHDOG"))))
                    .isTrue();
            assertThat(await(() -> started(running, 4) > other + 50)).isTrue();
            assertThat(pauser.await(PROGRAM_MS).output()).contains("sent");
            // A pauser that had no core for a second made more than one storm.
            assertThat(await(() -> watchdog(running, "restored") == watchdog(running, "storms")))
                    .isTrue();
            long restored = started(running, 3);
            assertThat(await(() -> started(running, 3) > restored + 50)).isTrue();
            sender.await(0);
        }
    }

    private static long watchdog(RunningSwitch running, String what) {
        return value(running, Scope.EGRESS, "p1", "watchdog." + what + ".p3");
    }
}
