package io.headgate.dataplane.counter;

/**
 * What a person reads of a counter.
 *
 * @param label lower case words joined by dots, e.g. {@code frames.received}
 * @param unit of the value, e.g. {@code frames}, {@code bytes}, {@code ns}
 * @param kind what a value means over time
 * @param description one line
 */
public record CounterText(String label, String unit, CounterId.Kind kind, String description) {
    /** Of what only grows. */
    public static CounterText total(String label, String unit, String description) {
        return new CounterText(label, unit, CounterId.Kind.TOTAL, description);
    }

    /** Of what rises and falls. */
    public static CounterText gauge(String label, String unit, String description) {
        return new CounterText(label, unit, CounterId.Kind.GAUGE, description);
    }
}
