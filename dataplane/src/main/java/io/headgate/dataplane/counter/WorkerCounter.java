package io.headgate.dataplane.counter;

/** What a worker counts. */
public enum WorkerCounter implements CounterId {
    CYCLES("cycles", "cycles", Kind.TOTAL, "duty cycles run"),
    EMPTY_CYCLES("cycles.empty", "cycles", Kind.TOTAL, "duty cycles that found nothing to do"),
    BUSY_NS("busy", "ns", Kind.TOTAL, "time spent in duty cycles that did something"),
    IDLE_NS(
            "idle",
            "ns",
            Kind.TOTAL,
            "time spent in empty duty cycles, spinning, yielding and asleep"),
    WORK("work", "items", Kind.TOTAL, "work items done, as duties count them"),
    LONGEST_CYCLE_NS(
            "cycle.longest",
            "ns",
            Kind.MAXIMUM,
            "longest duty cycle, empty ones and what other processes took included"),
    STALLS(
            "cycles.over.threshold",
            "cycles",
            Kind.TOTAL,
            "duty cycles longer than the stall threshold"),
    STALLED_NS("stalled", "ns", Kind.TOTAL, "time in duty cycles longer than the stall threshold"),
    SLEEPS("sleeps", "sleeps", Kind.TOTAL, "times the worker slept in ppoll"),
    LATENESS_NS(
            "wakeup.lateness", "ns", Kind.TOTAL, "sum of how late the worker woke for a deadline"),
    LATENESS_MAX_NS("wakeup.lateness.max", "ns", Kind.MAXIMUM, "latest wake-up for a deadline"),
    FAILURES("duty.failures", "failures", Kind.TOTAL, "duties stopped because they failed"),
    CORE("core", "core", Kind.GAUGE, "core the worker is pinned to; -1: not pinned");

    @SuppressWarnings("ImmutableEnumChecker") // of strings and an enum
    private final CounterText text;

    WorkerCounter(String label, String unit, Kind kind, String description) {
        this.text = new CounterText(label, unit, kind, description);
    }

    @Override
    public CounterText text() {
        return text;
    }
}
