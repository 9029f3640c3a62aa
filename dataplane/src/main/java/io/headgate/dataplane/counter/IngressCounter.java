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
    OCCUPANCY_BYTES(gauge("bytes", "bytes received here that have not come home")),
    OCCUPANCY_SLOTS(gauge("slots", "slots received here that have not come home")),
    OCCUPANCY_MAX_BYTES(maximum("bytes", "largest occupancy in bytes")),
    FRAMES_COPIED("frames", "copies made to flood a frame to further ports"),
    FRAMES_FLOODED("frames", "frames sent to every port of their VLAN"),
    LEARN_REQUESTS("requests", "requests to learn or refresh a source address"),
    LEARN_REFUSED("requests", "requests not sent because earlier ones are still under way"),
    LINK_CONTROL_RECEIVED("frames", "PAUSE, PFC and credit frames seen and consumed"),
    LINK_CONTROL_IGNORED(
            "times",
            "such a frame, or part of it, was malformed, damaged, unknown, repeated or" + " late"),
    LINK_CONTROL_MISMATCHES(
            "frames",
            "such frames that show a far end of another flow control, classification or"
                    + " scale"),
    DEVICE_UP(gauge("0/1", "whether the port has a device whose link is up")),
    DEVICE_CHANGES("changes", "times the device went up or down, came or went"),
    KERNEL_UNHANDLED(
            "frames",
            "frames that were received, and that the kernel counts as dropped by the"
                    + " interface because it has no use for them itself: not lost"),
    FAULTS_CORRUPTED(
            "frames", "received frames that the faults of the port's device flipped bits of"),
    FAULTS_LATE("frames", "such frames that they held up, so that later ones overtook them"),
    FAULTS_REPEATED("frames", "such frames that they made come once more"),
    WHOLE_FRAMES("frames", "received frames that stood for several TCP segments each (gso: pass)"),
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
                    "times this half failed: what was in its hands then was dropped, and nothing"
                            + " received until it was restarted"));

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
