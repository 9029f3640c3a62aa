package io.headgate.dataplane.counter;

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

    /** Its names. */
    CounterText text();

    /** Lower case words joined by dots, e.g. {@code frames.received}. */
    default String label() {
        return text().label();
    }

    /** Unit of the value, e.g. {@code frames}, {@code bytes}, {@code ns}. */
    default String unit() {
        return text().unit();
    }

    /** What a value means over time. */
    default Kind kind() {
        return text().kind();
    }

    /** One line, for a person. */
    default String description() {
        return text().description();
    }
}
