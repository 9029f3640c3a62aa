package io.headgate.dataplane.counter;

import static io.headgate.dataplane.counter.CounterText.gauge;
import static io.headgate.dataplane.counter.CounterText.maximum;
import static io.headgate.dataplane.counter.CounterText.total;

/** Counters of an egress half. Those that change with every burst come first, in one cache line. */
public enum EgressCounter implements CounterId {
    FRAMES_TRANSMITTED("frames", "frames that left by the device"),
    BYTES_TRANSMITTED("bytes", "their bytes, without FCS"),
    FRAMES_ENQUEUED("frames", "frames admitted to an egress queue"),
    QUEUE_FRAMES(gauge("frames", "frames waiting for their transmission to start")),
    QUEUE_BYTES(gauge("bytes", "their bytes")),
    QUEUE_MAX_BYTES(maximum("bytes", "largest queue length in bytes")),
    RING_MAX_FRAMES(maximum("frames", "most frames taken from the incoming rings in one call")),
    LINK_CONTROL_TRANSMITTED("frames", "PAUSE, PFC and credit frames that left by the device"),
    NOTICES_REFUSED(
            "notices",
            "notices of congestion points that found no room, or were about no IP packet"),
    DEVICE_BUSY("calls", "times the device took fewer frames than it was offered"),
    FAULTS_CORRUPTED(
            "frames", "transmitted frames that the faults of the port's device flipped bits of"),
    FAULTS_LATE("frames", "such frames that they held up, so that later ones overtook them"),
    FAULTS_REPEATED("frames", "such frames that they made come once more"),
    WHOLE_FRAMES(
            "frames", "transmitted frames that stood for several TCP segments each (gso: pass)"),
    WHOLE_SEGMENTS(
            "segments", "segments that these stood for: what a wire would have had in their place"),
    CYCLE_LONGEST_NS(
            maximum(
                    "cycle.longest",
                    "ns",
                    "longest call of this half that did something, what other processes took"
                            + " included")),
    CYCLES_OVER_THRESHOLD("calls", "such calls longer than the stall threshold of the workers"),
    FAILURES(
            total(
                    "half.failures",
                    "times",
                    "times this half failed: what was in its hands then, and came until it was"
                            + " restarted, was dropped"));

    @SuppressWarnings("ImmutableEnumChecker") // of strings and an enum
    private final CounterText text;

    EgressCounter(String unit, String description) {
        this(total(unit, description));
    }

    EgressCounter(CounterText text) {
        this.text = text.named(name());
    }

    @Override
    public CounterText text() {
        return text;
    }
}
