package io.headgate.dataplane.counter;

import java.util.Locale;

/**
 * The description of a counter for a person.
 *
 * @param label lower case words joined by dots, e.g. {@code frames.received}; empty until it is
 *     {@link #named}
 * @param unit of the value, e.g. {@code frames}, {@code bytes}, {@code ns}
 * @param kind what a value means over time
 * @param description one line
 */
public record CounterText(String label, String unit, CounterId.Kind kind, String description) {
    /** The counter only grows. */
    public static CounterText total(String label, String unit, String description) {
        return new CounterText(label, unit, CounterId.Kind.TOTAL, description);
    }

    public static CounterText total(String unit, String description) {
        return total("", unit, description);
    }

    /** The value rises and falls. */
    public static CounterText gauge(String label, String unit, String description) {
        return new CounterText(label, unit, CounterId.Kind.GAUGE, description);
    }

    public static CounterText gauge(String unit, String description) {
        return gauge("", unit, description);
    }

    /** The counter keeps the largest value. */
    public static CounterText maximum(String label, String unit, String description) {
        return new CounterText(label, unit, CounterId.Kind.MAXIMUM, description);
    }

    public static CounterText maximum(String unit, String description) {
        return maximum("", unit, description);
    }

    /** The same counter with a mechanism's name before its label: {@code red.marked}. */
    public CounterText of(String mechanism) {
        if (label.isEmpty()) {
            throw new IllegalStateException(
                    ("%s: its counter of %s (\"%s\") has no label; give it one, such as"
                                    + " CounterText.total(\"marked\", \"frames\", \"frames"
                                    + " marked\")")
                            .formatted(mechanism, unit, description));
        }
        return new CounterText(mechanism + "." + label, unit, kind, description);
    }

    /** The same counter for a priority: {@code red.marked.p3}, "…, priority 3". */
    public CounterText atPriority(int priority) {
        return at("priority", priority);
    }

    /** The same counter for a queue: {@code fair.dropped.q2}, "…, queue 2". */
    public CounterText atQueue(int queue) {
        return at("queue", queue);
    }

    private CounterText at(String place, int number) {
        return new CounterText(
                label + "." + place.charAt(0) + number,
                unit,
                kind,
                description + ", " + place + " " + number);
    }

    /** Labels it by a constant's name, such as {@code FRAMES_RECEIVED}, unless it has a label. */
    public CounterText named(String words) {
        return label.isEmpty()
                ? new CounterText(
                        words.toLowerCase(Locale.ROOT).replace('_', '.'), unit, kind, description)
                : this;
    }
}
