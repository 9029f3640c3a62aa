package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.SwitchConfig;
import io.headgate.config.SwitchConfigReader;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.run.RunningSwitch;
import io.headgate.control.run.SwitchOptions;
import io.headgate.control.run.SwitchRunner;
import io.headgate.dataplane.device.linux.LinuxInterface;
import io.headgate.dataplane.engine.counter.CounterDirectory.Entry;
import io.headgate.dataplane.engine.counter.CounterDirectory.Scope;
import io.headgate.dataplane.engine.counter.IngressCounter;
import io.headgate.dataplane.frame.MacAddress;
import io.headgate.testbed.netns.BedPlan;
import io.headgate.testbed.netns.LabRecords;
import io.headgate.testbed.netns.NetnsBed;
import io.headgate.testbed.netns.Ping;
import io.headgate.testbed.netns.Programs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pauses that scapy makes, into a switch, and those that the switch makes, read by tshark. */
@Tag("netns")
class ScapyPausesTest {
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final long WAIT_NS = 20_000_000_000L;
    private static final long PROGRAM_MS = 60_000;

    /** Priorities 3 and 4 by DSCP 26 and 34. */
    private static final int TOS_3 = 26 << 2;

    private static final int TOS_4 = 34 << 2;

    /** Debian's own, where python3-scapy is, whatever else is on PATH. */
    private static final String PYTHON = "/usr/bin/python3";

    /** Sends datagrams of several types of service in turn: address, bytes, a second, seconds. */
    private static final String SENDER =
            """
            import socket, sys, time
            address, size, rate, seconds = sys.argv[1], *map(float, sys.argv[2:5])
            sockets = []
            for tos in sys.argv[5:]:
                s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                s.setsockopt(socket.IPPROTO_IP, socket.IP_TOS, int(tos))
                sockets.append(s)
            end = time.time() + seconds
            while time.time() < end:
                for s in sockets:
                    try:
                        s.sendto(b"x" * int(size), (address, 9))
                    except OSError:
                        pass
                time.sleep(1 / rate)
            """;

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
    private final String prefix =
            "hgp" + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet();
    private NetnsBed bed;
    private BedPlan plan;

    @BeforeEach
    void makeHosts() throws Exception {
        plan = new BedPlan(prefix, 2, 1500, false, BedPlan.Wiring.VETH);
        bed = NetnsBed.plan(plan, new LabRecords(directory.resolve("labs")), line -> {});
        bed.build();
        Files.writeString(directory.resolve("sender.py"), SENDER);
        Files.writeString(directory.resolve("pauser.py"), PAUSER);
    }

    @AfterEach
    void removeHosts() {
        bed.close();
    }

    private SwitchConfig config(String more) {
        return SwitchConfigReader.read(
                "name: "
                        + plan.switchNetns()
                        + "\ndefaults: {rate: 10Mbps, classify: {trust: dscp}, scheduler: dwrr,"
                        + " flow-control: pfc, lossless: [3, 4], link: {own-reaction: 50ms,"
                        + " peer-reaction: 50ms}"
                        + more
                        + "}\nports:\n"
                        + port(1)
                        + port(2),
                "test");
    }

    private String port(int number) {
        return "  - {name: p"
                + number
                + ", device: {afpacket: {interface: p"
                + number
                + ", netns: "
                + plan.switchNetns()
                + "}}}\n";
    }

    private RunningSwitch start(String more) throws Exception {
        RunningSwitch running =
                SwitchRunner.start(config(more), new SwitchOptions(false, false, null, line -> {}));
        assertThat(
                        await(() ->
                                running.counters().total(Scope.INGRESS, IngressCounter.DEVICE_UP)
                                        == 2))
                .isTrue();
        Ping.Outcome ping =
                Ping.parse(
                        1,
                        2,
                        3,
                        bed.programs()
                                .run(
                                        plan.hostNetns(1),
                                        PROGRAM_MS,
                                        Ping.command(plan.address(2), 3))
                                .output());
        assertThat(ping.reachable()).isTrue();
        return running;
    }

    private Programs.Running python(int host, String script, Object... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(PYTHON));
        command.add(directory.resolve(script).toString());
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        return bed.programs().start(plan.hostNetns(host), command);
    }

    private static long value(RunningSwitch running, Scope scope, String port, String label) {
        CounterSnapshot counters = running.counters();
        for (int i = 0; i < counters.entries().size(); i++) {
            Entry entry = counters.entries().get(i);
            if (entry.scope() == scope
                    && entry.owner().equals(port)
                    && entry.label().equals(label)) {
                return counters.value(i);
            }
        }
        throw new AssertionError("no counter " + label + " of " + port);
    }

    private static long started(RunningSwitch running, int priority) {
        return value(running, Scope.EGRESS, "p1", "frames.started.p" + priority);
    }

    private static boolean await(BooleanSupplier condition) {
        long endNs = System.nanoTime() + WAIT_NS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - endNs > 0) {
                return false;
            }
            LockSupport.parkNanos(2_000_000);
        }
        return true;
    }

    @Test
    void aPauseSilencesExactlyThePriorityItNamesUntilItIsOver() throws Exception {
        try (RunningSwitch running = start("")) {
            Programs.Running sender =
                    python(2, "sender.py", plan.address(1), 100, 200, 25, TOS_3, TOS_4);
            assertThat(await(() -> started(running, 3) > 20)).isTrue();
            // 65,535 quanta at 10 Mb/s are 3.4 s.
            Programs.Running pauser = python(1, "pauser.py", 65_535, 1, 0);
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
        try (RunningSwitch running = start(", buffers: {xoff: 20KB}")) {
            Programs.Running tshark =
                    bed.programs()
                            .start(
                                    plan.hostNetns(2),
                                    List.of(
                                            "tshark",
                                            "-n",
                                            "-l",
                                            "-i",
                                            "eth0",
                                            "-a",
                                            "duration:30",
                                            "-c",
                                            "5",
                                            "-f",
                                            "ether proto 0x8808",
                                            "-T",
                                            "fields",
                                            "-e",
                                            "frame.len",
                                            "-e",
                                            "eth.src",
                                            "-e",
                                            "eth.dst",
                                            "-e",
                                            "macc.opcode",
                                            "-e",
                                            "macc.cbfc.enbv",
                                            "-e",
                                            "macc.cbfc.pause_time.c3",
                                            "-e",
                                            "macc.cbfc.pause_time.c4"));
            // 20 Mb/s for a port of 10.
            Programs.Running sender =
                    python(2, "sender.py", plan.address(1), 1400, 1800, 20, TOS_3);
            String output = tshark.await(PROGRAM_MS).output();
            sender.await(0);
            long mac = LinuxInterface.read(plan.switchNetns(), "p2").mac();
            List<String[]> pauses =
                    output.lines()
                            .map(line -> line.split("\t", -1))
                            .filter(fields -> fields.length == 7)
                            .toList();
            assertThat(pauses).as(output).isNotEmpty();
            for (String[] pause : pauses) {
                assertThat(pause[0]).isEqualTo("60");
                assertThat(pause[1]).isEqualTo(MacAddress.format(mac));
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
        try (RunningSwitch running = start(watchdog)) {
            Programs.Running sender =
                    python(2, "sender.py", plan.address(1), 100, 200, 40, TOS_3, TOS_4);
            assertThat(await(() -> started(running, 3) > 20)).isTrue();
            // Pauses of 100 ms, one every 50 ms, for 5 s.
            Programs.Running pauser = python(1, "pauser.py", 1953, 100, 0.05);
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
