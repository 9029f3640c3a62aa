package io.headgate.dataplane.counter;

/**
 * What an egress half counts. First what it counts with every burst, together in one cache line.
 */
public enum EgressCounter implements CounterId {
    FRAMES_TRANSMITTED(
            "frames.transmitted", "frames", Kind.TOTAL, "frames that left by the device"),
    BYTES_TRANSMITTED("bytes.transmitted", "bytes", Kind.TOTAL, "their bytes, without FCS"),
    FRAMES_ENQUEUED("frames.enqueued", "frames", Kind.TOTAL, "frames admitted to an egress queue"),
    QUEUE_FRAMES(
            "queue.frames", "frames", Kind.GAUGE, "frames waiting for their transmission to start"),
    QUEUE_BYTES("queue.bytes", "bytes", Kind.GAUGE, "their bytes"),
    QUEUE_MAX_BYTES("queue.max.bytes", "bytes", Kind.MAXIMUM, "largest queue length in bytes"),
    RING_MAX_FRAMES(
            "ring.max.frames",
            "frames",
            Kind.MAXIMUM,
            "most frames taken from the incoming rings in one call"),
    LINK_CONTROL_TRANSMITTED(
            "link.control.transmitted",
            "frames",
            Kind.TOTAL,
            "PAUSE, PFC and credit frames that left by the device"),
    NOTICES_REFUSED(
            "notices.refused",
            "notices",
            Kind.TOTAL,
            "notices of congestion points that found no room, or were about no IP packet"),
    DEVICE_BUSY(
            "device.busy",
            "calls",
            Kind.TOTAL,
            "times the device took fewer frames than it was offered"),
    FAULTS_CORRUPTED(
            "faults.corrupted",
            "frames",
            Kind.TOTAL,
            "transmitted frames that the faults of the port's device flipped bits of"),
    FAULTS_LATE(
            "faults.late",
            "frames",
            Kind.TOTAL,
            "such frames that they held up, so that later ones overtook them"),
    FAULTS_REPEATED(
            "faults.repeated", "frames", Kind.TOTAL, "such frames that they made come once more"),
    WHOLE_FRAMES(
            "whole.frames",
            "frames",
            Kind.TOTAL,
            "transmitted frames that stood for several TCP segments each (gso: pass)"),
    WHOLE_SEGMENTS(
            "whole.segments",
            "segments",
            Kind.TOTAL,
            "segments that these stood for: what a wire would have had in their place"),
    CYCLE_LONGEST_NS(
            "cycle.longest",
            "ns",
            Kind.MAXIMUM,
            "longest call of this half that did something, what other processes took included"),
    CYCLES_OVER_THRESHOLD(
            "cycles.over.threshold",
            "calls",
            Kind.TOTAL,
            "such calls longer than the stall threshold of the workers"),
    FAILURES(
            "half.failures",
            "times",
            Kind.TOTAL,
            "times this half failed: what was in its hands then, and came until it was restarted,"
                    + " was dropped");

    @SuppressWarnings("ImmutableEnumChecker") // of strings and an enum
    private final CounterText text;

    EgressCounter(String label, String unit, Kind kind, String description) {
        this.text = new CounterText(label, unit, kind, description);
    }

    @Override
    public CounterText text() {
        return text;
    }
}
