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
 * frame. It also meets what is rare: lines that are busy, hosts that do not listen, addresses that
 * are refreshed and forgotten, unknown ones. For a branch that was never taken is not compiled: met
 * minutes later, it throws the frame's path back into the interpreter for a moment, at the cost of
 * time and of objects.
 */
public final class EngineWarmUp {
    /**
     * Twice what the optimising compiler waits for, and some more for it to finish; the quick one
     * is waited for.
     */
    private static final int CALLS = Compilation.rounds(20_000);

    private static final int FRAMES = Compilation.rounds(400_000);
    private static final long LIMIT_NS = 2_000_000_000L;
    private static final int PORTS = 4;
    private static final int SLOTS = 512;
    private static final int BURST = 32;
    private static final long RATE_BPS = 10_000_000_000L;

    /** An address that sends is refreshed after an eighth of this; one that does not is gone. */
    private static final long AGEING_NS = 100_000_000;

    /** One burst's worth of time on the wires, in ns: long enough that all of it leaves. */
    private static final long STEP_NS = 400_000;

    /** Now and then the next burst comes so soon that the line is still busy. */
    private static final long SHORT_STEP_NS = 5_000;

    private static final int SHORT_STEP_EVERY = 4;

    /** Now and then a host takes nothing for a while, until its wire is full. */
    private static final int DEAF_EVERY = 16;

    private static final int DEAF_FOR = 4;

    /**
     * How many went into the engine of each mode: what was compiled serves the next switch, too.
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
     * Runs a warm-up for a switch: a second or so, never more than four and a burst. Where this
     * process has done so for one of the same mode there is nothing to do; where time was short
     * then, it does the rest.
     *
     * @return a line for a person; empty: there was nothing to do
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

    /** Has {@link SystemCalls} run warm, where nothing has done so. */
    public static void systemCalls() {
        // The second caller waits for what the first has compiled.
        synchronized (SYSTEM_CALLS) {
            if (SystemCalls.warmUp(CALLS)) {
                Compilation.await();
            }
        }
    }

    /** For tests: the counters of an engine after {@code frames} frames, however long they take. */
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

    /** Calls duties in turn at one time until none of them has anything to do. */
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
