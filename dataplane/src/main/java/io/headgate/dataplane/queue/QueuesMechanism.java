package io.headgate.dataplane.queue;

import io.headgate.config.Mechanism;
import io.headgate.dataplane.counter.CounterText;
import java.util.List;

/**
 * A mechanism that queues the frames of a port: which of them it takes, and which is sent next.
 * Named in the file {@code META-INF/services/io.headgate.config.Mechanism} of its jar, it can stand
 * below {@code queues} of any port. A scheduler or an admission of one's own is given to {@link
 * QueuesSetup#byPriority}; other queues than one per priority implement {@link Queues}.
 *
 * @param <C> its configuration
 */
public interface QueuesMechanism<C extends Record> extends Mechanism<C> {

    @Override
    default Kind kind() {
        return Kind.QUEUES;
    }

    /**
     * Makes the queues of a port, empty. Asked again when its own configuration changes while the
     * port runs, or what else is in the setup; the new queues are then given the frames that wait.
     * Called by a thread that no frame waits for; the queues are another's from then on.
     */
    Queues queues(C configuration, QueuesSetup setup);

    /** What its queues count, each of them by itself ({@link Queues#counted}); none by default. */
    default List<CounterText> counters() {
        return List.of();
    }

    /** Most queues that such counters are kept for. */
    default int countedQueues() {
        return 0;
    }
}
