package io.headgate.dataplane.congestion;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.congestion.TcdConfig.Trend;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.sync.PortBoard;
import io.headgate.dataplane.policy.StopView;
import io.headgate.dataplane.queue.PriorityQueues;
import io.headgate.dataplane.random.NamedRandom;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Frames are marked as they would be if their detector were asked about each, one after the other:
 * whether they start at once, also with frames of other queues, or it is sure what it would say.
 */
final class BurstTest {
    private static final int[] WATCHED = {3, 5};
    private static final int[] QUEUES = {3, 3, 3, 5, 6};
    private static final int BURSTS = 5_000;
    private static final int LONGEST = 80;
    private static final int[] MOST = {1, 1, 1, 20, 20, LONGEST};
    private static final int WAITING = 40;
    private static final int FRAME_BYTES = 1000;
    private static final int ECT_1 = 1;
    private static final int NOT_ECT = 0;
    private static final int INCAPABLE_EACH = 4;
    private static final int OWN = MarkingPoint.TERNARY_COUNTERS.size();
    private static final int MOST_CREDITS = 400_000;
    private static final long MAX_ON_NS = 3_000;

    private static Detector detector(
            String name, int queue, PriorityQueues queues, StopView stops) {
        double weight = name.equals("averaged") ? 0.2 : 1;
        RedDetector red =
                new RedDetector(
                        10_000,
                        name.equals("tcd") ? 10_000 : 30_000,
                        0.3,
                        weight,
                        10_000_000_000L,
                        NamedRandom.of(queue, "p1", name));
        return switch (name) {
            case "fecn" -> new FecnDetector(10_000, false, queue, queues, stops, FRAME_BYTES);
            case "tcd", "tcd that draws" ->
                    new TcdDetector(red, MAX_ON_NS, trend(name), 2_000, FRAME_BYTES);
            default -> red;
        };
    }

    private static QueueTrend trend(String name) {
        return new QueueTrend(name.equals("tcd") ? Trend.PERIOD : Trend.SLIDING, MAX_ON_NS);
    }

    /** A stop ends on command; frames take its credits, and now and then it gets more. */
    private static final class Stops implements StopView {
        private long endedNs = LONG_AGO_NS;
        private long credits;

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
            return credits;
        }
    }

    /** Counts how often another is asked. */
    private static final class Asked implements Detector {
        private final Detector detector;
        private int times;

        Asked(Detector detector) {
            this.detector = detector;
        }

        @Override
        public int started(long nowNs, int frameBytes, long behindBytes) {
            times++;
            return detector.started(nowNs, frameBytes, behindBytes);
        }

        @Override
        public void started(long nowNs, Burst burst, MarkingPoint marks) {
            times++;
            detector.started(nowNs, burst, marks);
        }

        @Override
        public void foresee(long behindBytes, Outlook outlook) {
            detector.foresee(behindBytes, outlook);
        }

        @Override
        public void passed(int frames, long lastNs) {
            detector.passed(frames, lastNs);
        }

        @Override
        public void released(long endedNs, long queuedBytes, int queuedFrames) {
            detector.released(endedNs, queuedBytes, queuedFrames);
        }

        @Override
        public long counted(int counter) {
            return detector.counted(counter);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"red", "averaged", "tcd", "tcd that draws", "fecn"})
    void asOneByOne(String name) {
        FrameRegion region = new FrameRegion(LONGEST + WAITING, 2048);
        Frame[] frames = IntStream.range(0, LONGEST).mapToObj(region::frame).toArray(Frame[]::new);
        PriorityQueues queues = new PriorityQueues(Long.MAX_VALUE / 2);
        SplittableRandom random = new SplittableRandom(5);
        Stops stops = new Stops();
        @Nullable Detector[] oneByOne = new Detector[8];
        @Nullable Detector[] atOnce = new Detector[8];
        for (int queue : WATCHED) {
            oneByOne[queue] = detector(name, queue, queues, stops);
            atOnce[queue] = new Asked(detector(name, queue, queues, stops));
        }
        MarkingPoint point = point(queues, stops, atOnce);
        Set<Integer> seen = new HashSet<>();
        long nowNs = 0;
        int waiting = 0;
        long[] marked = new long[8];
        long[] incapable = new long[8];
        long[] undetermined = new long[8];
        for (int burst = 0; burst < BURSTS; burst++) {
            nowNs += random.nextInt(1_600);
            for (; waiting < WAITING && random.nextInt(5) > 0; waiting++) {
                queues.enqueue(prepared(region.frame(LONGEST + waiting), any(random), random));
            }
            if (random.nextInt(10) == 0) {
                for (; waiting > 0; waiting--) {
                    queues.dequeue();
                }
            }
            if (random.nextInt(30) == 0) {
                int queue = WATCHED[random.nextInt(WATCHED.length)];
                requireNonNull(oneByOne[queue])
                        .released(nowNs, queues.bytes(queue), queues.frames(queue));
                stops.endedNs = nowNs;
                point.released(nowNs, 1 << queue);
            }
            int count = 1 + random.nextInt(MOST[random.nextInt(MOST.length)]);
            int change = random.nextInt(4) == 0 ? 10 : Integer.MAX_VALUE;
            int queueNow = any(random);
            long[] behind = new long[8];
            Arrays.setAll(behind, queues::bytes);
            for (int i = 0; i < count; i++) {
                queueNow = random.nextInt(change) == 0 ? any(random) : queueNow;
                behind[queueNow] += prepared(frames[i], queueNow, random).lengthBytes;
                if (i % INCAPABLE_EACH == 0) {
                    long ip = frames[i].dataOffset + frames[i].ipOffset;
                    Ipv4.ecn(FrameRegion.MEMORY, ip, NOT_ECT);
                }
                stops.credits = Math.max(0, stops.credits - frames[i].lengthBytes);
            }
            if (random.nextInt(20) == 0) {
                stops.credits += random.nextInt(MOST_CREDITS);
            }
            point.started(nowNs, frames, 0, count);
            for (int i = 0; i < count; i++) {
                int bytes = frames[i].lengthBytes;
                int queue = frames[i].priority;
                behind[queue] -= bytes;
                Detector reference = oneByOne[queue];
                int mark =
                        reference == null
                                ? Mark.NONE
                                : reference.started(nowNs, bytes, behind[queue]);
                seen.add(mark);
                long ip = frames[i].dataOffset + frames[i].ipOffset;
                int before = i % INCAPABLE_EACH == 0 ? NOT_ECT : ECT_1;
                boolean isMarked = mark != Mark.NONE && before != NOT_ECT;
                assertThat(Ipv4.ecn(FrameRegion.MEMORY, ip))
                        .as("burst %d, frame %d, queue %d", burst, i, queue)
                        .isEqualTo(isMarked ? mark : before);
                marked[queue] += isMarked && mark == Mark.CONGESTION ? 1 : 0;
                undetermined[queue] += isMarked && mark == Mark.UNDETERMINED ? 1 : 0;
                incapable[queue] += mark != Mark.NONE && !isMarked ? 1 : 0;
            }
            for (int queue : WATCHED) {
                for (int counter = 0; counter < TcdDetector.COUNTERS.size(); counter++) {
                    assertThat(point.counted(OWN + counter, queue))
                            .isEqualTo(requireNonNull(oneByOne[queue]).counted(counter));
                }
            }
        }
        int asked = 0;
        for (int queue : WATCHED) {
            assertThat(point.counted(0, queue)).isEqualTo(marked[queue]).isPositive();
            assertThat(point.counted(1, queue)).isEqualTo(incapable[queue]).isPositive();
            assertThat(point.counted(3, queue)).isEqualTo(undetermined[queue]);
            asked += ((Asked) requireNonNull(atOnce[queue])).times;
        }
        if (Set.of("red", "tcd", "fecn").contains(name)) {
            assertThat(asked).as("asked").isLessThan(BURSTS * 2);
        }
        assertThat(seen).contains(Mark.NONE, Mark.CONGESTION);
        assertThat(seen.contains(Mark.UNDETERMINED)).isEqualTo(name.startsWith("tcd"));
    }

    private static int any(SplittableRandom random) {
        return QUEUES[random.nextInt(QUEUES.length)];
    }

    private static Frame prepared(Frame frame, int queue, SplittableRandom random) {
        frame.priority = queue;
        frame.lengthBytes = 64 + random.nextInt(FRAME_BYTES);
        frame.storedBytes = frame.lengthBytes;
        frame.etherType = EtherType.IPV4;
        frame.ipOffset = Ethernet.HEADER_BYTES;
        frame.transportOffset = Frame.ABSENT;
        Ipv4.ecn(FrameRegion.MEMORY, frame.dataOffset + frame.ipOffset, ECT_1);
        return frame;
    }

    private static MarkingPoint point(
            PriorityQueues queues, StopView stops, @Nullable Detector[] detectors) {
        return new MarkingPoint(
                new CongestionSetup(
                        new CongestionSetup.Node("s1", false),
                        0,
                        10_000_000_000L,
                        FRAME_BYTES,
                        queues,
                        stops,
                        Notices.NONE,
                        PortBoard.NONE,
                        NamedRandom.of(1, "p1", "test")),
                detectors,
                Mark.Field.ECN,
                OWN,
                null);
    }
}
