package io.headgate.perf.allocation;

import com.sun.management.ThreadMXBean;
import io.headgate.config.ConfigDefaults;
import io.headgate.config.DeviceConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.WorkerConfig;
import io.headgate.control.cli.bench.BenchException;
import io.headgate.control.run.RunningSwitch;
import io.headgate.control.run.SwitchOptions;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.MemoryWire;
import io.headgate.dataplane.device.VxlanDevice;
import io.headgate.perf.forwarding.OneDevice;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs a switch on one kind of device, sends frames until several consecutive rounds allocated
 * nothing, and then counts the bytes that the workers allocate for a given number of frames, and
 * while no frames come.
 */
public final class AllocationCheck {
    /** The kinds that can be checked. */
    public static final List<String> KINDS =
            List.of("memory", "afpacket", "afxdp", "tap", "pcap", "pcap-file", "vxlan");

    private static final long WARM_UP_FRAMES = 100_000;
    private static final int MOST_WARM_UP_ROUNDS = 100;

    /** The compiler is done when this number of rounds in a row allocated nothing. */
    private static final int QUIET_ROUNDS = 5;

    /**
     * A branch met for the first time after seconds or minutes has the JVM fall back to its
     * interpreter for a moment, which may cost some objects, once. What a frame or a call costs
     * would show every time.
     */
    private static final int MOST_MEASUREMENTS = 5;

    private static final long CHUNK_NS = 200_000_000;
    private static final long LEAST_CHUNK_NS = 20_000_000;

    /** To look at the counters takes as long as some frames. */
    private static final int ROUNDS_PER_LOOK = 4096;

    private static final long IDLE_MS = 500;

    /** Forwarded twice: out of one end of the tunnel, and in at the other. */
    private static final long MOST_VXLAN_BYTES_PER_FRAME = 400;

    private static final double RATE_FPS = 1_000_000;
    private static final long MOST_WITHOUT_FRAMES_NS = 5_000_000_000L;
    private static final long RATE_BPS = 100_000_000_000L;

    /**
     * The result of a check.
     *
     * @param warmUpFrames forwarded before the measurement
     * @param frames forwarded during it
     * @param measurements how many it took; all but the last showed some bytes
     * @param allocatedBytes by all worker threads during it
     * @param idleBytes by all worker threads in half a second without a frame
     */
    public record Result(
            String kind,
            long warmUpFrames,
            long frames,
            int measurements,
            long allocatedBytes,
            long idleBytes) {}

    /** Bytes that workers may allocate for frames: only Netty makes objects of its own. */
    public static long mostBytes(String kind, long frames) {
        return kind.equals("vxlan") ? frames * MOST_VXLAN_BYTES_PER_FRAME : 0;
    }

    private interface Traffic {
        /**
         * @param missing how many frames are wanted still
         * @param isEnough may be asked now and then; more frames change nothing
         */
        void some(long missing, BooleanSupplier isEnough) throws BenchException;

        /** Stops what makes traffic by itself. */
        default void end() throws BenchException {}
    }

    private final Consumer<String> log;
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private volatile boolean isCancelled;

    /**
     * @param log takes progress, a line at a time
     */
    public AllocationCheck(Consumer<String> log) {
        this.log = log;
    }

    /** Has what runs, and what is still to be run, end within a second. Any thread. */
    public void cancel() {
        isCancelled = true;
    }

    /**
     * Checks one kind of device.
     *
     * @param kind one of {@link #KINDS}
     * @param frames the least number forwarded while it is measured
     */
    public Result run(String kind, long frames) throws BenchException {
        stopIfCancelled();
        return switch (kind) {
            case "memory" -> betweenWires(kind, frames, List.of());
            case "vxlan" ->
                    betweenWires(
                            kind,
                            frames,
                            List.of(
                                    tunnel("127.0.0.1", "127.0.0.2"),
                                    tunnel("127.0.0.2", "127.0.0.1")));
            case "pcap-file" -> fromAFile(frames);
            default -> onInterfaces(kind, frames);
        };
    }

    private Result onInterfaces(String kind, long frames) throws BenchException {
        try (OneDevice place = new OneDevice()) {
            if (kind.equals("afpacket") || kind.equals("pcap")) {
                place.receiveLikeACard();
            }
            if (kind.equals("afxdp")) {
                place.takeXdpFrames();
            }
            String left = kind.equals("tap") ? "tap0" : OneDevice.left();
            String right = kind.equals("tap") ? "tap1" : OneDevice.right();
            SwitchConfig config =
                    config(
                            List.of(
                                    port("left", device(kind, place.netns(), left), 1),
                                    port("right", device(kind, place.netns(), right), 1)));
            try (RunningSwitch running = start(config)) {
                boolean tap = kind.equals("tap");
                double framesPerSec =
                        switch (kind) {
                            case "afxdp" -> 0; // as fast as it goes: bursts leave as XDP frames
                            case "pcap" -> RATE_FPS / 4;
                            default -> RATE_FPS;
                        };
                return measure(
                        kind,
                        frames,
                        running,
                        (missing, _) -> {
                            long chunkNs = chunkNs(missing, framesPerSec);
                            if (tap) {
                                place.sendInto(right, false, 1000, 1_000_000);
                                place.sendInto(left, true, framesPerSec, chunkNs);
                            } else {
                                place.introduceRight();
                                place.sendRight(framesPerSec, chunkNs);
                            }
                        });
            }
        }
    }

    /**
     * From one in-memory wire to another, and on the way out of one device of a pair and in by the
     * other.
     */
    private Result betweenWires(String kind, long frames, List<DeviceConfig> pair)
            throws BenchException {
        List<PortConfig> ports = new ArrayList<>();
        ports.add(port("left", new DeviceConfig.Memory("left"), 1));
        for (int i = 0; i < pair.size(); i++) {
            ports.add(port("pair" + i, pair.get(i), 1 + i));
        }
        ports.add(port("right", new DeviceConfig.Memory("right"), Math.max(1, pair.size())));
        try (RunningSwitch running = start(config(ports))) {
            MemoryWire.FarEnd left = running.devices().wire("left").farEnd(1);
            MemoryWire.FarEnd right = running.devices().wire("right").farEnd(1);
            byte[] toRight = OneDevice.frame(true);
            byte[] toLeft = OneDevice.frame(false);
            return measure(
                    kind,
                    frames,
                    running,
                    (_, isEnough) -> {
                        right.inject(toLeft);
                        long endNs = System.nanoTime() + CHUNK_NS;
                        for (int round = 1; !isOver(round, isEnough, endNs); round++) {
                            if (!left.inject(toRight)) {
                                Thread.onSpinWait();
                            }
                            discard(right);
                            discard(left);
                        }
                    });
        }
    }

    /** From a capture file without end to an in-memory wire, and from there into another file. */
    private Result fromAFile(long frames) throws BenchException {
        try (EndlessCapture capture = new EndlessCapture(OneDevice.frame(true));
                RunningSwitch running =
                        start(
                                config(
                                        List.of(
                                                port(
                                                        "left",
                                                        new DeviceConfig.PcapFile(
                                                                capture.file(),
                                                                Path.of("/dev/null"),
                                                                DeviceConfig.PcapFile.Timing.FAST),
                                                        1),
                                                port(
                                                        "right",
                                                        new DeviceConfig.Memory("right"),
                                                        1))))) {
            MemoryWire.FarEnd right = running.devices().wire("right").farEnd(1);
            byte[] toLeft = OneDevice.frame(false);
            return measure(
                    "pcap-file",
                    frames,
                    running,
                    new Traffic() {
                        @Override
                        public void some(long missing, BooleanSupplier isEnough) {
                            long endNs = System.nanoTime() + CHUNK_NS;
                            for (int round = 1; !isOver(round, isEnough, endNs); round++) {
                                right.inject(toLeft);
                                discard(right);
                            }
                        }

                        @Override
                        public void end() throws BenchException {
                            capture.end();
                        }
                    });
        }
    }

    /** The time to send some frames, and a few more instead of lost ones. */
    private static long chunkNs(long frames, double framesPerSec) {
        return framesPerSec == 0
                ? CHUNK_NS
                : Math.clamp((long) (1.02e9 * frames / framesPerSec), LEAST_CHUNK_NS, CHUNK_NS);
    }

    private static boolean isOver(int round, BooleanSupplier isEnough, long endNs) {
        return System.nanoTime() - endNs >= 0
                || (round % ROUNDS_PER_LOOK == 0 && isEnough.getAsBoolean());
    }

    private static void discard(MemoryWire.FarEnd end) {
        byte @Nullable [] frame;
        do {
            frame = end.collect();
        } while (frame != null);
    }

    private static DeviceConfig device(String kind, String netns, String name) {
        return switch (kind) {
            case "afxdp" ->
                    new DeviceConfig.AfXdp(
                            name,
                            netns,
                            0,
                            DeviceConfig.XdpMode.AUTO,
                            DeviceConfig.XdpTransmit.AUTO,
                            ConfigDefaults.AF_XDP_RING_FRAMES);
            case "tap" -> new DeviceConfig.Tap(name, netns, true);
            case "pcap" -> new DeviceConfig.PcapLive(name, netns);
            default -> new DeviceConfig.AfPacket(name, netns, ConfigDefaults.AF_PACKET_RING_FRAMES);
        };
    }

    private static DeviceConfig tunnel(String local, String remote) {
        return new DeviceConfig.Vxlan(
                new InetSocketAddress(local, VxlanDevice.UDP_PORT),
                new InetSocketAddress(remote, VxlanDevice.UDP_PORT),
                1,
                null);
    }

    private static SwitchConfig config(List<PortConfig> ports) {
        return ConfigDefaults.bridge("allocation", ports)
                .withWorkers(ConfigDefaults.WORKERS.withLayout(WorkerConfig.Layout.SINGLE));
    }

    private static PortConfig port(String name, DeviceConfig device, int vlan) {
        return ConfigDefaults.port(name, device)
                .withRateBps(RATE_BPS)
                .withVlan(
                        new PortConfig.VlanConfig(
                                PortConfig.VlanConfig.Mode.ACCESS, vlan, List.of()));
    }

    private static RunningSwitch start(SwitchConfig config) throws BenchException {
        try {
            return RunningSwitch.start(config, SwitchOptions.DEFAULT);
        } catch (DeviceException failure) {
            throw new BenchException(failure);
        }
    }

    private Result measure(String kind, long frames, RunningSwitch running, Traffic traffic)
            throws BenchException {
        long start = forwarded(running);
        int quiet = 0;
        for (int round = 0; round < MOST_WARM_UP_ROUNDS && quiet < QUIET_ROUNDS; round++) {
            long before = allocated(running);
            long sent = forwarded(running);
            send(running, traffic, WARM_UP_FRAMES);
            long most = mostBytes(kind, forwarded(running) - sent);
            quiet = allocated(running) - before <= most ? quiet + 1 : 0;
        }
        for (int measurement = 1; ; measurement++) {
            long warm = forwarded(running);
            long before = allocated(running);
            send(running, traffic, frames);
            long bytes = allocated(running) - before;
            long measured = forwarded(running) - warm;
            log.accept(
                    String.format(
                            "%s: %d bytes over %d frames, after %d",
                            kind, bytes, measured, warm - start));
            if (bytes <= mostBytes(kind, measured) || measurement == MOST_MEASUREMENTS) {
                traffic.end();
                return new Result(
                        kind, warm - start, measured, measurement, bytes, idle(kind, running));
            }
        }
    }

    private long idle(String kind, RunningSwitch running) throws BenchException {
        for (int measurement = 1; ; measurement++) {
            stopIfCancelled();
            long before = allocated(running);
            try {
                Thread.sleep(IDLE_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new BenchException("interrupted");
            }
            long bytes = allocated(running) - before;
            log.accept(String.format("%s: %d bytes in %d ms idle", kind, bytes, IDLE_MS));
            if (bytes == 0 || measurement == MOST_MEASUREMENTS) {
                return bytes;
            }
        }
    }

    private void send(RunningSwitch running, Traffic traffic, long frames) throws BenchException {
        long start = forwarded(running);
        long last = start;
        long lastNs = System.nanoTime();
        while (last - start < frames) {
            stopIfCancelled();
            traffic.some(frames - (last - start), () -> forwarded(running) - start >= frames);
            long now = forwarded(running);
            if (now != last) {
                lastNs = System.nanoTime();
            } else if (System.nanoTime() - lastNs > MOST_WITHOUT_FRAMES_NS) {
                throw new BenchException("no frame passes the switch");
            }
            last = now;
        }
    }

    private void stopIfCancelled() throws BenchException {
        if (isCancelled) {
            throw new BenchException("cancelled");
        }
    }

    private static long forwarded(RunningSwitch running) {
        return running.counters().total(Scope.EGRESS, EgressCounter.FRAMES_TRANSMITTED);
    }

    private long allocated(RunningSwitch running) {
        long sum = 0;
        for (long bytes : threads.getThreadAllocatedBytes(running.realTime().workerThreadIds())) {
            sum += bytes;
        }
        return sum;
    }
}
