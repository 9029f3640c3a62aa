package io.headgate.dataplane.queue;

import io.headgate.config.Mechanism;
import io.headgate.dataplane.counter.CounterText;
import java.util.List;

/**
 * A mechanism that supplies the queues of a port: they decide which frames are admitted, and which
 * is sent next. If the file {@code META-INF/services/io.headgate.config.Mechanism} of its jar names
 * it, it can be configured below {@code queues} of any port. Pass a new schedule or admission to
 * {@link QueuesSetup#byPriority}; for queues other than one per priority implement {@link Queues}.
 *
 * @param <C> its configuration
 */
public interface QueuesMechanism<C extends Record> extends Mechanism<C> {

    @Override
    default Kind kind() {
        return Kind.QUEUES;
    }

    /**
     * Makes the empty queues of a port. Called again when the mechanism's configuration or a part
     * of the setup changes while the port runs; the waiting frames then move to the new queues. The
     * calling thread is not the port's owner, which receives the queues afterwards, so no frame
     * waits for the call.
     */
    Queues queues(C configuration, QueuesSetup setup);

    /** Counters that each of its queues keeps ({@link Queues#counted}); none by default. */
    default List<CounterText> counters() {
        return List.of();
    }

    /** Maximum number of queues with such counters. */
    default int countedQueues() {
        return 0;
    }
}
