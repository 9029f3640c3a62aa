package io.headgate.dataplane.queue;

import io.headgate.config.Mechanism;
import io.headgate.config.MechanismRegistry;
import io.headgate.config.Mechanisms;
import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.CounterId;
import io.headgate.dataplane.counter.CounterText;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Publishes the counters that the queues of one port keep for each queue. Owned by the port's
 * egress half.
 */
public final class QueueCounters {
    /**
     * The counters of each queue.
     *
     * @param mechanism the queues' mechanism
     * @param queues maximum number of queues that the port may ever have
     */
    public record Layout(String mechanism, List<CounterText> counters, int queues) {
        /** The layout for a port's mechanism, on or off; null if its queues count nothing. */
        public static @Nullable Layout of(Mechanisms mechanisms) {
            for (Mechanisms.Use use : mechanisms.of(Mechanism.Kind.QUEUES)) {
                if (MechanismRegistry.find(use.kind(), use.name())
                                instanceof QueuesMechanism<?> mechanism
                        && mechanism.countedQueues() > 0) {
                    return new Layout(
                            mechanism.name(), mechanism.counters(), mechanism.countedQueues());
                }
            }
            return null;
        }

        private Stream<CounterText> ofQueue(int queue) {
            return counters.stream().map(text -> text.of(mechanism).atQueue(queue));
        }

        public List<CounterId> ids() {
            return CounterId.numbered(IntStream.range(0, queues).boxed().flatMap(this::ofQueue));
        }
    }

    private final CounterBlock block;
    private final int eachQueue;

    // Queues that have a value there.
    private int published;

    /** Counters in a block that has the {@link Layout#ids} of a layout. */
    public QueueCounters(CounterBlock block, Layout layout) {
        this.block = block;
        this.eachQueue = layout.counters().size();
    }

    /** Copies the counts of the queues; those of queues that no longer exist become 0. */
    public void publish(Queues queues) {
        int count = queues.countedQueues();
        for (int queue = 0; queue < Math.max(count, published); queue++) {
            for (int counter = 0; counter < eachQueue; counter++) {
                block.set(
                        queue * eachQueue + counter,
                        queue < count ? queues.counted(counter, queue) : 0);
            }
        }
        published = count;
    }
}
