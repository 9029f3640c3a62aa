package io.headgate.dataplane.counter;

import static io.headgate.dataplane.counter.CounterText.gauge;
import static io.headgate.dataplane.counter.CounterText.maximum;
import static io.headgate.dataplane.counter.CounterText.total;

/** Counters of a worker. */
public enum WorkerCounter implements CounterId {
    CYCLES(total("cycles", "duty cycles run")),
    EMPTY_CYCLES(total("cycles.empty", "cycles", "duty cycles that found no work")),
    BUSY_NS(total("busy", "ns", "time spent in duty cycles that did work")),
    IDLE_NS(total("idle", "ns", "time spent in empty duty cycles, spinning, yielding and asleep")),
    WORK(total("items", "work items done, as duties count them")),
    LONGEST_CYCLE_NS(
            maximum(
                    "cycle.longest",
                    "ns",
                    "longest duty cycle, including empty ones and time that other processes took")),
    STALLS(total("cycles.over.threshold", "cycles", "duty cycles longer than the stall threshold")),
    STALLED_NS(total("stalled", "ns", "time in duty cycles longer than the stall threshold")),
    SLEEPS(total("sleeps", "times the worker slept in ppoll")),
    LATENESS_NS(
            total(
                    "wakeup.lateness",
                    "ns",
                    "sum of the delays with which the worker woke for deadlines")),
    LATENESS_MAX_NS(maximum("wakeup.lateness.max", "ns", "latest wake-up for a deadline")),
    FAILURES(total("duty.failures", "failures", "duties stopped because they failed")),
    CORE(gauge("core", "core the worker is pinned to; -1: not pinned"));

    @SuppressWarnings("ImmutableEnumChecker") // of strings and an enum
    private final CounterText text;

    WorkerCounter(CounterText text) {
        this.text = text.named(name());
    }

    @Override
    public CounterText text() {
        return text;
    }
}
