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
            "notifications of congestion points that found no room, or whose frame was not an IP"
                    + " packet"),
    DEVICE_BUSY("calls", "times that the device accepted fewer frames than it was offered"),
    FAULTS_CORRUPTED(
            "frames", "transmitted frames in which the faults of the port's device flipped bits"),
    FAULTS_LATE("frames", "frames that the faults delayed, so that later ones overtook them"),
    FAULTS_REPEATED("frames", "frames that the faults repeated"),
    WHOLE_FRAMES("frames", "transmitted frames that contain several TCP segments each (gso: pass)"),
    WHOLE_SEGMENTS("segments", "number of segments in these frames, as they would be on a wire"),
    CYCLE_LONGEST_NS(
            maximum(
                    "cycle.longest",
                    "ns",
                    "longest call of this half that did work, including time that other processes"
                            + " took")),
    CYCLES_OVER_THRESHOLD(
            "calls", "calls that did work and took longer than the stall threshold of the workers"),
    FAILURES(
            total(
                    "half.failures",
                    "times",
                    "times that this half failed: the frames that it held, and frames that arrived"
                            + " before its restart, were dropped"));

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
