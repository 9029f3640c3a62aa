package io.headgate.dataplane.congestion;

import static io.headgate.config.TrafficConfig.PRIORITIES;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.sync.PortBoard;
import io.headgate.dataplane.policy.StopView;
import io.headgate.dataplane.queue.PriorityQueues;
import io.headgate.dataplane.random.NamedRandom;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The calls that a detector of one priority receives. */
final class MarkingPointTest {
    private static final int QUEUE = 5;

    private static final class Recording implements Detector {
        final List<Long> told = new ArrayList<>();

        @Override
        public int started(long nowNs, int frameBytes, long behindBytes) {
            return Mark.NONE;
        }

        @Override
        public void released(long endedNs, long queuedBytes, int queuedFrames) {
            told.addAll(List.of(endedNs, queuedBytes, (long) queuedFrames));
        }

        @Override
        public void reset(long nowNs) {
            told.clear();
        }
    }

    /** Each queue's stop ended at its number times 100. */
    private static final class Ended implements StopView {
        @Override
        public int stopped() {
            return 0;
        }

        @Override
        public long endedNs(int queue) {
            return 100L * queue;
        }

        @Override
        public long creditBytes(int queue) {
            return Long.MAX_VALUE;
        }
    }

    private static CongestionSetup setup(PriorityQueues queues) {
        return new CongestionSetup(
                new CongestionSetup.Node("s1", false),
                0,
                1_000_000_000,
                1500,
                queues,
                new Ended(),
                Notices.NONE,
                PortBoard.NONE,
                NamedRandom.of(1, "p0", "test"));
    }

    /** Looks every 100 ns, and twice more once its queue is empty. */
    private static final class Looking implements Detector {
        final List<Long> looks = new ArrayList<>();
        private int left = 2;

        @Override
        public int started(long nowNs, int frameBytes, long behindBytes) {
            return Mark.NONE;
        }

        @Override
        public long periodNs() {
            return 100;
        }

        @Override
        public boolean tick(long nowNs, long queuedBytes, int queuedFrames) {
            looks.addAll(List.of(nowNs, queuedBytes, (long) queuedFrames));
            return queuedBytes > 0 || left-- > 0;
        }
    }

    @Test
    void aDetectorLooksInPeriodsFromItsQueuesFirstFrameUntilNothingDecays() {
        PriorityQueues queues = new PriorityQueues(10_000);
        Frame frame = new FrameRegion(1, 2048).frame(0);
        frame.priority = QUEUE;
        frame.lengthBytes = 700;
        Looking detector = new Looking();
        @Nullable Detector[] detectors = new Detector[PRIORITIES];
        detectors[QUEUE] = detector;
        detectors[3] = new Recording();
        MarkingPoint point = new MarkingPoint(setup(queues), detectors);
        point.enqueued(40, 3, new Frame[] {frame}, 0, 1);
        assertThat(point.deadlineNs()).as("that one has no period").isEqualTo(Long.MAX_VALUE);
        queues.enqueue(frame);
        point.enqueued(50, QUEUE, new Frame[] {frame}, 0, 1);
        assertThat(point.deadlineNs()).isEqualTo(150);
        point.enqueued(60, QUEUE, new Frame[] {frame}, 0, 1);
        assertThat(point.tick(150)).isEqualTo(1);
        assertThat(point.deadlineNs()).isEqualTo(250);
        // A look that comes late is one.
        assertThat(point.tick(990)).isEqualTo(1);
        assertThat(point.deadlineNs()).isEqualTo(1_090);
        queues.drain();
        point.tick(1_090);
        point.tick(1_190);
        point.tick(1_290);
        assertThat(point.deadlineNs()).isEqualTo(Long.MAX_VALUE);
        assertThat(detector.looks)
                .containsExactly(
                        150L, 700L, 1L, 990L, 700L, 1L, 1_090L, 0L, 0L, 1_190L, 0L, 0L, 1_290L, 0L,
                        0L);
        point.enqueued(2_000, QUEUE, new Frame[] {frame}, 0, 1);
        assertThat(point.deadlineNs()).isEqualTo(2_100);
        point.reset(2_050);
        assertThat(point.deadlineNs()).isEqualTo(Long.MAX_VALUE);
    }

    /** As configurations change more often than it looks, and where its queue is empty. */
    @Test
    void anotherPointGoesOnLookingWhenTheOneBeforeWouldHave() {
        @Nullable Detector[] detectors = new Detector[PRIORITIES];
        detectors[QUEUE] = new Looking();
        PriorityQueues queues = new PriorityQueues(10_000);
        MarkingPoint point = new MarkingPoint(setup(queues), detectors);
        point.enqueued(50, QUEUE, new Frame[] {new FrameRegion(1, 512).frame(0)}, 0, 1);
        for (int change = 0; change < 3; change++) {
            MarkingPoint next = new MarkingPoint(setup(queues), detectors);
            next.goOnFrom(point);
            point = next;
        }
        assertThat(point.deadlineNs()).isEqualTo(150);
        assertThat(point.tick(150)).isEqualTo(1);
    }

    @Test
    void aDetectorHearsWhenItsQueueWasReleasedAndWhatWaitsInIt() {
        PriorityQueues queues = new PriorityQueues(10_000);
        FrameRegion region = new FrameRegion(2, 2048);
        for (int i = 0; i < 2; i++) {
            Frame frame = region.frame(i);
            frame.priority = QUEUE;
            frame.lengthBytes = 700;
            queues.enqueue(frame);
        }
        Recording detector = new Recording();
        @Nullable Detector[] detectors = new Detector[PRIORITIES];
        detectors[QUEUE] = detector;
        MarkingPoint point = new MarkingPoint(setup(queues), detectors);
        point.released(900, 1 << 3);
        assertThat(detector.told).as("it is another's").isEmpty();
        point.released(900, 1 << 3 | 1 << QUEUE);
        assertThat(detector.told).containsExactly(500L, 1_400L, 2L);
        assertThat(point.deadlineNs()).isEqualTo(Long.MAX_VALUE);
    }
}
