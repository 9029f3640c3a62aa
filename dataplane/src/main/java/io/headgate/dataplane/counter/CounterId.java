package io.headgate.dataplane.counter;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** One counter of a block: implemented by enums, whose ordinal is the place in the block. */
public interface CounterId {

    /** What a value means over time. */
    enum Kind {
        /** Only grows. */
        TOTAL,
        /** Rises and falls. */
        GAUGE,
        /** The largest value seen since it was last cleared. */
        MAXIMUM
    }

    /** Place in the block. */
    int ordinal();

    CounterText text();

    /** Counters in this order, each at the place of its number. */
    static List<CounterId> numbered(Stream<CounterText> texts) {
        record Numbered(int ordinal, CounterText text) implements CounterId {}
        List<CounterId> ids = new ArrayList<>();
        texts.forEach(text -> ids.add(new Numbered(ids.size(), text)));
        return List.copyOf(ids);
    }

    default String label() {
        return text().label();
    }

    default String unit() {
        return text().unit();
    }

    default Kind kind() {
        return text().kind();
    }

    default String description() {
        return text().description();
    }
}
