package io.headgate.dataplane.runner;

import io.headgate.config.BridgeConfig;
import io.headgate.config.DeviceConfig;
import io.headgate.config.MemoryConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.device.MemoryWire;
import io.headgate.dataplane.device.linux.SystemCalls;
import io.headgate.dataplane.engine.Doorbell;
import io.headgate.dataplane.engine.Duty;
import io.headgate.dataplane.engine.EngineHost;
import io.headgate.dataplane.engine.SwitchEngine;
import io.headgate.dataplane.engine.WorkerPlan;
import io.headgate.dataplane.engine.counter.CounterDirectory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs a switch warm before the real one meets its first frame: a separate engine of the same
 * configuration on in-memory wires, driven by the calling thread, so that the JVM has compiled the
 * path of a frame. Frames of several sizes go to known and to unknown destinations.
 */
public final class EngineWarmUp {
    private static final int FRAMES = 400_000;
    private static final long LIMIT_NS = 2_000_000_000L;
    private static final int PORTS = 4;
    private static final int SLOTS = 512;
    private static final int BURST = 32;
    private static final int[] LENGTHS = {60, 124, 508, 1514};
    private static final long BROADCAST = 0xFFFF_FFFF_FFFFL;
    private static final long HOST = 0x0200_0000_0000L;
    private static final int IPV4_UDP_BYTES = 28;

    /** One burst's worth of time on the wires, in ns: long enough that nothing is paced out. */
    private static final long STEP_NS = 400_000;

    /**
     * What a warm-up did.
     *
     * @param frames frames that went through the engine
     */
    public record Result(long frames, long durationNs) {
        /** A line for a person. */
        public String describe() {
            return String.format(
                    "engine warmed up: %,d frames in memory, %.1f s", frames, durationNs / 1e9);
        }
    }

    private final SwitchEngine engine;
    private final Duty[] duties;
    private final List<MemoryWire.FarEnd> hosts = new ArrayList<>();
    private final byte[][][] frames;
    private long nowNs;

    private EngineWarmUp(SwitchConfig config) {
        SwitchConfig small = shrink(config);
        int ports = small.ports().size();
        WorkerPlan plan = WorkerPlan.of(small, 2 * ports);
        engine = new SwitchEngine(small, plan, new Host());
        duties = engine.duties().toArray(Duty[]::new);
        frames = new byte[ports][][];
        for (int port = 0; port < ports; port++) {
            MemoryWire wire = new MemoryWire("warm-up", 2 * BURST, engine.region().maxFrameBytes());
            var device = wire.device(0, engine.region());
            engine.ingress(port).attach(device);
            engine.egress(port).attach(device);
            hosts.add(wire.farEnd(1));
            frames[port] = framesFrom(port, ports);
        }
    }

    /** Runs a warm-up for a switch: a second or so, never more than two and a burst. */
    public static Result run(SwitchConfig config) {
        long startNs = System.nanoTime();
        SystemCalls.warmUp();
        long sent = new EngineWarmUp(config).pump(System.nanoTime());
        return new Result(sent, System.nanoTime() - startNs);
    }

    private long pump(long startNs) {
        long sent = 0;
        while (sent < FRAMES && System.nanoTime() - startNs < LIMIT_NS) {
            for (int i = 0; i < BURST; i++) {
                for (int port = 0; port < frames.length; port++) {
                    byte[][] own = frames[port];
                    if (hosts.get(port).inject(own[(int) ((sent + i) % own.length)])) {
                        sent++;
                    }
                }
            }
            nowNs += STEP_NS;
            settle();
            for (MemoryWire.FarEnd host : hosts) {
                byte[] taken = host.collect();
                while (taken != null) {
                    taken = host.collect();
                }
            }
        }
        return sent;
    }

    private void settle() {
        int work;
        do {
            work = 0;
            for (Duty duty : duties) {
                work += duty.doWork(nowNs);
            }
        } while (work > 0);
    }

    /** Mostly to hosts that are known, one in sixteen to one that is not, one to all. */
    private static byte[][] framesFrom(int port, int ports) {
        byte[][] own = new byte[16][];
        for (int i = 0; i < own.length; i++) {
            long destination = HOST + (port + 1 + i % Math.max(1, ports - 1)) % ports;
            if (i == 0) {
                destination = BROADCAST;
            } else if (i == 1) {
                destination = HOST + 0xFF00 + port;
            }
            own[i] = frame(destination, HOST + port, LENGTHS[i % LENGTHS.length]);
        }
        return own;
    }

    private static byte[] frame(long destination, long source, int lengthBytes) {
        ByteBuffer frame = ByteBuffer.allocate(lengthBytes);
        frame.putShort((short) (destination >>> 32)).putInt((int) destination);
        frame.putShort((short) (source >>> 32)).putInt((int) source);
        frame.putShort((short) 0x0800);
        int ipBytes = lengthBytes - 14;
        frame.put((byte) 0x45).put((byte) 0).putShort((short) ipBytes).putInt(0);
        frame.put((byte) 64).put((byte) 17).putShort((short) 0);
        frame.putInt((int) (0x0A00_0000 + (source & 0xFF))).putInt(0x0A00_0001);
        frame.putShort((short) 4791).putShort((short) 4791);
        frame.putShort((short) (ipBytes - IPV4_UDP_BYTES + 8)).putShort((short) 0);
        return frame.array();
    }

    /** The same switch with fewer ports and slots, all ports in one VLAN and of ample rate. */
    private static SwitchConfig shrink(SwitchConfig config) {
        List<PortConfig> ports = new ArrayList<>();
        int count = Math.clamp(config.ports().size(), 2, PORTS);
        for (int port = 0; port < count; port++) {
            ports.add(
                    new PortConfig(
                            "w" + port,
                            new DeviceConfig.Memory("w" + port),
                            100_000_000_000L,
                            1500,
                            PortConfig.VlanConfig.DEFAULT,
                            1_000_000,
                            1_000_000,
                            SLOTS,
                            List.of()));
        }
        BridgeConfig bridge =
                new BridgeConfig(
                        config.bridge().ageingNs(),
                        1024,
                        1_000_000_000,
                        config.bridge().moveLimitPerSec(),
                        List.of());
        MemoryConfig memory =
                new MemoryConfig(config.memory().slotBytes(), SLOTS, config.memory().slotReuse());
        return new SwitchConfig(
                "warm-up",
                SwitchConfig.Mode.BRIDGE,
                null,
                ports,
                bridge,
                config.routed(),
                memory,
                config.workers(),
                config.seed());
    }

    private static final class Host implements EngineHost {
        @Override
        public void bindCounters(CounterDirectory directory) {
            directory.bindPrivately();
        }

        @Override
        public Doorbell doorbell(int fromWorker, int toWorker, int duty) {
            return inputs -> {};
        }

        @Override
        public long housekeepingIntervalNs() {
            return 20_000_000;
        }

        @Override
        public long maxCatchUpNs() {
            return 1_000_000;
        }
    }
}
