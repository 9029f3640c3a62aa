package io.headgate.dataplane.queue;

import io.headgate.config.Mechanism;
import io.headgate.config.MechanismRegistry;
import io.headgate.config.Mechanisms;
import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.CounterId;
import io.headgate.dataplane.counter.CounterText;
import java.util.ArrayList;
import java.util.List;

/**
 * What the queues of one port count by themselves, and where it is published. Counters are laid out
 * for as many queues as the port's mechanism may ever have. Owned by the port's egress half.
 */
public final class QueueCounters {
    private record Counter(int ordinal, CounterText text) implements CounterId {}

    private final CounterBlock block;
    private final int eachQueue;

    // Queues that have a value there.
    private int published;

    /** Where {@link #ids} of the same mechanisms are counted. */
    public QueueCounters(CounterBlock block, Mechanisms mechanisms) {
        this.block = block;
        this.eachQueue =
                of(mechanisms).stream().mapToInt(mechanism -> mechanism.counters().size()).sum();
    }

    private static List<QueuesMechanism<?>> of(Mechanisms mechanisms) {
        List<QueuesMechanism<?>> found = new ArrayList<>();
        for (Mechanisms.Use use : mechanisms.of(Mechanism.Kind.QUEUES)) {
            if (MechanismRegistry.find(use.kind(), use.name())
                    instanceof QueuesMechanism<?> mechanism) {
                found.add(mechanism);
            }
        }
        return found;
    }

    /** The label of a queue's counter. */
    public static String label(String mechanism, String counter, int queue) {
        return mechanism + "." + counter + ".q" + queue;
    }

    /** The counters of a port with such mechanisms, be they on or off; there may be none. */
    public static List<CounterId> ids(Mechanisms mechanisms) {
        List<CounterId> ids = new ArrayList<>();
        for (QueuesMechanism<?> mechanism : of(mechanisms)) {
            for (int queue = 0; queue < mechanism.countedQueues(); queue++) {
                for (CounterText text : mechanism.counters()) {
                    ids.add(
                            new Counter(
                                    ids.size(),
                                    new CounterText(
                                            label(mechanism.name(), text.label(), queue),
                                            text.unit(),
                                            text.kind(),
                                            text.description() + ", queue " + queue)));
                }
            }
        }
        return ids;
    }

    /** Copies what queues have counted; of queues that there are no more, nothing is left. */
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
