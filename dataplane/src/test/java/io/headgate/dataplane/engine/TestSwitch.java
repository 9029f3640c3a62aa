package io.headgate.dataplane.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.BridgeConfig;
import io.headgate.config.ConfigDefaults;
import io.headgate.config.DeviceConfig;
import io.headgate.config.InterfaceAddress;
import io.headgate.config.PortConfig;
import io.headgate.config.PortConfig.VlanConfig;
import io.headgate.config.RoutedConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.WorkerConfig;
import io.headgate.config.read.SwitchPatch;
import io.headgate.dataplane.assembly.SwitchEngine;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.counter.CounterDirectory.Entry;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.CounterLookup;
import io.headgate.dataplane.counter.DropCounters;
import io.headgate.dataplane.device.MemoryWire;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.device.linux.ReservedMemory;
import io.headgate.dataplane.local.LocalPortDevice;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.SlotPlace;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A switch on in-memory wires whose duties a test calls itself, at times that it chooses. */
public final class TestSwitch {
    public static final long RATE_BPS = 10_000_000_000L;

    private static final long HOUSEKEEPING_NS = 1_000_000;

    public final SwitchEngine engine;
    public final List<MemoryWire> wires = new ArrayList<>();
    public final List<MemoryWire.FarEnd> hosts = new ArrayList<>();
    private final Map<String, List<Entry>> byLabel = new HashMap<>();
    public long nowNs;

    /** How long duties were held up between the reading of the clock and their calls, in ns. */
    private long heldNs;

    public TestSwitch(SwitchConfig config) {
        this(config, WorkerPlan.single(config.ports().size()));
    }

    public TestSwitch(SwitchConfig config, WorkerPlan plan) {
        this(config, plan, 0);
    }

    /**
     * @param maxCatchUpNs lateness that pacers make up, for tests that let time pass in leaps
     */
    public TestSwitch(SwitchConfig config, WorkerPlan plan, long maxCatchUpNs) {
        this(config, plan, maxCatchUpNs, PortBehaviour::configured, 4096);
    }

    /**
     * @param choice replaces the configured behaviour of ports
     * @param wireFrames capacity of each wire; tests that make many switches use small ones
     */
    TestSwitch(
            SwitchConfig config,
            WorkerPlan plan,
            long maxCatchUpNs,
            PortBehaviour.Choice choice,
            int wireFrames) {
        PolledHost host =
                new PolledHost(HOUSEKEEPING_NS, maxCatchUpNs, calledNs -> calledNs + heldNs);
        engine = new SwitchEngine(config, plan, host, choice);
        for (int port = 0; port < config.ports().size(); port++) {
            // Few tests have more than some frames on a wire.
            wires.add(
                    new MemoryWire(
                            "p" + port, wireFrames, 9216, ReservedMemory.beyondWhatThereIs()));
            hosts.add(wires.get(port).farEnd(1));
            attach(port);
        }
    }

    private void attach(int port) {
        var device = wires.get(port).device(0, engine.region());
        engine.ingress(port).attach(device);
        engine.egress(port).attach(device);
    }

    /** Gives a port's halves another device. */
    public void reattach(int port, PortDevice device) {
        engine.ingress(port).detach();
        engine.egress(port).detach(nowNs);
        engine.ingress(port).attach(device);
        engine.egress(port).attach(device);
    }

    /** Makes both halves of a port again, after one has failed and while no frame is held. */
    void restart(int port) {
        IngressHalf in = engine.ingress(port);
        EgressHalf out = engine.egress(port);
        PortDevice device = Objects.requireNonNull(in.device());
        in.detach();
        out.detach(nowNs);
        Engine.Restart restart = engine.restart(port);
        restart.accept(in);
        restart.accept(out, nowNs);
        in.attach(device);
        out.attach(device);
    }

    /** Changes what is in force, as {@code headgate set} does. */
    public void set(String... assignments) {
        take(SwitchPatch.apply(engine.config(), List.of(assignments)).config());
    }

    /** Does as another configuration says, of which no more than the reader allows differs. */
    public void take(SwitchConfig next) {
        SwitchEngine.Change change = engine.prepare(engine.config(), next);
        for (int port : change.ports()) {
            change.ingress(port).accept(engine.ingress(port));
            change.egress(port, () -> nowNs).accept(engine.egress(port));
        }
        engine.inForce(next);
    }

    /** Calls all duties round after round at one instant until none has anything to do. */
    public void settle() {
        int rounds = 0;
        int work;
        do {
            work = 0;
            for (Duty duty : engine.duties()) {
                work += duty.doWork(nowNs);
            }
            if (++rounds > 1000) {
                throw new AssertionError("no rest at " + nowNs + " ns");
            }
        } while (work > 0);
    }

    /** As {@link #settle}, but for a thread that was held up once it had read its clock. */
    public void settleHeld(long holdNs) {
        heldNs = holdNs;
        settle();
        heldNs = 0;
        nowNs += holdNs;
    }

    /** Lets time pass, a microsecond at a time. */
    public void run(long durationNs) {
        long endNs = nowNs + durationNs;
        while (nowNs < endNs) {
            settle();
            nowNs += 1_000;
        }
        settle();
    }

    /** Slots of the whole region at each place. */
    public int[] slotsByPlace() {
        int[] count = new int[SlotPlace.COUNT];
        for (int slot = 0; slot < engine.region().slots(); slot++) {
            Frame frame = engine.region().frame(slot);
            count[SlotPlace.kind(frame.place)]++;
        }
        return count;
    }

    /** Frames that arrived at each host since the last call. */
    public int[] received() {
        int[] count = new int[hosts.size()];
        for (int host = 0; host < count.length; host++) {
            while (hosts.get(host).collect() != null) {
                count[host]++;
            }
        }
        return count;
    }

    /** Every slot is at home and free, every account empty, nothing held. */
    public void assertAtRest() {
        assertThat(slotsByPlace()[SlotPlace.FREE]).isEqualTo(engine.region().slots());
        for (int port = 0; port < engine.ports(); port++) {
            assertThat(engine.ingress(port).freeSlots())
                    .isEqualTo(engine.ingress(port).homeSlots());
            assertThat(engine.ingress(port).accounts().totalBytes()).isZero();
            assertThat(engine.ingress(port).accounts().totalSlots()).isZero();
            assertThat(engine.egress(port).heldFrames()).isZero();
        }
        LocalPortDevice local = engine.localDevice();
        if (local != null) {
            assertThat(local.usedBuffers()).isEqualTo(local.heldFrames());
        }
    }

    /** Every frame that came in or was made went out or was dropped for a named reason. */
    public void assertConserved(long injected, long collected, String seed) {
        long made =
                total("frames.copied")
                        + total("local.answered")
                        + total("local.forwarded")
                        + total("local.originated");
        long toSwitch = total("local.received");
        long atSwitch = 0;
        long dropped = totalDrops();
        for (DropReason reason : DropReason.values()) {
            boolean ofTheDevice =
                    switch (reason) {
                        case LOCAL_UNHANDLED,
                                LOCAL_INBOX_FULL,
                                TTL_EXPIRED,
                                NO_ROUTE,
                                NEIGHBOUR_UNRESOLVED,
                                EGRESS_OVERSIZE,
                                PORT_DOWN ->
                                true;
                        default -> false;
                    };
            atSwitch += ofTheDevice ? egressDrops("local", reason) : 0;
        }
        assertThat(injected + made + atSwitch).as(seed).isEqualTo(collected + dropped + toSwitch);
        LocalPortDevice local = engine.localDevice();
        long held = local == null ? 0 : local.heldFrames();
        assertThat(toSwitch)
                .as(seed)
                .isEqualTo(
                        total("local.answered")
                                + total("local.consumed")
                                + total("local.forwarded")
                                + atSwitch
                                + held);
    }

    /** Frames dropped by both halves of a port for a reason. */
    public long drops(String port, DropReason reason) {
        return value(port, "drop." + reason);
    }

    private long egressDrops(String port, DropReason reason) {
        String label = "drop." + reason;
        Entry entry = CounterLookup.find(labelled(label), Scope.EGRESS, port, label);
        return engine.counters().value(entry);
    }

    /** A counter's value, over all halves of one owner. */
    public long value(String owner, String label) {
        return CounterLookup.sum(
                labelled(label),
                engine.counters()::value,
                label + " of " + owner,
                entry -> entry.owner().equals(owner));
    }

    /** All counters with a label: descriptions do not change, and are looked for at every step. */
    private List<Entry> labelled(String label) {
        if (byLabel.isEmpty()) {
            for (Entry entry : engine.counters().entries()) {
                byLabel.computeIfAbsent(entry.label(), _ -> new ArrayList<>()).add(entry);
            }
        }
        return byLabel.getOrDefault(label, List.of());
    }

    /** A counter's value in a switch of another kind, over all halves of one owner. */
    public static long value(CounterDirectory counters, String owner, String label) {
        return CounterLookup.sum(
                counters.entries(),
                counters::value,
                label + " of " + owner,
                e -> e.owner().equals(owner) && e.label().equals(label));
    }

    /** Sum of a counter over everything that has it. */
    public long total(String label) {
        return CounterLookup.sum(
                labelled(label), engine.counters()::value, label + " of anything", _ -> true);
    }

    /** The same of another switch. */
    public static long total(CounterDirectory counters, String label) {
        return CounterLookup.sum(
                counters.entries(),
                counters::value,
                label + " of anything",
                entry -> entry.label().equals(label));
    }

    /** Frames dropped, for whatever reason. */
    public long totalDrops() {
        return CounterLookup.sum(
                engine.counters().entries(),
                engine.counters()::value,
                "of drops",
                entry -> entry.label().startsWith(DropCounters.LABEL_PREFIX));
    }

    /** The next frame that arrived at a host; fails without one. */
    public byte[] collect(int host) {
        byte[] frame = hosts.get(host).collect();
        assertThat(frame).as("a frame at host %d", host).isNotNull();
        return Objects.requireNonNull(frame);
    }

    /** An address with its prefix length, such as {@code 10.0.0.1/24}. */
    public static InterfaceAddress address(String text) {
        int slash = text.indexOf('/');
        return new InterfaceAddress(
                InetAddress.ofLiteral(text.substring(0, slash)),
                Integer.parseInt(text.substring(slash + 1)));
    }

    /** The same switch with an address of its own. */
    public static SwitchConfig withAddress(SwitchConfig config, String address) {
        return config.withAddress(address(address));
    }

    /** The same switch with another configuration of bridging. */
    public static SwitchConfig withBridge(SwitchConfig config, BridgeConfig bridge) {
        return config.withBridge(bridge);
    }

    /**
     * A router.
     *
     * @param addressesByPort one list a port
     */
    public static SwitchConfig routed(
            List<List<String>> addressesByPort, List<RoutedConfig.Route> routes, long seed) {
        List<PortConfig> ports = new ArrayList<>();
        for (int port = 0; port < addressesByPort.size(); port++) {
            ports.add(
                    port("p" + port, VlanConfig.DEFAULT)
                            .withAddresses(
                                    addressesByPort.get(port).stream()
                                            .map(TestSwitch::address)
                                            .toList()));
        }
        SwitchConfig bridge = bridge(ports, 1_000_000);
        return bridge.withMode(SwitchConfig.Mode.ROUTED)
                .withRouted(bridge.routed().withRoutes(routes))
                .withSeed(seed);
    }

    /** The same switch with another MTU at one port. */
    public static SwitchConfig withMtu(SwitchConfig config, int port, int mtuBytes) {
        List<PortConfig> ports = new ArrayList<>(config.ports());
        ports.set(port, ports.get(port).withMtuBytes(mtuBytes));
        return config.withPorts(ports);
    }

    /** A route over equal next hops. */
    public static RoutedConfig.Route route(String prefix, String... nextHops) {
        return new RoutedConfig.Route(
                address(prefix), Arrays.stream(nextHops).map(InetAddress::ofLiteral).toList());
    }

    public static SwitchConfig bridge(int ports) {
        List<PortConfig> list = new ArrayList<>();
        for (int port = 0; port < ports; port++) {
            list.add(port("p" + port, VlanConfig.DEFAULT));
        }
        return bridge(list, 1_000_000);
    }

    public static SwitchConfig bridge(List<PortConfig> ports, long floodFramesPerSec) {
        return ConfigDefaults.bridge("test", ports)
                .withBridge(
                        ConfigDefaults.BRIDGE
                                .withFdbEntries(4096)
                                .withFloodFramesPerSec(floodFramesPerSec))
                .withMemory(ConfigDefaults.MEMORY.withSlotsPerPort(512))
                .withWorkers(ConfigDefaults.WORKERS.withLayout(WorkerConfig.Layout.SINGLE));
    }

    public static PortConfig port(String name, VlanConfig vlan) {
        return ConfigDefaults.port(name, new DeviceConfig.Memory(name))
                .withRateBps(RATE_BPS)
                .withVlan(vlan)
                .withQueueLimitBytes(100_000)
                .withAccountCapBytes(400_000)
                .withAccountCapSlots(256);
    }
}
