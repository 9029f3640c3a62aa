package io.headgate.dataplane.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.policy.QueueFields;
import io.headgate.dataplane.policy.StopView;
import io.headgate.dataplane.random.NamedRandom;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A burst is marked, and counted, as its frames are one by one. */
final class BurstTest {
    private static final int BURST = 64;
    private static final int BURSTS = 20_000;
    private static final int QUEUE = 3;
    private static final int COUNTERS = 7;
    private static final int FRAME_BYTES = 1000;
    private static final long MAX_ON_NS = 20_000;
    private static final int ECT_1 = 1;
    private static final List<Integer> PRIORITIES = List.of(QUEUE);

    private long waiting;
    private long credit;
    private long endedNs;

    private final QueueFields fields =
            new QueueFields() {
                @Override
                public int queues() {
                    return 8;
                }

                @Override
                public int frames(int queue) {
                    return 0;
                }

                @Override
                public long bytes(int queue) {
                    return waiting;
                }

                @Override
                public long limitBytes(int queue) {
                    return Long.MAX_VALUE;
                }

                @Override
                public int headBytes(int queue) {
                    return FRAME_BYTES;
                }

                @Override
                public long headArrival(int queue) {
                    return 0;
                }
            };

    private final StopView stops =
            new StopView() {
                @Override
                public int stopped() {
                    return 0;
                }

                @Override
                public long endedNs(int queue) {
                    return endedNs;
                }

                @Override
                public long creditBytes(int queue) {
                    return credit;
                }
            };

    private CongestionPoint point(String name) {
        NamedRandom random = NamedRandom.of(1, "p0", name);
        CongestionSetup setup =
                new CongestionSetup(0, 10_000_000_000L, 1500, fields, stops, Notices.NONE, random);
        Mark.Field field = Mark.Field.ECN;
        return switch (name) {
            case "red" -> red(1, setup);
            case "averaged" -> red(0.1, setup);
            case "fecn" ->
                    new Fecn().point(new FecnConfig(10_000, false, field, PRIORITIES), setup);
            default ->
                    new Tcd()
                            .point(
                                    new TcdConfig(
                                            10_000,
                                            30_000,
                                            0.3,
                                            2_000,
                                            0.05,
                                            1_000,
                                            MAX_ON_NS,
                                            field,
                                            PRIORITIES),
                                    setup);
        };
    }

    private static CongestionPoint red(double weight, CongestionSetup setup) {
        return new Red().point(new RedConfig(10_000, 30_000, 0.3, weight, PRIORITIES), setup);
    }

    private static Frame[] frames(FrameRegion region, int from) {
        Frame[] frames = new Frame[BURST];
        Arrays.setAll(frames, i -> region.frame(from + i));
        return frames;
    }

    private static void fill(Frame frame, int bytes) {
        frame.lengthBytes = bytes;
        frame.storedBytes = bytes;
        frame.priority = QUEUE;
        frame.etherType = EtherType.IPV4;
        frame.ipOffset = Ethernet.HEADER_BYTES;
        frame.transportOffset = Frame.ABSENT;
        Ipv4.ecn(FrameRegion.MEMORY, frame.dataOffset + frame.ipOffset, ECT_1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"red", "averaged", "tcd", "fecn"})
    void aBurstIsMarkedAsItsFramesOneByOne(String name) {
        FrameRegion region = new FrameRegion(2 * BURST, 2048);
        Frame[] together = frames(region, 0);
        Frame[] alone = frames(region, BURST);
        CongestionPoint burst = point(name);
        CongestionPoint single = point(name);
        SplittableRandom random = new SplittableRandom(3);
        long nowNs = 0;
        long marked = 0;
        for (int i = 0; i < BURSTS; i++) {
            nowNs += random.nextInt(6_000);
            if (random.nextInt(20) == 0) {
                endedNs = nowNs;
                burst.released(nowNs, 1 << QUEUE);
                single.released(nowNs, 1 << QUEUE);
            }
            int count = random.nextInt(1, random.nextBoolean() ? 5 : BURST + 1);
            long behind = random.nextInt(40_000);
            long[] after = new long[count];
            for (int k = count - 1; k >= 0; k--) {
                int bytes = random.nextInt(64, FRAME_BYTES);
                fill(together[k], bytes);
                fill(alone[k], bytes);
                after[k] = behind;
                behind += bytes;
            }
            long left = random.nextInt(2 * FRAME_BYTES);
            waiting = after[count - 1];
            credit = left;
            burst.started(nowNs, together, 0, count);
            for (int k = 0; k < count; k++) {
                waiting = after[k];
                // The frame that follows had its credits.
                credit = k < count - 1 ? Long.MAX_VALUE : left;
                single.started(nowNs, alone, k, k + 1);
            }
            for (int k = 0; k < count; k++) {
                int mark = ecn(together[k]);
                assertThat(mark).as("frame %d of burst %d", k, i).isEqualTo(ecn(alone[k]));
                marked += mark == ECT_1 ? 0 : 1;
            }
            int counters = name.equals("tcd") ? COUNTERS : 2;
            for (int counter = 0; counter < counters; counter++) {
                assertThat(burst.counted(counter, QUEUE))
                        .as("counter %d after burst %d", counter, i)
                        .isEqualTo(single.counted(counter, QUEUE));
            }
        }
        assertThat(marked).as("frames marked").isPositive();
    }

    private static int ecn(Frame frame) {
        return Ipv4.ecn(FrameRegion.MEMORY, frame.dataOffset + frame.ipOffset);
    }
}
