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

/** What a detector of one priority is told. */
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
        CongestionSetup setup =
                new CongestionSetup(
                        0,
                        1_000_000_000,
                        1500,
                        queues,
                        new Ended(),
                        Notices.NONE,
                        PortBoard.NONE,
                        NamedRandom.of(1, "p0", "test"));
        MarkingPoint point = new MarkingPoint(setup, detectors);
        point.released(900, 1 << 3);
        assertThat(detector.told).as("it is another's").isEmpty();
        point.released(900, 1 << 3 | 1 << QUEUE);
        assertThat(detector.told).containsExactly(500L, 1_400L, 2L);
        assertThat(point.deadlineNs()).isEqualTo(Long.MAX_VALUE);
    }
}
