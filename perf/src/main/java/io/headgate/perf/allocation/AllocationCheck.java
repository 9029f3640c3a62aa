package io.headgate.perf.allocation;

import com.sun.management.ThreadMXBean;
import io.headgate.config.ConfigDefaults;
import io.headgate.config.DeviceConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.WorkerConfig;
import io.headgate.control.run.RunningSwitch;
import io.headgate.control.run.SwitchOptions;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.MemoryWire;
import io.headgate.perf.forwarding.BenchException;
import io.headgate.perf.forwarding.OneDevice;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs a two-port switch on one kind of device, sends frames until several rounds in a row
 * allocated nothing, and then counts what the workers allocate over the frames asked for.
 */
public final class AllocationCheck {
    /** The kinds that can be checked. */
    public static final List<String> KINDS = List.of("memory", "afpacket", "afxdp", "tap");

    private static final long WARM_UP_FRAMES = 100_000;
    private static final int MOST_WARM_UP_ROUNDS = 100;

    /** The compiler is done when so many rounds in a row allocated nothing. */
    private static final int QUIET_ROUNDS = 5;

    /**
     * A branch met for the first time after seconds or minutes has the JVM fall back to its
     * interpreter for a moment, which may cost some objects, once. What a frame or a call costs
     * would show every time.
     */
    private static final int MOST_MEASUREMENTS = 5;

    private static final long CHUNK_NS = 200_000_000;
    private static final double RATE_FPS = 1_000_000;
    private static final int CHUNKS_WITHOUT_FRAMES = 20;
    private static final long RATE_BPS = 100_000_000_000L;

    /**
     * What was found.
     *
     * @param warmUpFrames forwarded before the measurement
     * @param frames forwarded during it
     * @param measurements how many it took; all but the last showed some bytes
     * @param allocatedBytes by all worker threads during it
     */
    public record Result(
            String kind, long warmUpFrames, long frames, int measurements, long allocatedBytes) {}

    /** Makes some traffic. */
    private interface Traffic {
        void some() throws BenchException;
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
     * @param frames at least so many are forwarded while it is measured
     */
    public Result run(String kind, long frames) throws BenchException {
        stopIfCancelled();
        if (kind.equals("memory")) {
            return inMemory(frames);
        }
        try (OneDevice place = new OneDevice()) {
            if (kind.equals("afpacket")) {
                place.receiveLikeACard();
            }
            String left = kind.equals("tap") ? "tap0" : OneDevice.left();
            String right = kind.equals("tap") ? "tap1" : OneDevice.right();
            SwitchConfig config =
                    config(device(kind, place.netns(), left), device(kind, place.netns(), right));
            try (RunningSwitch running = start(config)) {
                boolean tap = kind.equals("tap");
                return measure(
                        kind,
                        frames,
                        running,
                        () -> {
                            if (tap) {
                                place.sendInto(right, false, 1000, 1_000_000);
                                place.sendInto(left, true, RATE_FPS, CHUNK_NS);
                            } else {
                                place.introduceRight();
                                place.sendRight(RATE_FPS, CHUNK_NS);
                            }
                        });
            }
        }
    }

    private Result inMemory(long frames) throws BenchException {
        SwitchConfig config =
                config(new DeviceConfig.Memory("left"), new DeviceConfig.Memory("right"));
        try (RunningSwitch running = start(config)) {
            MemoryWire.FarEnd left = running.devices().wire("left").farEnd(1);
            MemoryWire.FarEnd right = running.devices().wire("right").farEnd(1);
            byte[] toRight = OneDevice.frame(true);
            byte[] toLeft = OneDevice.frame(false);
            return measure(
                    "memory",
                    frames,
                    running,
                    () -> {
                        right.inject(toLeft);
                        long endNs = System.nanoTime() + CHUNK_NS;
                        while (System.nanoTime() - endNs < 0) {
                            if (!left.inject(toRight)) {
                                Thread.onSpinWait();
                            }
                            discard(right);
                            discard(left);
                        }
                    });
        }
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
                            ConfigDefaults.AF_XDP_RING_FRAMES);
            case "tap" -> new DeviceConfig.Tap(name, netns, true);
            default -> new DeviceConfig.AfPacket(name, netns, ConfigDefaults.AF_PACKET_RING_FRAMES);
        };
    }

    private static SwitchConfig config(DeviceConfig left, DeviceConfig right) {
        return ConfigDefaults.bridge(
                        "allocation", List.of(port("left", left), port("right", right)))
                .withWorkers(ConfigDefaults.WORKERS.withLayout(WorkerConfig.Layout.SINGLE));
    }

    private static PortConfig port(String name, DeviceConfig device) {
        return ConfigDefaults.port(name, device).withRateBps(RATE_BPS);
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
            send(running, traffic, WARM_UP_FRAMES);
            quiet = allocated(running) == before ? quiet + 1 : 0;
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
            if (bytes == 0 || measurement == MOST_MEASUREMENTS) {
                return new Result(kind, warm - start, measured, measurement, bytes);
            }
        }
    }

    private void send(RunningSwitch running, Traffic traffic, long frames) throws BenchException {
        long start = forwarded(running);
        long last = start;
        int without = 0;
        while (last - start < frames) {
            stopIfCancelled();
            traffic.some();
            long now = forwarded(running);
            without = now == last ? without + 1 : 0;
            if (without == CHUNKS_WITHOUT_FRAMES) {
                throw new BenchException("no frame comes through the switch");
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
