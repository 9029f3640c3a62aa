package io.headgate.dataplane.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.policy.StopView;
import io.headgate.dataplane.queue.PriorityQueues;
import io.headgate.dataplane.random.NamedRandom;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Frames are marked as they would be if their detector were asked about each, one after the other:
 * whether they start at once, or it is sure what it would say.
 */
final class BurstTest {
    private static final int QUEUE = 3;
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

    private static Detector detector(String name, PriorityQueues queues, StopView stops) {
        double weight = name.equals("averaged") ? 0.2 : 1;
        RedDetector red =
                new RedDetector(
                        10_000,
                        name.equals("tcd") ? 10_000 : 30_000,
                        0.3,
                        weight,
                        10_000_000_000L,
                        NamedRandom.of(1, "p1", name));
        return switch (name) {
            case "fecn" -> new FecnDetector(10_000, false, QUEUE, queues, stops, FRAME_BYTES);
            case "tcd", "tcd that draws" ->
                    new TcdDetector(red, MAX_ON_NS, MAX_ON_NS, 2_000, FRAME_BYTES);
            default -> red;
        };
    }

    /** Ends when it is told to; frames take its credits, and now and then there are more. */
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
        Detector oneByOne = detector(name, queues, stops);
        Asked atOnce = new Asked(detector(name, queues, stops));
        MarkingPoint point = point(queues, stops, atOnce);
        Set<Integer> seen = new HashSet<>();
        long nowNs = 0;
        int waiting = 0;
        long marked = 0;
        long incapable = 0;
        long undetermined = 0;
        for (int burst = 0; burst < BURSTS; burst++) {
            nowNs += random.nextInt(1_600);
            for (; waiting < WAITING && random.nextInt(5) > 0; waiting++) {
                queues.enqueue(prepared(region.frame(LONGEST + waiting), random));
            }
            if (random.nextInt(10) == 0) {
                for (; waiting > 0; waiting--) {
                    queues.dequeue();
                }
            }
            if (random.nextInt(30) == 0) {
                oneByOne.released(nowNs, queues.bytes(QUEUE), waiting);
                stops.endedNs = nowNs;
                point.released(nowNs, 1 << QUEUE);
            }
            int count = 1 + random.nextInt(MOST[random.nextInt(MOST.length)]);
            long behind = queues.bytes(QUEUE);
            for (int i = 0; i < count; i++) {
                behind += prepared(frames[i], random).lengthBytes;
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
                behind -= bytes;
                int mark = oneByOne.started(nowNs, bytes, behind);
                seen.add(mark);
                long ip = frames[i].dataOffset + frames[i].ipOffset;
                int before = i % INCAPABLE_EACH == 0 ? NOT_ECT : ECT_1;
                boolean isMarked = mark != Mark.NONE && before != NOT_ECT;
                assertThat(Ipv4.ecn(FrameRegion.MEMORY, ip))
                        .as("burst %d, frame %d", burst, i)
                        .isEqualTo(isMarked ? mark : before);
                marked += isMarked && mark == Mark.CONGESTION ? 1 : 0;
                undetermined += isMarked && mark == Mark.UNDETERMINED ? 1 : 0;
                incapable += mark != Mark.NONE && !isMarked ? 1 : 0;
            }
            for (int counter = 0; counter < TcdDetector.COUNTERS.size(); counter++) {
                assertThat(point.counted(OWN + counter, QUEUE))
                        .isEqualTo(oneByOne.counted(counter));
            }
        }
        assertThat(point.counted(0, QUEUE)).isEqualTo(marked).isPositive();
        assertThat(point.counted(1, QUEUE)).isEqualTo(incapable).isPositive();
        assertThat(point.counted(2, QUEUE)).isEqualTo(undetermined);
        if (Set.of("red", "tcd", "fecn").contains(name)) {
            assertThat(atOnce.times).as("asked").isLessThan(BURSTS * 4 / 5);
        }
        assertThat(seen).contains(Mark.NONE, Mark.CONGESTION);
        assertThat(seen.contains(Mark.UNDETERMINED)).isEqualTo(name.startsWith("tcd"));
    }

    private static Frame prepared(Frame frame, SplittableRandom random) {
        frame.priority = QUEUE;
        frame.lengthBytes = 64 + random.nextInt(FRAME_BYTES);
        frame.storedBytes = frame.lengthBytes;
        frame.etherType = EtherType.IPV4;
        frame.ipOffset = Ethernet.HEADER_BYTES;
        frame.transportOffset = Frame.ABSENT;
        Ipv4.ecn(FrameRegion.MEMORY, frame.dataOffset + frame.ipOffset, ECT_1);
        return frame;
    }

    private static MarkingPoint point(PriorityQueues queues, StopView stops, Detector detector) {
        @Nullable Detector[] detectors = new Detector[8];
        detectors[QUEUE] = detector;
        return new MarkingPoint(
                new CongestionSetup(
                        0,
                        10_000_000_000L,
                        FRAME_BYTES,
                        queues,
                        stops,
                        Notices.NONE,
                        NamedRandom.of(1, "p1", "test")),
                detectors,
                Mark.Field.ECN,
                OWN,
                null);
    }
}
