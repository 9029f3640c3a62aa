package io.headgate.dataplane.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.BridgeConfig;
import io.headgate.config.ConfigDefaults;
import io.headgate.config.PortConfig;
import io.headgate.config.PortConfig.VlanConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.counter.CounterDirectory.Entry;
import io.headgate.dataplane.device.FaultyDevice;
import io.headgate.dataplane.device.MemoryWire;
import io.headgate.dataplane.runner.RealTimeSwitch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * A counter that exists is fed by a test: each scenario here names the counters that it must leave
 * at something other than zero, and together with the tests named in {@link #FED_ELSEWHERE} they
 * name every counter that a switch has, on either side of a port.
 */
@Tag("threads")
final class CountersAreFedTest {
    private static final long HOST = 0x0200_0000_0000L;
    private static final long BROADCAST = 0xFFFF_FFFF_FFFFL;
    private static final long PAUSE = 0x0180_C200_0001L;

    /** What needs a device, the kernel, or the switch's own address, and the tests that feed it. */
    private static final Map<String, String> FED_ELSEWHERE =
            Map.ofEntries(
                    Map.entry("INGRESS half.failures", "FailedHalfTest"),
                    Map.entry("EGRESS half.failures", "FailedHalfTest"),
                    Map.entry("INGRESS drop.HEADROOM_EXHAUSTED", "LosslessSwitchTest"),
                    Map.entry("INGRESS drop.WATCHDOG", "LosslessSwitchTest"),
                    Map.entry("INGRESS drop.LINK_CONTROL_MALFORMED", "LinkControlTest"),
                    Map.entry("INGRESS drop.LINK_CONTROL_MISADDRESSED", "LinkControlIsolationTest"),
                    Map.entry("INGRESS link.control.ignored", "LinkControlTest"),
                    Map.entry("INGRESS link.control.mismatches", "LinkControlTest"),
                    Map.entry("EGRESS drop.WATCHDOG", "LosslessSwitchTest"),
                    Map.entry("EGRESS drop.DEADLOCK", "LoopBreakerTest"),
                    Map.entry("EGRESS link.control.transmitted", "LosslessSwitchTest"),
                    Map.entry("INGRESS drop.TRUNCATED", "PcapFileDeviceTest"),
                    Map.entry("INGRESS drop.FAULT_INJECTED", "FaultInjectorTest"),
                    Map.entry("INGRESS faults.corrupted", "FaultsOnRealFramesTest"),
                    Map.entry("INGRESS faults.late", "FaultsOnRealFramesTest"),
                    Map.entry("INGRESS faults.repeated", "FaultsOnRealFramesTest"),
                    Map.entry("INGRESS whole.frames", "SegmentsThroughSwitchTest"),
                    Map.entry("INGRESS whole.segments", "SegmentsThroughSwitchTest"),
                    Map.entry("EGRESS whole.frames", "SegmentsThroughSwitchTest"),
                    Map.entry("EGRESS whole.segments", "SegmentsThroughSwitchTest"),
                    Map.entry("EGRESS drop.FAULT_INJECTED", "FaultInjectorTest"),
                    Map.entry("EGRESS faults.corrupted", "EgressHalfTest"),
                    Map.entry("EGRESS faults.late", "EgressHalfTest"),
                    Map.entry("EGRESS faults.repeated", "EgressHalfTest"),
                    Map.entry("INGRESS drop.MALFORMED_TELEMETRY", "SinkTest"),
                    Map.entry("INGRESS drop.KERNEL_RX_RING_FULL", "AfPacketDeviceTest"),
                    Map.entry("INGRESS drop.KERNEL_RX_FILL_EMPTY", "AfXdpDeviceTest"),
                    Map.entry("INGRESS drop.KERNEL_RX_INVALID", "KernelDropsTest"),
                    Map.entry("INGRESS drop.KERNEL_RX_INTERFACE", "KernelDropsTest"),
                    Map.entry("INGRESS kernel.unhandled", "KernelDropsTest"),
                    Map.entry("INGRESS drop.TAP_RING_FULL", "TapDeviceTest"),
                    Map.entry("INGRESS drop.TUNNEL_FOREIGN", "VxlanDeviceTest"),
                    Map.entry("EGRESS drop.KERNEL_TX", "AfXdpDeviceTest"),
                    Map.entry("EGRESS drop.PUSHED_OUT", "QueuesMechanismTest"),
                    Map.entry("EGRESS drop.LOCAL_UNHANDLED", "LocalPortTest"),
                    Map.entry("EGRESS drop.LOCAL_INBOX_FULL", "LocalPortTest"),
                    Map.entry("EGRESS drop.TTL_EXPIRED", "RoutedTest"),
                    Map.entry("EGRESS drop.NO_ROUTE", "RoutedTest"),
                    Map.entry("EGRESS drop.NEIGHBOUR_UNRESOLVED", "RoutedTest"),
                    Map.entry("INGRESS drop.EGRESS_OVERSIZE", "RoutedTest"),
                    Map.entry("INGRESS drop.PORT_DOWN", "RoutedTest"),
                    Map.entry("INGRESS drop.BAD_IP_HEADER", "RoutedTest"),
                    Map.entry("INGRESS drop.BAD_SOURCE_IP", "RoutedTest"),
                    Map.entry("INGRESS drop.TTL_EXPIRED", "RoutedTest"),
                    Map.entry("INGRESS drop.NO_ROUTE", "RoutedTest"),
                    Map.entry("INGRESS drop.NEIGHBOUR_UNRESOLVED", "RoutedTest"),
                    Map.entry("INGRESS drop.NOT_FOR_US", "RoutedTest"),
                    Map.entry("INGRESS drop.NOT_IP", "RoutedTest"),
                    Map.entry("INGRESS drop.SERVICE_TAGGED", "LldpListeningTest"),
                    Map.entry("INGRESS drop.SERVICE_OTHER_GROUP", "LldpListeningTest"),
                    Map.entry("SWITCH local.consumed", "LocalPortTest"),
                    Map.entry("SWITCH local.forwarded", "RoutedTest"),
                    Map.entry("SWITCH local.originated", "LocalPortTest"),
                    Map.entry("SWITCH local.refused", "LocalPortTest"),
                    Map.entry("SWITCH icmp.errors", "RoutedTest"),
                    Map.entry("SWITCH notices.sent", "NoticesTest"),
                    Map.entry("SWITCH notices.unsent", "NoticesTest"),
                    Map.entry("SWITCH notices.limited", "RoccNoticesTest"),
                    Map.entry("EGRESS notices.refused", "NoticesTest"),
                    Map.entry("SWITCH neighbour.entries", "RoutedTest"),
                    Map.entry("SWITCH neighbour.requests", "RoutedTest"),
                    Map.entry("SWITCH neighbour.learned", "RoutedTest"),
                    Map.entry("SWITCH neighbour.lost", "RoutedTest"),
                    Map.entry("SWITCH neighbour.refused", "ResolutionBudgetTest"));

    private record Scenario(String name, Supplier<CounterDirectory> run, Set<String> feeds) {}

    private static Scenario scenario(String name, Supplier<CounterDirectory> run, String... feeds) {
        return new Scenario(name, run, Set.of(feeds));
    }

    private static List<Scenario> scenarios() {
        return List.of(
                scenario(
                        "known and unknown destinations",
                        CountersAreFedTest::traffic,
                        "INGRESS frames.received",
                        "INGRESS bytes.received",
                        "INGRESS frames.forwarded",
                        "INGRESS frames.copied",
                        "INGRESS frames.flooded",
                        "INGRESS learn.requests",
                        "INGRESS slots.free",
                        "INGRESS device.up",
                        "INGRESS device.changes",
                        "EGRESS frames.transmitted",
                        "EGRESS bytes.transmitted",
                        "EGRESS frames.enqueued",
                        "SWITCH fdb.entries",
                        "SWITCH fdb.learned"),
                scenario(
                        "halves that a runner measures",
                        CountersAreFedTest::measuredCalls,
                        "INGRESS cycle.longest",
                        "INGRESS cycles.over.threshold",
                        "EGRESS cycle.longest",
                        "EGRESS cycles.over.threshold"),
                scenario(
                        "frames that wait for the line",
                        CountersAreFedTest::backlog,
                        "INGRESS occupancy.bytes",
                        "INGRESS occupancy.slots",
                        "INGRESS occupancy.max.bytes",
                        "EGRESS queue.frames",
                        "EGRESS queue.bytes",
                        "EGRESS queue.max.bytes",
                        "EGRESS ring.max.frames",
                        "EGRESS drop.QUEUE_FULL"),
                scenario(
                        "bad frames",
                        CountersAreFedTest::badFrames,
                        "INGRESS drop.RUNT",
                        "INGRESS drop.OVERSIZE",
                        "INGRESS drop.BAD_SOURCE_MAC",
                        "INGRESS drop.MALFORMED_TAG",
                        "INGRESS drop.LINK_LOCAL",
                        "INGRESS link.control.received",
                        "INGRESS drop.VLAN_NOT_ALLOWED",
                        "INGRESS drop.SAME_PORT"),
                scenario(
                        "nowhere to go",
                        CountersAreFedTest::nowhere,
                        "INGRESS drop.NO_DESTINATION",
                        "EGRESS drop.PORT_DOWN"),
                scenario(
                        "more floods than allowed",
                        CountersAreFedTest::floods,
                        "INGRESS drop.FLOOD_LIMIT"),
                scenario(
                        "an account at its cap",
                        () -> fill(TestSwitch.bridge(4)),
                        "INGRESS drop.ACCOUNT_AT_CAP"),
                scenario(
                        "no slot for a copy",
                        () -> fill(TestSwitch.bridge(ports(4, 100_000_000, 1 << 20), 1 << 30)),
                        "INGRESS drop.NO_SLOT"),
                scenario(
                        "an egress of a smaller MTU",
                        CountersAreFedTest::smallEgress,
                        "EGRESS drop.EGRESS_OVERSIZE"),
                scenario(
                        "a device that takes nothing more",
                        CountersAreFedTest::busyDevice,
                        "EGRESS device.busy"),
                scenario(
                        "a device that cannot send a frame so long",
                        CountersAreFedTest::narrowDevice,
                        "EGRESS drop.DEVICE_REFUSED"),
                scenario(
                        "a device closed while it holds frames",
                        CountersAreFedTest::holdingDevice,
                        "EGRESS drop.DEVICE_CLOSED"),
                scenario(
                        "more new addresses than the owner learns at once",
                        CountersAreFedTest::learnBurst,
                        "INGRESS learn.refused"),
                scenario(
                        "addresses that age, move and find no room",
                        CountersAreFedTest::table,
                        "SWITCH fdb.aged",
                        "SWITCH fdb.flushed",
                        "SWITCH fdb.moved",
                        "SWITCH fdb.moves.refused",
                        "SWITCH fdb.full"),
                scenario(
                        "a host that asks for the switch's address",
                        CountersAreFedTest::askedForAddress,
                        "SWITCH local.received",
                        "SWITCH local.answered"),
                scenario(
                        "workers that work, sleep and fail",
                        CountersAreFedTest::workers,
                        "WORKER cycles",
                        "WORKER cycles.empty",
                        "WORKER busy",
                        "WORKER idle",
                        "WORKER work",
                        "WORKER cycle.longest",
                        "WORKER cycles.over.threshold",
                        "WORKER stalled",
                        "WORKER sleeps",
                        "WORKER wakeup.lateness",
                        "WORKER wakeup.lateness.max",
                        "WORKER duty.failures",
                        "WORKER core"));
    }

    @TestFactory
    Stream<DynamicTest> everyScenarioFeedsWhatItNames() {
        return scenarios().stream()
                .map(scenario ->
                        DynamicTest.dynamicTest(
                                scenario.name,
                                () ->
                                        assertThat(fed(scenario.run.get()))
                                                .containsAll(scenario.feeds)));
    }

    @Test
    void everyCounterOfASwitchIsNamed() {
        Set<String> named = new HashSet<>(FED_ELSEWHERE.keySet());
        scenarios().forEach(scenario -> named.addAll(scenario.feeds));
        Set<String> exist = new TreeSet<>();
        for (Entry entry : new TestSwitch(TestSwitch.bridge(2)).engine.counters().entries()) {
            exist.add(key(entry));
        }
        assertThat(named).containsExactlyInAnyOrderElementsOf(exist);
    }

    @Test
    void whatIsFedElsewhereIsLookedAtThere() {
        List<String> missing = new ArrayList<>();
        for (Map.Entry<String, String> elsewhere : FED_ELSEWHERE.entrySet()) {
            String label = elsewhere.getKey().substring(elsewhere.getKey().indexOf(' ') + 1);
            String word = label.startsWith("drop.") ? label.substring(5) : label;
            if (!source(elsewhere.getValue()).contains(word)) {
                missing.add(elsewhere.toString());
            }
        }
        assertThat(missing).isEmpty();
    }

    private static String source(String testClass) {
        try (Stream<Path> files = Files.walk(Path.of("src/test/java"))) {
            Path file =
                    files.filter(path -> path.endsWith(testClass + ".java"))
                            .findFirst()
                            .orElseThrow(() -> new AssertionError("no test " + testClass));
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String key(Entry entry) {
        return entry.scope() + " " + entry.label();
    }

    private static Set<String> fed(CounterDirectory counters) {
        Set<String> fed = new TreeSet<>();
        for (Entry entry : counters.entries()) {
            if (counters.value(entry) != 0) {
                fed.add(key(entry));
            }
        }
        return fed;
    }

    private static CounterDirectory traffic() {
        TestSwitch s = learned(TestSwitch.bridge(4));
        s.hosts.get(0).inject(frame(HOST + 1, HOST, 60));
        s.run(10_000);
        return s.engine.counters();
    }

    private static CounterDirectory measuredCalls() {
        TestSwitch s = new TestSwitch(TestSwitch.bridge(2));
        s.engine.ingress(0).took(2_000_000, true);
        s.engine.egress(1).took(3_000_000, true);
        return s.engine.counters();
    }

    private static CounterDirectory backlog() {
        TestSwitch s = learned(TestSwitch.bridge(4));
        for (int i = 0; i < 100; i++) {
            s.hosts.get(0).inject(frame(HOST + 1, HOST, 1514));
        }
        s.settle();
        return s.engine.counters();
    }

    private static CounterDirectory badFrames() {
        TestSwitch s = learned(TestSwitch.bridge(4));
        byte[] otherVlan = frame(HOST + 1, HOST, 60);
        ByteBuffer.wrap(otherVlan).putShort(12, (short) 0x8100).putShort(14, (short) 5);
        byte[] noVlan = otherVlan.clone();
        ByteBuffer.wrap(noVlan).putShort(14, (short) 4095);
        byte[] pause = frame(PAUSE, HOST, 60);
        ByteBuffer.wrap(pause).putShort(12, (short) 0x8808).putShort(14, (short) 1);
        for (byte[] bad :
                List.of(
                        new byte[13],
                        frame(HOST + 1, HOST, 1600),
                        frame(HOST + 1, BROADCAST, 60),
                        frame(HOST, HOST + 7, 60),
                        otherVlan,
                        noVlan,
                        pause)) {
            s.hosts.get(0).inject(bad);
        }
        s.run(10_000);
        return s.engine.counters();
    }

    private static CounterDirectory nowhere() {
        TestSwitch s = learned(TestSwitch.bridge(2));
        s.wires.get(1).setUp(false);
        s.run(2_000_000);
        s.hosts.get(0).inject(frame(HOST + 1, HOST, 60));
        s.hosts.get(0).inject(frame(BROADCAST, HOST, 60));
        s.run(10_000);
        return s.engine.counters();
    }

    private static CounterDirectory floods() {
        TestSwitch s = new TestSwitch(TestSwitch.bridge(ports(2, 400_000, 256), 10));
        for (int i = 0; i < 100; i++) {
            s.hosts.get(0).inject(frame(BROADCAST, HOST, 60));
        }
        s.run(10_000);
        return s.engine.counters();
    }

    private static CounterDirectory fill(SwitchConfig config) {
        TestSwitch s = new TestSwitch(config);
        for (int i = 0; i < 500; i++) {
            s.hosts.get(0).inject(frame(BROADCAST, HOST, 60));
        }
        s.settle();
        return s.engine.counters();
    }

    private static CounterDirectory smallEgress() {
        List<PortConfig> ports = new ArrayList<>(ports(1, 400_000, 256));
        ports.add(port("small", 576, 400_000, 256));
        TestSwitch s = new TestSwitch(TestSwitch.bridge(ports, 1000));
        s.hosts.get(0).inject(frame(BROADCAST, HOST, 1514));
        s.run(10_000);
        return s.engine.counters();
    }

    private static CounterDirectory busyDevice() {
        TestSwitch s = learned(TestSwitch.bridge(2));
        for (int i = 0; i < 5000; i++) {
            s.hosts.get(0).inject(frame(HOST + 1, HOST, 60));
            s.run(1_000);
        }
        return s.engine.counters();
    }

    private static CounterDirectory narrowDevice() {
        TestSwitch s = learned(TestSwitch.bridge(2));
        s.reattach(1, new MemoryWire("narrow", 64, 100).device(0, s.engine.region()));
        s.hosts.get(0).inject(frame(HOST + 1, HOST, 101));
        s.run(10_000);
        return s.engine.counters();
    }

    private static CounterDirectory holdingDevice() {
        TestSwitch s = learned(TestSwitch.bridge(2));
        s.reattach(1, new FaultyDevice());
        s.hosts.get(0).inject(frame(HOST + 1, HOST, 60));
        s.run(10_000);
        s.engine.egress(1).detach(s.nowNs);
        s.engine.egress(1).reclaim();
        return s.engine.counters();
    }

    private static CounterDirectory learnBurst() {
        TestSwitch s = learned(TestSwitch.bridge(2));
        for (int i = 0; i < 1000; i++) {
            s.hosts.get(0).inject(frame(HOST, HOST + 0x100 + i, 60));
        }
        for (int i = 0; i < 100; i++) {
            s.engine.ingress(0).doWork(s.nowNs);
        }
        return s.engine.counters();
    }

    private static CounterDirectory table() {
        BridgeConfig bridge =
                ConfigDefaults.BRIDGE
                        .withAgeingNs(10_000_000)
                        .withFdbEntries(16)
                        .withFloodFramesPerSec(1_000_000)
                        .withMoveLimitPerSec(2)
                        .withStaticEntries(
                                List.of(new BridgeConfig.StaticEntry(HOST + 9, 1, "p1")));
        TestSwitch s = learned(TestSwitch.withBridge(TestSwitch.bridge(4), bridge));
        // Three moves, of which two are allowed, and one of a static entry.
        for (int port : new int[] {1, 2, 3}) {
            s.hosts.get(port).inject(frame(BROADCAST, HOST, 60));
            s.run(100_000);
        }
        s.hosts.get(0).inject(frame(BROADCAST, HOST + 9, 60));
        for (int i = 0; i < 20; i++) {
            s.hosts.get(0).inject(frame(BROADCAST, HOST + 0x100 + i, 60));
        }
        s.run(100_000);
        s.wires.get(3).setUp(false);
        // Long enough that all of the table is looked at.
        for (int i = 0; i < 1200; i++) {
            s.nowNs += 1_000_000;
            s.settle();
            if (i < 5) {
                s.hosts.get(0).inject(frame(BROADCAST, HOST + 50, 60));
            }
        }
        return s.engine.counters();
    }

    private static CounterDirectory askedForAddress() {
        TestSwitch s = learned(TestSwitch.withAddress(TestSwitch.bridge(2), "10.0.0.254/24"));
        byte[] ask = Packets.arp(1, HOST, "10.0.0.1", 0, "10.0.0.254");
        s.hosts.get(0).inject(Packets.ethernet(BROADCAST, HOST, Packets.ARP, ask));
        s.run(10_000);
        return s.engine.counters();
    }

    private static CounterDirectory workers() {
        SwitchConfig plain = TestSwitch.bridge(2);
        SwitchConfig config = plain.withWorkers(plain.workers().withStallThresholdNs(1));
        List<String> failed = new CopyOnWriteArrayList<>();
        try (RealTimeSwitch running =
                new RealTimeSwitch(
                        config,
                        lengthBytes -> Arena.ofAuto().allocate(lengthBytes, 128),
                        (duty, failure) -> failed.add(duty))) {
            running.start();
            MemoryWire wire = new MemoryWire("p0", 64, 2000);
            running.attach(0, wire.device(0, running.engine().region()));
            MemoryWire.FarEnd host = wire.farEnd(1);
            CounterDirectory counters = running.engine().counters();
            await(() -> {
                host.inject(frame(BROADCAST, HOST, 60));
                return fed(counters).contains("WORKER wakeup.lateness.max");
            });
            FaultyDevice device = new FaultyDevice();
            device.receiveFails = true;
            running.attach(1, device);
            await(() -> failed.contains("p1.ingress"));
            // A port whose half failed still gives its device up, and the switch closes.
            running.detach(1);
            assertThat(running.device(1)).isNull();
            await(() -> fed(counters).contains("WORKER duty.failures"));
            return counters;
        }
    }

    private static void await(BooleanSupplier condition) {
        long endNs = System.nanoTime() + 60_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - endNs).as("waited 60 s").isNegative();
            // The worker that is waited for may need this core.
            LockSupport.parkNanos(100_000);
        }
    }

    private static TestSwitch learned(SwitchConfig config) {
        TestSwitch s = new TestSwitch(config);
        for (int host = 0; host < config.ports().size(); host++) {
            s.hosts.get(host).inject(frame(BROADCAST, HOST + host, 60));
        }
        s.run(10_000);
        return s;
    }

    private static List<PortConfig> ports(int count, long capBytes, int capSlots) {
        List<PortConfig> ports = new ArrayList<>();
        for (int port = 0; port < count; port++) {
            ports.add(port("p" + port, 1500, capBytes, capSlots));
        }
        return ports;
    }

    private static PortConfig port(String name, int mtuBytes, long capBytes, int capSlots) {
        return TestSwitch.port(name, VlanConfig.DEFAULT)
                .withMtuBytes(mtuBytes)
                .withAccountCapBytes(capBytes)
                .withAccountCapSlots(capSlots);
    }

    private static byte[] frame(long destination, long source, int lengthBytes) {
        ByteBuffer frame = ByteBuffer.allocate(lengthBytes);
        frame.putShort((short) (destination >>> 32)).putInt((int) destination);
        frame.putShort((short) (source >>> 32)).putInt((int) source);
        frame.putShort((short) 0x88B6);
        return frame.array();
    }
}
