package io.headgate.perf.rate;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.queue.WireFormat;
import io.headgate.dataplane.random.NamedRandom;
import io.headgate.hostagent.rate.Fixed;
import io.headgate.hostagent.rate.FixedConfig;
import io.headgate.hostagent.rate.FlowShaper;
import io.headgate.perf.engine.FrameBenchmark;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Measures the cost of a frame that waits in a host's shaper until its flow may send: it is taken,
 * its flow is found, and it is released at its time. All flows are limited to 1 Mb/s, and each has
 * a frame waiting or has just sent one; time goes on by what all of them together send.
 */
public class FlowShaperBenchmark extends FrameBenchmark {
    private static final long RATE_BPS = 1_000_000;
    private static final long NS_PER_S = 1_000_000_000;
    private static final int BURST = 32;

    /** Limited flows. */
    @Param({"100", "10000"})
    public int flows;

    private FlowShaper shaper = shaper();
    private final Frame[] batch = new Frame[BURST];
    private long nowNs;
    private long released;
    private long calls;
    private double stepNs;
    private double timeNs;

    private static FlowShaper shaper() {
        FixedConfig rate = new FixedConfig(RATE_BPS);
        return new FlowShaper(
                () -> new Fixed().control(rate), 0, 2, 100 * NS_PER_S, TestFrames.FRAME_BYTES);
    }

    /** Each flow has a frame. */
    @Setup
    public void fill() {
        shaper = shaper();
        TestFrames made = new TestFrames(flows);
        int[] order = new int[flows];
        NamedRandom random = NamedRandom.of(1, "benchmark", "order");
        for (int i = 0; i < flows; i++) {
            int other = random.nextInt(i + 1);
            order[i] = order[other];
            order[other] = i;
        }
        double frameNs =
                WireFormat.ETHERNET.wireBytes(TestFrames.FRAME_BYTES) * 8.0 * NS_PER_S / RATE_BPS;
        stepNs = frameNs / flows;
        for (int i = 0; i < flows; i++) {
            // Their turns are spread over the time that a frame takes.
            timeNs += stepNs;
            nowNs = (long) timeNs;
            shaper.take(nowNs, 1, made.of(i, order[i]));
            int count = shaper.release(nowNs, batch, 0, BURST);
            for (int at = 0; at < count; at++) {
                shaper.take(nowNs, 1, batch[at]);
            }
        }
    }

    /** As long as a frame of some flow takes; what leaves comes again. */
    @Benchmark
    public int pass() {
        timeNs += stepNs;
        nowNs = (long) timeNs;
        int count = shaper.release(nowNs, batch, 0, BURST);
        for (int i = 0; i < count; i++) {
            shaper.take(nowNs, 1, batch[i]);
        }
        calls++;
        released += count;
        return count;
    }

    /** As many frames must have left as time has passed for, or the figure would be of less. */
    @TearDown
    public void check() {
        if (Math.abs(released - calls) > calls / 50 + 2L * flows) {
            throw new IllegalStateException(released + " frames in the time of " + calls);
        }
    }
}
