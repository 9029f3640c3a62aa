package io.headgate.dataplane.counter;

import static io.headgate.dataplane.counter.CounterText.gauge;
import static io.headgate.dataplane.counter.CounterText.maximum;
import static io.headgate.dataplane.counter.CounterText.total;

/**
 * Counters of an ingress half. Those that change with every burst come first, in one cache line.
 */
public enum IngressCounter implements CounterId {
    FRAMES_RECEIVED("frames", "frames taken from the device"),
    BYTES_RECEIVED("bytes", "their bytes, without FCS"),
    FRAMES_FORWARDED("frames", "frames handed to an egress half, copies included"),
    SLOTS_FREE(gauge("slots", "slots free at home")),
    OCCUPANCY_BYTES(gauge("bytes", "bytes received here that are not yet released")),
    OCCUPANCY_SLOTS(gauge("slots", "slots received here that are not yet released")),
    OCCUPANCY_MAX_BYTES(maximum("bytes", "largest occupancy in bytes")),
    FRAMES_COPIED("frames", "copies made to flood a frame to further ports"),
    FRAMES_FLOODED("frames", "frames sent to every port of their VLAN"),
    LEARN_REQUESTS("requests", "requests to learn or refresh a source address"),
    LEARN_REFUSED("requests", "requests not sent because earlier ones are not yet answered"),
    LINK_CONTROL_RECEIVED("frames", "PAUSE, PFC and credit frames seen and consumed"),
    LINK_CONTROL_IGNORED(
            "times",
            "times that a link-control frame, or part of it, was malformed, damaged, unknown,"
                    + " repeated or late"),
    LINK_CONTROL_MISMATCHES(
            "frames",
            "link-control frames that show a far end with another flow control, classification or"
                    + " scale"),
    DEVICE_UP(gauge("0/1", "whether the port has a device whose link is up")),
    DEVICE_CHANGES("changes", "times that the device went up or down, appeared or disappeared"),
    KERNEL_UNHANDLED(
            "frames",
            "frames that were received, but that the kernel counts as dropped by the interface"
                    + " because the kernel itself does not use them: not lost"),
    FAULTS_CORRUPTED(
            "frames", "received frames in which the faults of the port's device flipped bits"),
    FAULTS_LATE("frames", "such frames that they held up, so that later ones overtook them"),
    FAULTS_REPEATED("frames", "such frames that they made come once more"),
    WHOLE_FRAMES("frames", "received frames that contain several TCP segments each (gso: pass)"),
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
                    "times that this half failed: the frames that it held were dropped, and no"
                            + " frame was received until its restart"));

    @SuppressWarnings("ImmutableEnumChecker") // of strings and an enum
    private final CounterText text;

    IngressCounter(String unit, String description) {
        this(total(unit, description));
    }

    IngressCounter(CounterText text) {
        this.text = text.named(name());
    }

    @Override
    public CounterText text() {
        return text;
    }
}
