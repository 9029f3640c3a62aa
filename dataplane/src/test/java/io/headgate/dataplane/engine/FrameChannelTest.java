package io.headgate.dataplane.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FrameChannelTest {
    private static final int SLOTS = 5_000;

    private final FrameRegion region = new FrameRegion(SLOTS, 512);

    @Test
    void channelWithinAWorkerKeepsEveryFrameInOrder() {
        keepsEveryFrameInOrder(new FrameChannel.Local(SLOTS));
    }

    @Test
    void ringBetweenWorkersKeepsEveryFrameInOrder() {
        keepsEveryFrameInOrder(new FrameChannel.Ring(SLOTS));
    }

    /** One by one and many at a time, up to all slots there are, against a plain queue. */
    private void keepsEveryFrameInOrder(FrameChannel channel) {
        long seed = 7;
        SplittableRandom random = new SplittableRandom(seed);
        Deque<Frame> expected = new ArrayDeque<>();
        Deque<Frame> free = new ArrayDeque<>();
        for (int slot = 0; slot < SLOTS; slot++) {
            free.add(region.frame(slot));
        }
        Frame[] batch = new Frame[64];
        for (int round = 0; round < 20_000; round++) {
            boolean filling = round / 500 % 2 == 0;
            int count = Math.min(free.size(), random.nextInt(filling ? 64 : 8));
            int from = random.nextInt(2);
            for (int i = from; i < from + count; i++) {
                batch[i] = free.remove();
                expected.add(batch[i]);
            }
            if (count == 1 && random.nextBoolean()) {
                channel.offer(batch[from]);
            } else {
                channel.offer(batch, from, count);
            }
            if (random.nextInt(filling ? 8 : 2) == 0) {
                int taken = channel.take(FrameChannel.BURST);
                for (int i = 0; i < taken; i++) {
                    Frame frame = channel.taken()[channel.takenFrom() + i];
                    assertThat(frame)
                            .as("seed %d, round %d", seed, round)
                            .isSameAs(expected.remove());
                    free.add(frame);
                }
            }
        }
    }
}
