package io.headgate.dataplane.service;

import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.CounterId;
import io.headgate.dataplane.counter.CounterText;
import java.util.List;
import java.util.stream.Stream;

/** Counters of a service, by their place in {@link ServiceMechanism#counters}. */
public final class ServiceCounters {
    private static final CounterText FAILURES =
            CounterText.total(
                    "failures",
                    "times",
                    "times that the service failed; it is made again a while after each");

    private final CounterBlock block;
    private final List<CounterId> ids;

    ServiceCounters(CounterBlock block, List<CounterId> ids) {
        this.block = block;
        this.ids = ids;
    }

    /** The counters of a service: its own, and the number of its failures. */
    static List<CounterId> ids(ServiceMechanism<?> mechanism) {
        return CounterId.numbered(
                Stream.concat(mechanism.counters().stream(), Stream.of(FAILURES))
                        .map(text -> text.of(mechanism.name())));
    }

    public void count(int counter) {
        block.add(ids.get(counter), 1);
    }

    void countFailure() {
        count(ids.size() - 1);
    }
}
