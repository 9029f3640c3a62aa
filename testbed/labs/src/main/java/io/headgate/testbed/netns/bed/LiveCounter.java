package io.headgate.testbed.netns.bed;

import io.headgate.dataplane.counter.CounterDirectory.Entry;
import io.headgate.dataplane.counter.CounterId;
import java.util.function.LongSupplier;

/** A counter of a switch or a host's card on the real bed. Any thread may read it. */
record LiveCounter(Entry entry, LongSupplier now) {
    String unit() {
        return entry.unit();
    }

    boolean onlyGrows() {
        return entry.kind() == CounterId.Kind.TOTAL;
    }

    long value() {
        return now.getAsLong();
    }
}
