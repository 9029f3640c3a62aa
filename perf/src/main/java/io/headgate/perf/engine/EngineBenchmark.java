package io.headgate.perf.engine;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.DeviceConfig;
import io.headgate.config.FlowControlConfig;
import io.headgate.config.InterfaceAddress;
import io.headgate.config.Mechanisms;
import io.headgate.config.MemoryConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.TrafficConfig;
import io.headgate.config.WorkerConfig;
import io.headgate.config.read.PortTrafficReader;
import io.headgate.dataplane.assembly.SwitchEngine;
import io.headgate.dataplane.device.MemoryWire;
import io.headgate.dataplane.engine.Duty;
import io.headgate.dataplane.engine.PolledHost;
import io.headgate.dataplane.engine.WorkerPlan;
import io.headgate.dataplane.escape.Escape;
import io.headgate.dataplane.escape.EscapeConfig;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Measures the cost of a frame from receive to transmit: header parse, learning, look-up,
 * accounting, channel, queue, pacing, the way home, and a copy in and out. Four ports, 64-byte
 * frames with an IPv4 and UDP header, one thread; other device classes ran in the same JVM before.
 *
 * <p>{@code hot}: 32 slots a port, the last one back is the first one out. {@code cold}: 8,192
 * slots a port, used in turn, so that every frame finds its slot out of cache.
 *
 * <p>With flow control {@code pfc} or {@code credits} every frame is of a lossless priority, sorted
 * by DSCP and served with a weight. Nothing is ever paused or without credits: it is the cost of
 * being ready for it. Updates of credits come at the rate they would on a loaded link.
 *
 * <p>{@code escape} is {@code pfc} with Escape as it is where no key but its name is said; frames
 * are of eight flows a port in turn, twice what it then remembers. {@code escape-off}: turned off.
 */
public class EngineBenchmark extends FrameBenchmark {
    private static final int PORTS = 4;
    private static final long RATE_BPS = 100_000_000_000L;

    /** The switch needs one where ports could send notices, were they turned on. */
    private static final InterfaceAddress ADDRESS =
            new InterfaceAddress(InetAddress.ofLiteral("10.255.0.1"), 24);

    private static final int BURST = 32;
    private static final int FRAME_BYTES = 60;
    private static final int HOSTS_PER_PORT = 8;
    private static final long HOST = 0x0200_0000_0000L;
    private static final int COLD_SLOTS = 8192;

    /** A burst, and a link-control frame. */
    private static final int HOT_SLOTS = BURST + 1;

    private static final long CYCLE_NS = 10_000;
    private static final long MAX_CATCH_UP_NS = 1_000_000;
    private static final int GREETING_CYCLES = 10;

    /**
     * Cycles from update to update of credits: 1,280 frames, which take 8.6 µs of a full link at
     * 100 Gb/s, and of which 2,048 may be under way.
     */
    private static final int CYCLES_PER_UPDATE = 40;

    /** Slots a port, and how they are reused. */
    @Param({"hot", "cold"})
    public String memory = "hot";

    /** What PFC without Escape, with it turned off, and with it are called. */
    public static final List<String> ESCAPE = List.of("pfc", "escape-off", "escape");

    /** The flow control of the ports; "off": none, and mechanisms that are turned off. */
    @Param({"none", "pfc", "credits"})
    public String flowControl = "none";

    private final List<TemplateDevice> devices = new ArrayList<>();
    private Duty[] duties = {};
    private long nowNs;
    private long cycles;
    private long learningCycles;

    /** Builds the switch, runs other devices through the same code, and lets it learn. */
    @Setup
    public void build() {
        runOtherDevices();
        boolean hot = memory.equals("hot");
        SwitchEngine engine = engine(hot ? HOT_SLOTS : COLD_SLOTS, !hot, flowControl);
        for (int port = 0; port < PORTS; port++) {
            TemplateDevice device = new TemplateDevice(frames(port));
            engine.ingress(port).attach(device);
            engine.egress(port).attach(device);
            devices.add(device);
        }
        duties = engine.duties().toArray(Duty[]::new);
        for (int i = 0; i < GREETING_CYCLES; i++) {
            cycle();
        }
        for (int i = 0; i < 1000; i++) {
            forward();
        }
        learningCycles = cycles;
        for (TemplateDevice device : devices) {
            device.transmitted = 0;
            device.controlTransmitted = 0;
        }
    }

    /**
     * One duty cycle of a loaded worker: a burst of frames waits at every port, and a burst leaves
     * each towards the next port.
     */
    @Benchmark
    @OperationsPerInvocation(PORTS * BURST)
    public int forward() {
        for (TemplateDevice device : devices) {
            device.pending = BURST;
        }
        cycles++;
        return cycle();
    }

    private int cycle() {
        nowNs += CYCLE_NS;
        int work = 0;
        for (Duty duty : duties) {
            work += duty.doWork(nowNs);
        }
        return work;
    }

    /** Every burst must have gone through, or the figure would be of something else. */
    @TearDown
    public void check() {
        long transmitted = 0;
        long control = 0;
        for (TemplateDevice device : devices) {
            transmitted += device.transmitted;
            control += device.controlTransmitted;
        }
        // The last cycle's frames for the first port are still on their way.
        long measured = cycles - learningCycles;
        long missing = measured * PORTS * BURST - transmitted;
        if (missing < 0 || missing > PORTS * BURST) {
            throw new IllegalStateException(missing + " frames are missing");
        }
        // Pauses are never needed; updates come in time, and no oftener.
        long updates = flowControl.equals("credits") ? PORTS * measured / CYCLES_PER_UPDATE : 0;
        if (Math.abs(control - updates) > updates / 10 + PORTS) {
            throw new IllegalStateException(control + " link-control frames, not " + updates);
        }
    }

    /** Frames for hosts behind the next port, from hosts behind this one. */
    private static byte[][] frames(int port) {
        byte[][] frames = new byte[HOSTS_PER_PORT][];
        for (int host = 0; host < HOSTS_PER_PORT; host++) {
            frames[host] = frame(host(port, host), host((port + 1) % PORTS, host));
        }
        return frames;
    }

    private static long host(int port, int host) {
        return HOST + port * 256L + host;
    }

    private static byte[] frame(long source, long destination) {
        ByteBuffer frame = ByteBuffer.allocate(FRAME_BYTES);
        frame.putShort((short) (destination >>> 32)).putInt((int) destination);
        frame.putShort((short) (source >>> 32)).putInt((int) source);
        frame.putShort((short) 0x0800);
        frame.put((byte) 0x45).put((byte) 0).putShort((short) (FRAME_BYTES - 14));
        frame.putInt(0).put((byte) 64).put((byte) 17).putShort((short) 0);
        frame.putInt(0x0A00_0000 | ((int) source & 0xFFFF));
        frame.putInt(0x0A00_0000 | ((int) destination & 0xFFFF));
        frame.putShort((short) 1000).putShort((short) 2000).putShort((short) (FRAME_BYTES - 34));
        return frame.array();
    }

    /** Runs in-memory wires through the engine, so that its call sites have seen more than one. */
    private static void runOtherDevices() {
        SwitchEngine engine = engine(64, false, "none");
        List<MemoryWire.FarEnd> hosts = new ArrayList<>();
        for (int port = 0; port < PORTS; port++) {
            MemoryWire wire = new MemoryWire("other" + port, 256, 1518);
            var device = wire.device(0, engine.region());
            hosts.add(wire.farEnd(1));
            engine.ingress(port).attach(device);
            engine.egress(port).attach(device);
        }
        long now = 0;
        for (int round = 0; round < 20_000; round++) {
            hosts.get(round % PORTS).inject(frames(round % PORTS)[round % HOSTS_PER_PORT]);
            for (Duty duty : engine.duties()) {
                duty.doWork(now);
            }
            now += 1000;
            for (MemoryWire.FarEnd host : hosts) {
                host.collect();
            }
        }
    }

    private static SwitchEngine engine(int slotsPerPort, boolean fifo, String flowControl) {
        FlowControlConfig control =
                switch (flowControl) {
                    case "pfc", "escape", "escape-off" -> pfc();
                    case "credits" -> credits();
                    default -> FlowControlConfig.NONE;
                };
        boolean lossy = control.mode() == FlowControlConfig.Mode.NONE;
        List<PortConfig> ports = new ArrayList<>();
        for (int port = 0; port < PORTS; port++) {
            ports.add(
                    ConfigDefaults.port("p" + port, new DeviceConfig.Memory("p" + port))
                            .withRateBps(RATE_BPS)
                            .withQueueLimitBytes(1_000_000)
                            .withAccountCapBytes(20_000_000)
                            .withAccountCapSlots(slotsPerPort)
                            .withTraffic(lossy ? TrafficConfig.DEFAULT : lossless())
                            .withFlowControl(control)
                            .withMechanisms(mechanisms(flowControl)));
        }
        SwitchConfig config =
                ConfigDefaults.bridge("bench", ports)
                        .withAddress(flowControl.equals("off") ? ADDRESS : null)
                        .withBridge(
                                ConfigDefaults.BRIDGE
                                        .withFdbEntries(4096)
                                        .withFloodFramesPerSec(1_000_000))
                        .withMemory(
                                new MemoryConfig(
                                        2048,
                                        slotsPerPort,
                                        fifo
                                                ? MemoryConfig.SlotReuse.FIFO
                                                : MemoryConfig.SlotReuse.LIFO,
                                        0,
                                        MemoryConfig.Payload.STORED))
                        .withWorkers(ConfigDefaults.WORKERS.withLayout(WorkerConfig.Layout.SINGLE));
        return new SwitchEngine(
                config, WorkerPlan.single(PORTS), new PolledHost(0, MAX_CATCH_UP_NS));
    }

    private static Mechanisms turnedOff() {
        return PortTrafficReader.read(
                        "{congestion: {rocc: {enabled: false}, tcd: {enabled: false}, red: {enabled:"
                                + " false, kmin: 5kB, kmax: 200kB, pmax: 0.01}, telemetry: {enabled:"
                                + " false}}}")
                .at(RATE_BPS, 1500, 1_000, 0)
                .mechanisms();
    }

    /** The frames' priority, 0, is lossless, and served with weights among the others. */
    private static TrafficConfig lossless() {
        TrafficConfig defaults = TrafficConfig.DEFAULT;
        return defaults.withClassify(defaults.classify().withTrust(TrafficConfig.Trust.DSCP))
                .withLossless(List.of(0))
                .withWeights(List.of(1, 1, 1, 1, 1, 1, 0, 0));
    }

    private static FlowControlConfig pfc() {
        return new FlowControlConfig(
                FlowControlConfig.Mode.PFC,
                FlowControlConfig.Link.DEFAULT,
                FlowControlConfig.Buffers.fixed(
                        20_000_000, 10_000, 19_000_000, 9_000, 1_000_000, 1_000),
                new FlowControlConfig.Pause(65_535, 80_000),
                null,
                watchdog());
    }

    private static Mechanisms mechanisms(String flowControl) {
        return switch (flowControl) {
            case "off" -> turnedOff();
            case "escape" -> escape(true);
            case "escape-off" -> escape(false);
            default -> Mechanisms.NONE;
        };
    }

    private static Mechanisms escape(boolean isOn) {
        int tokens = 4;
        EscapeConfig config =
                new EscapeConfig(
                        tokens,
                        tokens,
                        EscapeConfig.Selection.TURN,
                        50_000,
                        10_000_000,
                        EscapeConfig.Header.TAG,
                        EscapeConfig.Peer.SWITCH,
                        PORTS * tokens);
        return Mechanisms.NONE.with(new Escape().use(config).enabled(isOn));
    }

    private static FlowControlConfig credits() {
        return new FlowControlConfig(
                FlowControlConfig.Mode.CREDITS,
                FlowControlConfig.Link.DEFAULT,
                null,
                null,
                new FlowControlConfig.Credits(
                        FlowControlConfig.Credits.Update.ON_CHANGE,
                        10 * CYCLES_PER_UPDATE * CYCLE_NS,
                        CYCLES_PER_UPDATE * CYCLE_NS,
                        0,
                        1_000_000,
                        10_000),
                watchdog());
    }

    private static FlowControlConfig.Watchdog watchdog() {
        return new FlowControlConfig.Watchdog(
                FlowControlConfig.Watchdog.Action.DROP, 200_000_000, 200_000_000, 100_000_000);
    }
}
