package io.headgate.config.read;

import io.headgate.config.BridgeConfig;
import io.headgate.config.ConfigDefaults;
import io.headgate.config.DeviceConfig;
import io.headgate.config.FlowControlConfig;
import io.headgate.config.InterfaceAddress;
import io.headgate.config.Mechanisms;
import io.headgate.config.MemoryConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.RoutedConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.TrafficConfig;
import io.headgate.config.WorkerConfig;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Valid configurations of every kind, from a seed. */
final class RandomConfigs {
    private static final int LEAST_MTU_BYTES = 576;

    private final Random random;

    RandomConfigs(long seed) {
        random = new Random(seed);
    }

    SwitchConfig next() {
        boolean routed = random.nextBoolean();
        int slotBytes = pick(2048, 4096, 16_384);
        int count = 1 + random.nextInt(8);
        int capSlots = 1 + random.nextInt(500);
        List<PortConfig> ports = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ports.add(port(i, routed, slotBytes, capSlots));
        }
        List<BridgeConfig.StaticEntry> entries = new ArrayList<>();
        List<RoutedConfig.Route> routes = new ArrayList<>();
        for (int i = 0; i < random.nextInt(4); i++) {
            PortConfig port = ports.get(random.nextInt(count));
            if (routed) {
                routes.add(route(i));
            } else {
                entries.add(entry(i, port));
            }
        }
        return new SwitchConfig(
                "s-" + random.nextInt(1000),
                routed ? SwitchConfig.Mode.ROUTED : SwitchConfig.Mode.BRIDGE,
                random.nextBoolean() ? null : new InterfaceAddress(ip(192, 0, 2, 1), 24),
                ports,
                routed ? ConfigDefaults.BRIDGE : bridge(entries),
                routed ? routed(routes) : ConfigDefaults.ROUTED,
                new MemoryConfig(
                        slotBytes,
                        8 * 1500 + 1024 + random.nextInt(100_000),
                        pick(MemoryConfig.SlotReuse.values()),
                        0,
                        MemoryConfig.Payload.STORED),
                workers(),
                Mechanisms.NONE,
                random.nextLong());
    }

    private BridgeConfig bridge(List<BridgeConfig.StaticEntry> entries) {
        return ConfigDefaults.BRIDGE
                .withAgeingNs(1_000_000_000L + (random.nextLong() >>> 15))
                .withFdbEntries(16 + random.nextInt(1_048_560))
                .withFloodFramesPerSec(1 + random.nextInt(100_000_000))
                .withMoveLimitPerSec(1 + random.nextInt(1_000_000))
                .withStaticEntries(entries);
    }

    private RoutedConfig routed(List<RoutedConfig.Route> routes) {
        return new RoutedConfig(
                routes,
                1_000_000_000L + (random.nextLong() >>> 18),
                16 + random.nextInt(65_000),
                neighbours(),
                paths());
    }

    private RoutedConfig.Paths paths() {
        RoutedConfig.Paths.Unit unit = pick(RoutedConfig.Paths.Unit.values());
        return unit == RoutedConfig.Paths.Unit.FLOWLET
                ? new RoutedConfig.Paths(
                        unit, 1 + (random.nextLong() >>> 31), 16 + random.nextInt(1_048_561))
                : RoutedConfig.Paths.FLOW.withUnit(unit);
    }

    private WorkerConfig workers() {
        WorkerConfig.Layout layout = pick(WorkerConfig.Layout.values());
        int count = layout == WorkerConfig.Layout.COUNT ? 1 + random.nextInt(128) : 0;
        int most =
                switch (layout) {
                    case SINGLE -> 1;
                    case COUNT -> count;
                    case AUTO, PER_HALF -> 3;
                };
        TreeSet<Integer> cores = new TreeSet<>();
        for (int i = 0; i < random.nextInt(Math.min(most, 3) + 1); i++) {
            cores.add(random.nextInt(4096));
        }
        return new WorkerConfig(
                layout,
                count,
                pick(WorkerConfig.Idle.values()),
                List.copyOf(cores),
                1000 + random.nextInt(1_000_000_000));
    }

    private PortConfig port(int index, boolean routed, int slotBytes, int capSlots) {
        List<InterfaceAddress> addresses = new ArrayList<>();
        if (routed) {
            addresses.add(new InterfaceAddress(ip(10, 0, index, 1), 24));
            if (random.nextBoolean()) {
                addresses.add(new InterfaceAddress(ip6(index), 64));
            }
        }
        long rateBps = 1_000_000L + (random.nextLong() >>> 26);
        FlowControlConfig.Mode mode = pick(FlowControlConfig.Mode.values());
        int leastMtuBytes = addresses.size() > 1 ? 1280 : LEAST_MTU_BYTES;
        int mostMtuBytes = slotBytes == 2048 ? 1703 : 3576;
        int mtuBytes = leastMtuBytes + random.nextInt(mostMtuBytes - leastMtuBytes);
        return new PortConfig(
                "p" + index,
                device(index, slotBytes),
                rateBps,
                mtuBytes,
                routed ? PortConfig.VlanConfig.DEFAULT : vlan(),
                10_000 + random.nextInt(900_000_000),
                10_000 + random.nextInt(900_000_000),
                capSlots,
                traffic(mode),
                flowControl(mode, rateBps),
                mechanisms(mode),
                addresses);
    }

    private Mechanisms mechanisms(FlowControlConfig.Mode mode) {
        if (mode != FlowControlConfig.Mode.PFC || random.nextBoolean()) {
            return marking();
        }
        TestMechanisms.Way way =
                new TestMechanisms.Way(
                        random.nextInt(5), 512 + random.nextInt(64), random.nextInt(16));
        return marking().with(new TestMechanisms.Bypass().use(way).enabled(random.nextBoolean()));
    }

    private Mechanisms marking() {
        if (random.nextBoolean()) {
            return Mechanisms.NONE;
        }
        int kmin = 1000 + random.nextInt(1_000_000);
        TestMechanisms.Red red =
                new TestMechanisms.Red(
                        kmin,
                        kmin + random.nextInt(1_000_000),
                        random.nextInt(1001) / 1000.0,
                        1000 + random.nextInt(999_000_000),
                        1 + random.nextInt(8));
        return Mechanisms.NONE.with(
                new TestMechanisms.RedMechanism().use(red).enabled(random.nextBoolean()));
    }

    private TrafficConfig traffic(FlowControlConfig.Mode mode) {
        TreeSet<Integer> lossless = new TreeSet<>();
        if (mode != FlowControlConfig.Mode.NONE) {
            lossless.add(random.nextInt(8));
            lossless.add(random.nextInt(8));
        }
        boolean strict = random.nextBoolean();
        boolean limited = random.nextBoolean();
        TrafficConfig.Trust trust = pick(TrafficConfig.Trust.values());
        return new TrafficConfig(
                new TrafficConfig.Classify(
                        trust,
                        random.nextInt(8),
                        numbers(8, 8),
                        trust != TrafficConfig.Trust.DSCP || random.nextInt(8) > 0
                                ? TrafficConfig.DEFAULT.classify().priorityOfDscp()
                                : numbers(64, 8)),
                List.copyOf(lossless),
                numbers(8, strict ? 1 : 101),
                numbers(8, 3).stream()
                        .map(limit -> limited && limit > 0 ? limit * 1_000_001L : 0L)
                        .toList());
    }

    private List<Integer> numbers(int count, int bound) {
        return random.ints(count, 0, bound).boxed().toList();
    }

    private FlowControlConfig flowControl(FlowControlConfig.Mode mode, long rateBps) {
        if (mode == FlowControlConfig.Mode.NONE) {
            return FlowControlConfig.NONE;
        }
        FlowControlConfig.Link link =
                new FlowControlConfig.Link(time(100), time(100_000_000), time(1000));
        FlowControlConfig.Watchdog watchdog =
                random.nextBoolean()
                        ? null
                        : new FlowControlConfig.Watchdog(
                                pick(FlowControlConfig.Watchdog.Action.values()),
                                100_000 + time(1_000_000),
                                100_000 + time(1_000_000),
                                1_000 + time(99_000));
        if (mode == FlowControlConfig.Mode.CREDITS) {
            FlowControlConfig.Credits credits =
                    new FlowControlConfig.Credits(
                            pick(FlowControlConfig.Credits.Update.values()),
                            2_000 + time(1_000_000),
                            time(2_000),
                            random.nextInt(8),
                            200_000 + random.nextInt(1_000_000),
                            200 + random.nextInt(1000));
            return new FlowControlConfig(mode, link, null, null, credits, watchdog);
        }
        int quanta = 1 + random.nextInt(65_535);
        long pauseNs = ConfigDefaults.pauseNs(quanta, rateBps);
        FlowControlConfig.Pause pause =
                new FlowControlConfig.Pause(quanta, 1 + time((int) Math.min(pauseNs, 1 << 30) - 1));
        return new FlowControlConfig(mode, link, buffers(), pause, null, watchdog);
    }

    private FlowControlConfig.Buffers buffers() {
        long xonBytes = random.nextInt(100_000);
        int xonSlots = random.nextInt(500);
        long headroomBytes = random.nextInt(100_000);
        int headroomSlots = random.nextInt(500);
        if (random.nextBoolean()) {
            long xoffBytes = xonBytes + 50_000;
            int reachedSlots = (int) (xoffBytes / LEAST_MTU_BYTES) + 1;
            return FlowControlConfig.Buffers.fixed(
                    xoffBytes,
                    Math.max(xonSlots + 2, reachedSlots) + random.nextInt(500),
                    xonBytes,
                    xonSlots,
                    headroomBytes,
                    headroomSlots);
        }
        int alpha = random.nextInt(11) - 7;
        return new FlowControlConfig.Buffers(
                0,
                0,
                xonBytes,
                xonSlots,
                headroomBytes,
                headroomSlots,
                alpha,
                random.nextInt(50_000),
                random.nextInt(100),
                (100_000L << Math.max(0, -alpha)) + random.nextInt(1_000_000),
                128 + random.nextInt(500));
    }

    private long time(int boundNs) {
        return boundNs <= 0 ? 0 : random.nextInt(boundNs);
    }

    private PortConfig.VlanConfig vlan() {
        if (random.nextBoolean()) {
            return new PortConfig.VlanConfig(
                    PortConfig.VlanConfig.Mode.ACCESS, 1 + random.nextInt(4094), List.of());
        }
        TreeSet<Integer> allowed = new TreeSet<>();
        for (int i = 0; i < random.nextInt(6); i++) {
            int first = 1 + random.nextInt(4000);
            for (int vlan = first; vlan < first + 1 + random.nextInt(20); vlan++) {
                allowed.add(vlan);
            }
        }
        Integer nativeVlan =
                random.nextBoolean() ? null : Integer.valueOf(1 + random.nextInt(4094));
        return new PortConfig.VlanConfig(
                PortConfig.VlanConfig.Mode.TRUNK, nativeVlan, List.copyOf(allowed));
    }

    private DeviceConfig device(int index, int slotBytes) {
        String name = pick("veth", "1", "true", "null", "0x", "-", "~", "#", "*a", "a'\"") + index;
        String netns = random.nextBoolean() ? null : pick("h1", "12", "null", "no", "1e3", "-");
        return switch (random.nextInt(slotBytes > 4096 ? 5 : 6)) {
            case 0 -> new DeviceConfig.AfPacket(name, netns, 64 << random.nextInt(10));
            case 1 -> new DeviceConfig.Tap(name, netns, random.nextBoolean());
            case 2 -> new DeviceConfig.PcapLive(name, netns);
            case 3 -> pcapFile(index);
            case 4 -> vxlan(index);
            default -> afXdp(name, netns);
        };
    }

    private DeviceConfig afXdp(String name, @Nullable String netns) {
        DeviceConfig.XdpMode mode = pick(DeviceConfig.XdpMode.values());
        return new DeviceConfig.AfXdp(
                name,
                netns,
                random.nextInt(1024),
                mode,
                mode == DeviceConfig.XdpMode.ZERO_COPY
                        ? DeviceConfig.XdpTransmit.COPY
                        : pick(DeviceConfig.XdpTransmit.values()),
                64 << random.nextInt(5));
    }

    private DeviceConfig pcapFile(int index) {
        boolean in = random.nextBoolean();
        @Nullable Path input = in ? Path.of(pick("in: .pcap", "1", "a b/ü.pcapng")) : null;
        @Nullable Path output =
                in && random.nextBoolean() ? null : Path.of("out" + index + "#'\".pcapng");
        return new DeviceConfig.PcapFile(
                input, output, pick(DeviceConfig.PcapFile.Timing.values()));
    }

    private DeviceConfig vxlan(int index) {
        boolean ipv6 = random.nextBoolean();
        InetAddress local = ipv6 ? ip6(random.nextInt()) : ip(192, 0, 2, 1);
        InetAddress remote = ipv6 ? ip6(random.nextInt()) : ip(198, 51, 100, 1 + random.nextInt(9));
        return new DeviceConfig.Vxlan(
                new InetSocketAddress(local, pick(4789, 1, 65_535)),
                new InetSocketAddress(remote, 4000 + index),
                1 + random.nextInt(16_777_215),
                random.nextBoolean() ? null : pick("h1", "12", "null", "-"));
    }

    private BridgeConfig.StaticEntry entry(int index, PortConfig port) {
        PortConfig.VlanConfig vlans = port.vlan();
        Integer nativeVlan = vlans.nativeVlan();
        int vlan =
                nativeVlan != null
                        ? nativeVlan
                        : vlans.allowed().isEmpty() ? 9 : vlans.allowed().get(0);
        long mac = 0x02_00_00_00_00_00L | (random.nextLong() & 0xffff_ff00L) | index;
        return new BridgeConfig.StaticEntry(mac, vlan, port.name());
    }

    private List<RoutedConfig.StaticNeighbour> neighbours() {
        List<RoutedConfig.StaticNeighbour> neighbours = new ArrayList<>();
        for (int i = 0; i < random.nextInt(4); i++) {
            long mac = 0x02_00_00_00_00_00L | (random.nextLong() & 0xffff_ff00L) | i;
            neighbours.add(new RoutedConfig.StaticNeighbour(ip(10, 0, 0, 2 + i), mac));
        }
        return neighbours;
    }

    private RoutedConfig.Route route(int index) {
        List<InetAddress> hops = new ArrayList<>();
        for (int i = 0; i < 1 + random.nextInt(4); i++) {
            hops.add(ip(10, 0, 0, 2 + i));
        }
        return new RoutedConfig.Route(new InterfaceAddress(ip(172, 16 + index, 0, 0), 16), hops);
    }

    private static InetAddress ip(int a, int b, int c, int d) {
        return address(new byte[] {(byte) a, (byte) b, (byte) c, (byte) d});
    }

    /** 2001:db8:… with zeros in changing places, so that every form of RFC 5952 comes up. */
    private InetAddress ip6(int network) {
        byte[] bytes = new byte[16];
        bytes[0] = 0x20;
        bytes[1] = 0x01;
        bytes[2] = 0x0d;
        bytes[3] = (byte) 0xb8;
        bytes[6] = (byte) (network >> 8);
        bytes[7] = (byte) network;
        for (int i = 8; i < 15; i += 2) {
            bytes[i] = (byte) (random.nextBoolean() ? 0 : random.nextInt());
        }
        bytes[15] = (byte) (1 + random.nextInt(200));
        return address(bytes);
    }

    private static InetAddress address(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    @SafeVarargs
    private <T> T pick(T... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
