package io.headgate.dataplane.queue;

import io.headgate.config.key.Key;
import io.headgate.config.key.Says;
import io.headgate.dataplane.policy.QueueFields;
import io.headgate.dataplane.policy.Schedule;

/** Queues as a researcher's own: frames leave in the order in which they came. */
public final class Arrived implements QueuesMechanism<Arrived.Configuration> {

    /**
     * How much it takes.
     *
     * @param frames that each queue of a lossy priority holds
     */
    public record Configuration(
            @Key(min = "1", max = "1000", absent = "1000") @Says("Frames that each queue holds.")
                    int frames) {}

    @Override
    public String name() {
        return "arrived";
    }

    @Override
    public String says() {
        return "Frames leave in the order in which they came.";
    }

    @Override
    public Class<Configuration> configuration() {
        return Configuration.class;
    }

    @Override
    public Queues queues(Configuration configuration, QueuesSetup setup) {
        int frames = configuration.frames();
        return setup.byPriority(
                new Earliest(), (queues, queue, bytes) -> queues.frames(queue) < frames);
    }

    private record Earliest() implements Schedule {
        @Override
        public boolean readsArrivals() {
            return true;
        }

        @Override
        public int select(QueueFields queues, int candidates) {
            int earliest = Integer.numberOfTrailingZeros(candidates);
            for (int rest = candidates; rest != 0; rest &= rest - 1) {
                int queue = Integer.numberOfTrailingZeros(rest);
                if (queues.headArrival(queue) < queues.headArrival(earliest)) {
                    earliest = queue;
                }
            }
            return earliest;
        }

        @Override
        public void started(int queue, long cost, boolean empty) {
            // Nothing is remembered.
        }
    }
}
