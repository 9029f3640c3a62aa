package io.headgate.dataplane.engine;

import io.headgate.dataplane.Interleavings;
import io.headgate.dataplane.Interleavings.Scenario;
import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.counter.IngressCounter;
import java.util.ArrayDeque;
import java.util.List;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/** The order of its steps; for the memory model see {@link LearnRequestsStress}. */
final class LearnRequestsOrderTest {
    static final CounterBlock COUNTERS = counters();

    private static final int CAPACITY = 2;

    public static final class Requests {
        private final LearnRequests requests = new LearnRequests(CAPACITY, COUNTERS, inputs -> {});
        private long key;

        /** Answers whether it was taken. */
        @Operation(nonParallelGroup = "ingress half")
        public boolean request() {
            long before = COUNTERS.get(IngressCounter.LEARN_REFUSED);
            requests.request(0, ++key, 0);
            return COUNTERS.get(IngressCounter.LEARN_REFUSED) == before;
        }

        @Operation(nonParallelGroup = "owner")
        public long poll() {
            return requests.poll();
        }
    }

    public static final class Queue {
        private final ArrayDeque<Long> keys = new ArrayDeque<>();
        private long key;

        public boolean request() {
            key++;
            return keys.size() < CAPACITY && keys.add(key);
        }

        public long poll() {
            Long first = keys.poll();
            return first == null ? 0 : first;
        }
    }

    @Test
    void isAQueueHoweverBothEndsAreHeld() {
        Interleavings.check(
                Requests.class,
                Queue.class,
                new Scenario(
                        List.of("request", "request"),
                        List.of("request", "request"),
                        List.of("poll", "poll")));
    }

    private static CounterBlock counters() {
        CounterDirectory directory = new CounterDirectory();
        int block =
                directory.reserve(
                        CounterDirectory.Scope.INGRESS, 0, "p0", List.of(IngressCounter.values()));
        directory.bindPrivately();
        return directory.block(block);
    }
}
