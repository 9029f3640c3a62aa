package io.headgate.dataplane.counter;

import static io.headgate.dataplane.counter.CounterText.gauge;
import static io.headgate.dataplane.counter.CounterText.maximum;
import static io.headgate.dataplane.counter.CounterText.total;

/**
 * What an ingress half counts. First what it counts with every burst, together in one cache line.
 */
public enum IngressCounter implements CounterId {
    FRAMES_RECEIVED(total("frames", "frames taken from the device")),
    BYTES_RECEIVED(total("bytes", "their bytes, without FCS")),
    FRAMES_FORWARDED(total("frames", "frames handed to an egress half, copies included")),
    SLOTS_FREE(gauge("slots", "slots free at home")),
    OCCUPANCY_BYTES(gauge("bytes", "bytes received here that have not come home")),
    OCCUPANCY_SLOTS(gauge("slots", "slots received here that have not come home")),
    OCCUPANCY_MAX_BYTES(maximum("bytes", "largest occupancy in bytes")),
    FRAMES_COPIED(total("frames", "copies made to flood a frame to further ports")),
    FRAMES_FLOODED(total("frames", "frames sent to every port of their VLAN")),
    LEARN_REQUESTS(total("requests", "requests to learn or refresh a source address")),
    LEARN_REFUSED(total("requests", "requests not sent because earlier ones are still under way")),
    LINK_CONTROL_RECEIVED(total("frames", "PAUSE, PFC and credit frames seen and consumed")),
    LINK_CONTROL_IGNORED(
            total(
                    "times",
                    "such a frame, or part of it, was malformed, damaged, unknown, repeated or"
                            + " late")),
    LINK_CONTROL_MISMATCHES(
            total(
                    "frames",
                    "such frames that show a far end of another flow control, classification or"
                            + " scale")),
    DEVICE_UP(gauge("0/1", "whether the port has a device whose link is up")),
    DEVICE_CHANGES(total("changes", "times the device went up or down, came or went")),
    KERNEL_UNHANDLED(
            total(
                    "frames",
                    "frames that were received, and that the kernel counts as dropped by the"
                            + " interface because it has no use for them itself: not lost")),
    FAULTS_CORRUPTED(
            total(
                    "frames",
                    "received frames that the faults of the port's device flipped bits of")),
    FAULTS_LATE(total("frames", "such frames that they held up, so that later ones overtook them")),
    FAULTS_REPEATED(total("frames", "such frames that they made come once more")),
    WHOLE_FRAMES(
            total(
                    "frames",
                    "received frames that stood for several TCP segments each (gso: pass)")),
    WHOLE_SEGMENTS(
            total(
                    "segments",
                    "segments that these stood for: what a wire would have had in their place")),
    CYCLE_LONGEST_NS(
            maximum(
                    "cycle.longest",
                    "ns",
                    "longest call of this half that did something, what other processes took"
                            + " included")),
    CYCLES_OVER_THRESHOLD(
            total("calls", "such calls longer than the stall threshold of the workers")),
    FAILURES(
            total(
                    "half.failures",
                    "times",
                    "times this half failed: what was in its hands then was dropped, and nothing"
                            + " received until it was restarted"));

    @SuppressWarnings("ImmutableEnumChecker") // of strings and an enum
    private final CounterText text;

    IngressCounter(CounterText text) {
        this.text = text.named(name());
    }

    @Override
    public CounterText text() {
        return text;
    }
}
