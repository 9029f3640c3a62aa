package io.headgate.dataplane.counter;

/**
 * What an ingress half counts. First what it counts with every burst, together in one cache line.
 */
public enum IngressCounter implements CounterId {
    FRAMES_RECEIVED("frames.received", "frames", Kind.TOTAL, "frames taken from the device"),
    BYTES_RECEIVED("bytes.received", "bytes", Kind.TOTAL, "their bytes, without FCS"),
    FRAMES_FORWARDED(
            "frames.forwarded",
            "frames",
            Kind.TOTAL,
            "frames handed to an egress half, copies included"),
    SLOTS_FREE("slots.free", "slots", Kind.GAUGE, "slots free at home"),
    OCCUPANCY_BYTES(
            "occupancy.bytes", "bytes", Kind.GAUGE, "bytes received here that have not come home"),
    OCCUPANCY_SLOTS(
            "occupancy.slots", "slots", Kind.GAUGE, "slots received here that have not come home"),
    OCCUPANCY_MAX_BYTES("occupancy.max.bytes", "bytes", Kind.MAXIMUM, "largest occupancy in bytes"),
    FRAMES_COPIED(
            "frames.copied", "frames", Kind.TOTAL, "copies made to flood a frame to further ports"),
    FRAMES_FLOODED(
            "frames.flooded", "frames", Kind.TOTAL, "frames sent to every port of their VLAN"),
    LEARN_REQUESTS(
            "learn.requests",
            "requests",
            Kind.TOTAL,
            "requests to learn or refresh a source address"),
    LEARN_REFUSED(
            "learn.refused",
            "requests",
            Kind.TOTAL,
            "requests not sent because earlier ones are still under way"),
    LINK_CONTROL_RECEIVED(
            "link.control.received",
            "frames",
            Kind.TOTAL,
            "PAUSE, PFC and credit frames seen and consumed"),
    LINK_CONTROL_IGNORED(
            "link.control.ignored",
            "times",
            Kind.TOTAL,
            "such a frame, or part of it, was malformed, damaged, unknown, repeated or late"),
    LINK_CONTROL_MISMATCHES(
            "link.control.mismatches",
            "frames",
            Kind.TOTAL,
            "such frames that show a far end of another flow control, classification or scale"),
    DEVICE_UP("device.up", "0/1", Kind.GAUGE, "whether the port has a device whose link is up"),
    DEVICE_CHANGES(
            "device.changes",
            "changes",
            Kind.TOTAL,
            "times the device went up or down, came or went"),
    KERNEL_UNHANDLED(
            "kernel.unhandled",
            "frames",
            Kind.TOTAL,
            "frames that were received, and that the kernel counts as dropped by the interface"
                    + " because it has no use for them itself: not lost"),
    FAULTS_CORRUPTED(
            "faults.corrupted",
            "frames",
            Kind.TOTAL,
            "received frames that the faults of the port's device flipped bits of"),
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
            "received frames that stood for several TCP segments each (gso: pass)"),
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
            "times this half failed: what was in its hands then was dropped, and nothing received"
                    + " until it was restarted");

    @SuppressWarnings("ImmutableEnumChecker") // of strings and an enum
    private final CounterText text;

    IngressCounter(String label, String unit, Kind kind, String description) {
        this.text = new CounterText(label, unit, kind, description);
    }

    @Override
    public CounterText text() {
        return text;
    }
}
