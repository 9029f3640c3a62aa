package example;

import io.headgate.dataplane.policy.Admit;
import io.headgate.dataplane.policy.QueueFields;
import io.headgate.dataplane.policy.Schedule;
import io.headgate.dataplane.queue.Queues;
import io.headgate.dataplane.queue.QueuesMechanism;
import io.headgate.dataplane.queue.QueuesSetup;

/** One buffer for all priorities of a port, whose frames leave in the order in which they came. */
public final class FirstCome implements QueuesMechanism<FirstComeConfig> {
    @Override
    public Queues queues(FirstComeConfig configuration, QueuesSetup setup) {
        return setup.byPriority(new Earliest(), new Shared(configuration.limitBytes()));
    }

    /** Which queue is served next: the one whose first frame came before those of all others. */
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
        public void started(int queue, long cost, boolean empty) {}
    }

    /** Which frame is taken: one that fits in what all queues hold together. */
    private record Shared(long limitBytes) implements Admit {
        @Override
        public boolean admits(QueueFields queues, int queue, int frameBytes) {
            long bytes = frameBytes;
            for (int other = 0; other < queues.queues(); other++) {
                bytes += queues.bytes(other);
            }
            return bytes <= limitBytes;
        }
    }
}
