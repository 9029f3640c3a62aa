package io.headgate.testbed.topology;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.FlowControlConfig;
import io.headgate.config.FrameGrowth;
import io.headgate.config.Mechanism;
import io.headgate.config.Mechanisms;
import io.headgate.config.PortTraffic;
import io.headgate.config.key.Section;
import io.headgate.config.read.SharedBuffer;
import io.headgate.config.yaml.YamlConfig;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Computes the priorities and flow control of each link's ends. Links with the same rate and delay
 * share one result.
 */
final class LinkEnds {
    private static final long PS_PER_NS = 1000;

    /** A host's card takes frames at once, unless the host is slow: it needs no large buffer. */
    private static final long HOST_XOFF_BYTES = 64_000;

    private static final int HOST_XOFF_SLOTS = 1024;

    private final Topology topology;
    private final int scale;
    private final Map<Kind, PortTraffic.End> known = new HashMap<>();

    private record Kind(long rateBps, long delayNs, boolean shares) {}

    LinkEnds(Topology topology, int scale) {
        this.topology = topology;
        this.scale = scale;
    }

    PortTraffic.End ofSwitch(int link) {
        return end(link, topology.sizes().sharedBytes() > 0);
    }

    private PortTraffic.End end(int link, boolean shares) {
        if (topology.ports().equals(PortTraffic.NONE)) {
            return PortTraffic.End.PLAIN;
        }
        LinkSpec spec = topology.links().get(link).spec();
        Kind kind = new Kind(spec.rateBps(), Math.ceilDiv(spec.delayPs(), PS_PER_NS), shares);
        return known.computeIfAbsent(kind, this::work);
    }

    private PortTraffic.End work(Kind kind) {
        Topology.Sizes sizes = topology.sizes();
        PortTraffic.End end = work(kind, sizes.slots());
        if (kind.shares) {
            // The port's possible share of the buffer comes in addition to what is promised.
            long promised = end.slots() - (long) end.flowControl().sharedSlots();
            long most = shared().mostSlots(end.flowControl(), grownMtuBytes(end));
            end = work(kind, Math.clamp(promised + most, sizes.slots(), Integer.MAX_VALUE));
        }
        return Section.slower(end, scale);
    }

    private PortTraffic.End work(Kind kind, int slots) {
        int mtuBytes = topology.sizes().mtuBytes();
        return topology.ports().at(kind.rateBps, mtuBytes, kind.delayNs, slots);
    }

    private int grownMtuBytes(PortTraffic.End end) {
        return topology.sizes().mtuBytes() + FrameGrowth.inQueues(end.mechanisms());
    }

    /** The largest frame in the queues of an end, in bytes. */
    int frameBytes(PortTraffic.End end) {
        return ConfigDefaults.maxFrameBytes(grownMtuBytes(end));
    }

    /**
     * The shared buffer of each switch. A bed may have several workers, so it does not assume that
     * all ports run on one.
     */
    private SharedBuffer shared() {
        return new SharedBuffer(topology.sizes().sharedBytes(), false);
    }

    /**
     * Rejects a shared buffer that no port uses, or of which a port may hold more than fits in the
     * port.
     */
    void check(YamlConfig yaml, String sharedAt, String buffersAt) {
        Topology.Sizes sizes = topology.sizes();
        if (sizes.sharedBytes() == 0) {
            return;
        }
        shared().isUsed(yaml, sharedAt, Stream.of(ofSwitch(0).flowControl()));
        Set<PortTraffic.End> seen = new HashSet<>();
        for (int link = 0; link < topology.links().size(); link++) {
            PortTraffic.End end = ofSwitch(link);
            if (yaml.isSound() && seen.add(end)) {
                Topology.Link between = topology.links().get(link);
                String name = "a port between " + between.a() + " and " + between.b();
                shared().isCovered(
                                yaml,
                                sharedAt,
                                buffersAt,
                                name,
                                end.flowControl(),
                                grownMtuBytes(end));
            }
        }
    }

    /** The configuration of a link's end at a host: that of all hosts, and the host's own hooks. */
    PortTraffic.End ofHost(int link, Topology.Host host) {
        PortTraffic.End end = ofAnyHost(link);
        if (!host.obeys()) {
            end =
                    end.withFlowControl(FlowControlConfig.NONE)
                            .withTraffic(end.traffic().withLossless(List.of()));
        }
        Mechanisms mechanisms = end.mechanisms();
        for (Mechanisms.Use hook : host.hooks().uses()) {
            mechanisms = mechanisms.with(hook.scaled(scale));
        }
        return end.withMechanisms(mechanisms);
    }

    /** With thresholds that fit in a small card. */
    private PortTraffic.End ofAnyHost(int link) {
        // Hosts take no part in detours, nor in a switch's buffer.
        PortTraffic.End plain = end(link, false);
        FlowControlConfig all = plain.flowControl();
        PortTraffic.End end =
                plain.withMechanisms(plain.mechanisms().without(Mechanism.Kind.DETOUR));
        FlowControlConfig.Buffers buffers = all.buffers();
        if (buffers == null || buffers.isDynamic() || buffers.xoffBytes() <= HOST_XOFF_BYTES) {
            return end;
        }
        int frameBytes = frameBytes(end);
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
