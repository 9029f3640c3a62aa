package io.headgate.dataplane.runner;

import io.headgate.config.BridgeConfig;
import io.headgate.config.ConfigDefaults;
import io.headgate.config.DeviceConfig;
import io.headgate.config.InterfaceAddress;
import io.headgate.config.Mechanisms;
import io.headgate.config.MemoryConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.RoutedConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.assembly.SwitchEngine;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.device.MemoryWire;
import io.headgate.dataplane.device.linux.SystemCalls;
import io.headgate.dataplane.engine.Duty;
import io.headgate.dataplane.engine.PolledHost;
import io.headgate.dataplane.engine.WorkerPlan;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Runs a switch warm before the real one meets its first frame: a separate engine of the same kind
 * on in-memory wires, driven by the calling thread, so that the JVM has compiled the path of a
 * frame. It also includes rare cases: busy lines, hosts that do not receive, and addresses that are
 * refreshed, forgotten or unknown. A branch that was never taken is not compiled: if it is taken
 * minutes later, the frame's path runs in the interpreter for a moment, which costs time and
 * objects.
 */
public final class EngineWarmUp {
    /**
     * Twice the calls that the optimising compiler waits for, and some more so that it can finish.
     * For the quick compiler the warm-up waits.
     */
    private static final int CALLS = Compilation.rounds(20_000);

    private static final int FRAMES = Compilation.rounds(400_000);
    private static final long LIMIT_NS = 2_000_000_000L;
    private static final int PORTS = 4;
    private static final int SLOTS = 512;
    private static final int BURST = 32;
    private static final long RATE_BPS = 10_000_000_000L;

    /**
     * Ageing time: an address that sends is refreshed after an eighth of it; one that does not send
     * is forgotten.
     */
    private static final long AGEING_NS = 100_000_000;

    /** Time between bursts on the wires, in ns: long enough for a whole burst to leave. */
    private static final long STEP_NS = 400_000;

    /** Shorter time that is sometimes used, so that the line is still busy at the next burst. */
    private static final long SHORT_STEP_NS = 5_000;

    private static final int SHORT_STEP_EVERY = 4;

    /**
     * Period, in rounds, at which a host receives no frames for a while, until its wire is full.
     */
    private static final int DEAF_EVERY = 16;

    private static final int DEAF_FOR = 4;

    /**
     * Frames sent so far into the engine of each mode: the compiled code serves the next switch,
     * too.
     */
    private static final Map<SwitchConfig.Mode, Long> SENT = new EnumMap<>(SwitchConfig.Mode.class);

    private static final Object SYSTEM_CALLS = new Object();

    private final SwitchEngine engine;
    private final List<Duty> duties;
    private final List<MemoryWire.FarEnd> hosts = new ArrayList<>();
    private final byte[][][] frames;
    private long nowNs;

    private EngineWarmUp(SwitchConfig config) {
        SwitchConfig small = shrink(config);
        int ports = small.ports().size();
        WorkerPlan plan = WorkerPlan.of(small, 2 * ports);
        engine =
                new SwitchEngine(
                        small,
                        plan,
                        new PolledHost(
                                RealTimeEngine.HOUSEKEEPING_INTERVAL_NS,
                                RealTimeEngine.MAX_CATCH_UP_NS));
        duties = engine.duties();
        frames = new byte[ports][][];
        for (int port = 0; port < ports; port++) {
            MemoryWire wire = new MemoryWire("warm-up", 2 * BURST, engine.region().maxFrameBytes());
            var device = wire.device(0, engine.region());
            engine.ingress(port).attach(device);
            engine.egress(port).attach(device);
            hosts.add(wire.farEnd(1));
            frames[port] = WarmUpFrames.from(small, port);
        }
    }

    /**
     * Runs a warm-up for a switch: about a second, at most four seconds and a burst. If this
     * process has already done so for the same mode, it does only the part that was left for lack
     * of time.
     *
     * @return a line for a person; empty if no work was left
     */
    public static synchronized String run(SwitchConfig config) {
        long startNs = System.nanoTime();
        systemCalls();
        long before = SENT.getOrDefault(config.mode(), 0L);
        if (before >= FRAMES) {
            return "";
        }
        long sent = new EngineWarmUp(config).pump((int) (FRAMES - before), System.nanoTime());
        SENT.put(config.mode(), before + sent);
        Compilation.await();
        return String.format(
                "engine warmed up: %,d frames in memory, %.1f s",
                sent, (System.nanoTime() - startNs) / 1e9);
    }

    /** Warms up {@link SystemCalls}, unless that has been done. */
    public static void systemCalls() {
        // The second caller waits for what the first has compiled.
        synchronized (SYSTEM_CALLS) {
            if (SystemCalls.warmUp(CALLS)) {
                Compilation.await();
            }
        }
    }

    /** For tests: the counters of an engine after {@code frames} frames, without a time limit. */
    static CounterDirectory countersAfter(SwitchConfig config, int frames) {
        EngineWarmUp warmUp = new EngineWarmUp(config);
        warmUp.pump(frames, System.nanoTime() + 60_000_000_000L);
        return warmUp.engine.counters();
    }

    private long pump(int wanted, long startNs) {
        long sent = 0;
        for (int round = 0; sent < wanted && System.nanoTime() - startNs < LIMIT_NS; round++) {
            for (int i = 0; i < BURST; i++) {
                for (int port = 0; port < frames.length; port++) {
                    byte[][] own = frames[port];
                    if (hosts.get(port).inject(own[(round + i) % own.length])) {
                        sent++;
                    }
                }
            }
            nowNs += round % SHORT_STEP_EVERY == 0 ? SHORT_STEP_NS : STEP_NS;
            settle(duties, nowNs);
            boolean deaf = round % DEAF_EVERY < DEAF_FOR;
            for (int port = deaf ? 1 : 0; port < hosts.size(); port++) {
                discard(hosts.get(port));
            }
        }
        return sent;
    }

    private static void discard(MemoryWire.FarEnd host) {
        byte[] taken = host.collect();
        while (taken != null) {
            taken = host.collect();
        }
    }

    /** Calls duties in turn, with the same time, until none of them has work. */
    public static void settle(List<Duty> duties, long nowNs) {
        int work;
        do {
            work = 0;
            for (Duty duty : duties) {
                work += duty.doWork(nowNs);
            }
        } while (work > 0);
    }

    /** A switch of the same kind with fewer ports and slots, all ports in one VLAN. */
    private static SwitchConfig shrink(SwitchConfig config) {
        boolean routed = config.mode() == SwitchConfig.Mode.ROUTED;
        List<PortConfig> ports = new ArrayList<>();
        List<RoutedConfig.StaticNeighbour> neighbours = new ArrayList<>();
        int count = Math.clamp(config.ports().size(), 2, PORTS);
        for (int port = 0; port < count; port++) {
            ports.add(
                    ConfigDefaults.port("w" + port, new DeviceConfig.Memory("w" + port))
                            .withRateBps(RATE_BPS)
                            .withMtuBytes(1500)
                            .withQueueLimitBytes(100_000)
                            .withAccountCapBytes(1_000_000)
                            .withAccountCapSlots(SLOTS)
                            .withAddresses(routed ? addresses(port, 1) : List.of()));
            for (InterfaceAddress neighbour : addresses(port, 2)) {
                neighbours.add(
                        new RoutedConfig.StaticNeighbour(
                                neighbour.address(), WarmUpFrames.mac(port)));
            }
        }
        BridgeConfig bridge =
                ConfigDefaults.BRIDGE
                        .withAgeingNs(AGEING_NS)
                        .withFdbEntries(1024)
                        .withFloodFramesPerSec(1_000_000_000)
                        .withMoveLimitPerSec(config.bridge().moveLimitPerSec());
        RoutedConfig routes =
                ConfigDefaults.ROUTED
                        .withNeighbourTimeoutNs(config.routed().neighbourTimeoutNs())
                        .withNeighbours(routed ? neighbours : List.of());
        MemoryConfig memory =
                config.memory().withSlotsPerPort(SLOTS).withPayload(MemoryConfig.Payload.STORED);
        return config.withName("warm-up")
                .withAddress(null)
                .withPorts(ports)
                .withBridge(bridge)
                .withRouted(routes)
                .withMemory(memory)
                .withMechanisms(Mechanisms.NONE);
    }

    private static List<InterfaceAddress> addresses(int port, int host) {
        ByteBuffer ipv4 = ByteBuffer.allocate(4).putInt(WarmUpFrames.ipv4(port, host));
        ByteBuffer ipv6 =
                ByteBuffer.allocate(16).putLong(WarmUpFrames.ipv6High(port)).putLong(host);
        try {
            return List.of(
                    new InterfaceAddress(InetAddress.getByAddress(ipv4.array()), 24),
                    new InterfaceAddress(InetAddress.getByAddress(ipv6.array()), 64));
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }
}
