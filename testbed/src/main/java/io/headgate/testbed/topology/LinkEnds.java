package io.headgate.testbed.topology;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.FlowControlConfig;
import io.headgate.config.PortTraffic;
import java.util.HashMap;
import java.util.Map;

/** What the ends of each link do about priorities and flow control; links that are alike share. */
final class LinkEnds {
    private static final long PS_PER_NS = 1000;

    /** A host's card takes what it gets at once, unless it is slow: it needs no large buffer. */
    private static final long HOST_XOFF_BYTES = 64_000;

    private static final int HOST_XOFF_SLOTS = 1024;

    private final Topology topology;
    private final int scale;
    private final Map<Kind, PortTraffic.End> known = new HashMap<>();

    private record Kind(long rateBps, long delayNs) {}

    LinkEnds(Topology topology, int scale) {
        this.topology = topology;
        this.scale = scale;
    }

    /** The end of a link at a switch. */
    PortTraffic.End ofSwitch(int link) {
        if (topology.ports().equals(PortTraffic.NONE)) {
            return PortTraffic.End.PLAIN;
        }
        LinkSpec spec = topology.links().get(link).spec();
        Kind kind = new Kind(spec.rateBps(), Math.ceilDiv(spec.delayPs(), PS_PER_NS));
        return known.computeIfAbsent(kind, this::work);
    }

    private PortTraffic.End work(Kind kind) {
        Topology.Sizes sizes = topology.sizes();
        return topology.ports()
                .at(kind.rateBps, sizes.mtuBytes(), kind.delayNs, sizes.slots())
                .scaled(scale);
    }

    /** The end of a link at a host: with thresholds that fit in a small card. */
    PortTraffic.End ofHost(int link) {
        // Hosts take no part in Escape.
        FlowControlConfig all = ofSwitch(link).flowControl().withEscape(null);
        PortTraffic.End end = ofSwitch(link).withFlowControl(all);
        FlowControlConfig.Buffers buffers = all.buffers();
        if (buffers == null || buffers.isDynamic() || buffers.xoffBytes() <= HOST_XOFF_BYTES) {
            return end;
        }
        int frameBytes = ConfigDefaults.maxFrameBytes(topology.sizes().mtuBytes());
        int slots = Math.min(buffers.xoffSlots(), HOST_XOFF_SLOTS);
        FlowControlConfig.Buffers small =
                FlowControlConfig.Buffers.fixed(
                        HOST_XOFF_BYTES,
                        slots,
                        Math.min(buffers.xonBytes(), HOST_XOFF_BYTES - 2L * frameBytes),
                        Math.min(buffers.xonSlots(), slots - Math.ceilDiv(slots, 8)),
                        buffers.headroomBytes(),
                        buffers.headroomSlots());
        return end.withFlowControl(all.withBuffers(small));
    }
}
