package io.headgate.dataplane.runner;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * A record of errors while an engine runs, with one entry per kind, so that an error that occurs a
 * thousand times takes no more room than one that occurs once. Any thread may call it; workers do
 * so only when a duty has failed.
 */
public final class ErrorRecord {
    /** Kinds of errors while an engine runs. */
    public enum Kind {
        DUTY_FAILED(
                "a duty failed: a port is closed, and opened again with new state; another duty is"
                        + " called again"),
        SERVICE_FAILED("a service of the switch failed; it is made again a while later"),
        DEVICE_GONE("a port's device went away"),
        DEVICE_NOT_OPENED("a port's device could not be opened again"),
        PORT_STUCK("a port could not be looked after: its worker hangs, or its device fails"),
        DEVICE_UNFIT("a port's device makes frames wrong, loses them, or has no more");

        private final String meaning;

        Kind(String meaning) {
            this.meaning = meaning;
        }

        public String meaning() {
            return meaning;
        }
    }

    /**
     * All errors of one kind.
     *
     * @param firstEpochMs time of the first error, in ms since 1970; {@code lastEpochMs} of the
     *     last one
     * @param last text of the last error
     */
    public record Entry(Kind kind, long count, long firstEpochMs, long lastEpochMs, String last) {}

    private final Map<Kind, Entry> entries = new EnumMap<>(Kind.class);

    public synchronized void add(Kind kind, String what) {
        long nowMs = System.currentTimeMillis();
        Entry before = entries.get(kind);
        entries.put(
                kind,
                before == null
                        ? new Entry(kind, 1, nowMs, nowMs, what)
                        : new Entry(kind, before.count + 1, before.firstEpochMs, nowMs, what));
    }

    /** The kinds of errors that have occurred, in the order of {@link Kind}. */
    public synchronized List<Entry> entries() {
        return new ArrayList<>(entries.values());
    }
}
