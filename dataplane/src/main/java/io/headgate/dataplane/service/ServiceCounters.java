package io.headgate.dataplane.service;

import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.CounterId;
import io.headgate.dataplane.counter.CounterText;
import java.util.ArrayList;
import java.util.List;

/** What a service counts, by its place in {@link ServiceMechanism#counters}. */
public final class ServiceCounters {
    private static final CounterText FAILURES =
            CounterText.total(
                    "failures",
                    "times",
                    "times that the service failed; it is made again a while after each");

    private final CounterBlock block;
    private final List<CounterId> ids;

    private record Id(int ordinal, CounterText text) implements CounterId {}

    ServiceCounters(CounterBlock block, List<CounterId> ids) {
        this.block = block;
        this.ids = ids;
    }

    /** The counters of a service: its own, and the number of its failures. */
    static List<CounterId> ids(ServiceMechanism<?> mechanism) {
        List<CounterText> texts = new ArrayList<>(mechanism.counters());
        texts.add(FAILURES);
        List<CounterId> ids = new ArrayList<>();
        for (CounterText text : texts) {
            ids.add(new Id(ids.size(), text.of(mechanism.name())));
        }
        return ids;
    }

    /** Counts one more. */
    public void count(int counter) {
        block.add(ids.get(counter), 1);
    }

    void countFailure() {
        count(ids.size() - 1);
    }
}
