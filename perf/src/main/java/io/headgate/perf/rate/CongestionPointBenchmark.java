package io.headgate.perf.rate;

import io.headgate.dataplane.congestion.CongestionPoint;
import io.headgate.dataplane.congestion.CongestionSetup;
import io.headgate.dataplane.congestion.NoticeRing;
import io.headgate.dataplane.congestion.Notices;
import io.headgate.dataplane.congestion.Rocc;
import io.headgate.dataplane.congestion.RoccConfig;
import io.headgate.dataplane.congestion.flows.FlowTableKind;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.sync.PortBoard;
import io.headgate.dataplane.policy.StopView;
import io.headgate.dataplane.queue.PriorityQueues;
import io.headgate.dataplane.random.NamedRandom;
import io.headgate.perf.engine.FrameBenchmark;
import java.util.List;
import java.util.Locale;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Measures the cost of RoCC's congestion point, with its flow table, per frame that joins a queue
 * and leaves it, in bursts of 32, including its share of the periods: every 40 us, which are 200
 * frames of 1,000 bytes at 40 Gb/s, all flows are notified. 128 frames wait all the time.
 *
 * <p>Notices are counted, or also written for the switch's local port: one for each flow and
 * period, whatever the number of frames.
 */
public class CongestionPointBenchmark extends FrameBenchmark {
    private static final long RATE_BPS = 40_000_000_000L;
    private static final int FRAMES = 1_024;
    private static final int BURST = 32;
    private static final int WAITING = 128;
    private static final long BURST_NS = BURST * 200L;
    private static final long PERIOD_NS = 40_000;
    private static final int TABLE_FLOWS = 1_024;
    private static final int NOTICES = 2_048;

    /** Flows whose frames come, at random. */
    @Param({"1", "100", "1000"})
    public int flows;

    /** The flow table. */
    @Param({"queued"})
    public String table = "queued";

    /** Whether notices are counted or written. */
    @Param({"counted", "written"})
    public String notices = "counted";

    private final Frame[] frames = new Frame[FRAMES + BURST];
    private final NoticeRing ring = new NoticeRing(NOTICES, () -> {});
    private CongestionPoint point = point(FlowTableKind.QUEUED, ring);
    private int next;
    private long nowNs;
    private long told;

    private static CongestionPoint point(FlowTableKind kind, Notices notices) {
        RoccConfig config =
                new RoccConfig(
                        150_000,
                        300_000,
                        360_000,
                        0.3,
                        1.5,
                        PERIOD_NS,
                        10_000_000,
                        600,
                        100_000_000,
                        RATE_BPS,
                        kind,
                        TABLE_FLOWS,
                        2 * PERIOD_NS,
                        10,
                        3,
                        RoccConfig.Computes.SWITCH,
                        List.of(TestFrames.PRIORITY));
        CongestionSetup setup =
                new CongestionSetup(
                        new CongestionSetup.Node("s1", false),
                        0,
                        RATE_BPS,
                        1_500,
                        new PriorityQueues(1_000_000),
                        StopView.NEVER,
                        notices,
                        PortBoard.NONE,
                        NamedRandom.of(1, "p1", "rocc"));
        return new Rocc().point(config, setup);
    }

    /** Fills the queue. */
    @Setup
    public void fill() {
        FlowTableKind kind =
                FlowTableKind.valueOf(table.toUpperCase(Locale.ROOT).replace('-', '_'));
        point = point(kind, notices.equals("written") ? ring : (_, _, _) -> count());
        TestFrames made = new TestFrames(FRAMES);
        NamedRandom random = NamedRandom.of(1, "benchmark", "flows");
        for (int i = 0; i < FRAMES; i++) {
            frames[i] = made.of(i, random.nextInt(flows));
        }
        for (int at = 0; at < WAITING; at += BURST) {
            point.enqueued(nowNs, TestFrames.PRIORITY, frames, at, at + BURST);
        }
        next = WAITING;
    }

    private boolean count() {
        told++;
        return true;
    }

    /** A burst joins, a burst leaves, and all flows may be due for notices. */
    @Benchmark
    @OperationsPerInvocation(BURST)
    public long pass() {
        nowNs += BURST_NS;
        point.enqueued(nowNs, TestFrames.PRIORITY, frames, next, next + BURST);
        int first = next - WAITING & FRAMES - 1;
        point.started(nowNs, frames, first, first + BURST);
        next = next + BURST & FRAMES - 1;
        if (point.deadlineNs() <= nowNs) {
            point.tick(nowNs);
            while (ring.next()) {
                ring.release();
                told++;
            }
        }
        return told;
    }

    /** At least one flow must have been notified, or the figure would measure something else. */
    @TearDown
    public void check() {
        if (told == 0 || ring.refused() > 0) {
            throw new IllegalStateException(told + " told, " + ring.refused() + " refused");
        }
    }
}
