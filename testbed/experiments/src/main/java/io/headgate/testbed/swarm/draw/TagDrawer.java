package io.headgate.testbed.swarm.draw;

import io.headgate.config.PortConfig.VlanConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.TrafficConfig;
import io.headgate.config.TrafficConfig.Trust;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.frame.FrameShape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Draws the tags of a case: tags classify frames and assign them to VLANs, and are added, removed
 * or rewritten on the way.
 */
final class TagDrawer {
    private static final int LAST_VLAN = 4094;

    private final Draw draw;
    private final Topology topology;
    private final List<String> links;
    private final boolean byTags;
    private final boolean tags;

    /**
     * @param few whether frames are rarely classified by tags, because frames without tags would
     *     then rarely be lossless
     */
    TagDrawer(Draw draw, Topology topology, boolean few) {
        this.draw = draw;
        this.topology = topology;
        this.links = LinkNames.of(topology);
        this.byTags = draw.chance(few ? 0.1 : 0.35);
        this.tags = draw.chance(byTags ? 0.9 : 0.25);
    }

    /**
     * Draws the classification of ports.
     *
     * @param otherwise the trust of links that do not trust tags
     */
    Classification classification(Trust otherwise, int defaultPriority) {
        Map<String, Trust> trustOfLinks = new TreeMap<>();
        if (tags && draw.chance(0.2)) {
            for (String link : links) {
                trustOfLinks.put(link, draw.oneOf(Trust.PCP, Trust.PCP, Trust.DSCP, Trust.PORT));
            }
        }
        return new Classification(
                byTags ? Trust.PCP : otherwise, defaultPriority, priorityOfPcp(), trustOfLinks);
    }

    /** As they are, each to another priority, or any to any. */
    private List<Integer> priorityOfPcp() {
        List<Integer> plain = IntStream.range(0, TrafficConfig.PRIORITIES).boxed().toList();
        return switch (draw.between(0, 3)) {
            case 0 -> {
                List<Integer> mixed = new ArrayList<>(plain);
                for (int last = mixed.size() - 1; last > 0; last--) {
                    Collections.swap(mixed, last, draw.between(0, last));
                }
                yield mixed;
            }
            case 1 -> plain.stream().map(_ -> draw.between(0, 7)).toList();
            default -> plain;
        };
    }

    /**
     * Draws one or two VLANs that every link between switches carries; every host's link also
     * carries the first.
     */
    Tagging tagging() {
        if (!tags || topology.mode() == SwitchConfig.Mode.ROUTED) {
            return Tagging.NONE;
        }
        List<Integer> vlans = new ArrayList<>();
        vlans.add(draw.chance(0.3) ? 1 : draw.between(1, LAST_VLAN));
        int second = draw.between(1, LAST_VLAN);
        if (draw.chance(0.5) && !vlans.contains(second)) {
            vlans.add(second);
        }
        Map<String, VlanConfig> ofLinks = new TreeMap<>();
        LinkNames.links(topology)
                .forEach((name, link) -> {
                    boolean ofHost = LinkNames.isOfHost(topology, link);
                    boolean mayBeAccess = ofHost || vlans.size() == 1;
                    ofLinks.put(
                            name,
                            mayBeAccess && draw.chance(ofHost ? 0.5 : 0.2)
                                    ? new VlanConfig(
                                            VlanConfig.Mode.ACCESS, vlans.getFirst(), List.of())
                                    : trunk(vlans));
                });
        return new Tagging(vlans, ofLinks);
    }

    private VlanConfig trunk(List<Integer> vlans) {
        return new VlanConfig(
                VlanConfig.Mode.TRUNK,
                draw.chance(0.4) ? null : draw.oneOf(vlans),
                draw.chance(0.5) ? List.of() : vlans);
    }

    /**
     * Returns the streams with VLAN tags, without tags, or with priority tags, so that their frames
     * reach their destinations.
     */
    List<Stream> tagged(List<Stream> plain, Tagging tagging) {
        if (!tags) {
            return plain;
        }
        Map<String, String> linkOfHost = new HashMap<>();
        LinkNames.links(topology)
                .forEach((name, link) -> {
                    linkOfHost.put(link.a(), name);
                    linkOfHost.put(link.b(), name);
                });
        List<Stream> streams = new ArrayList<>();
        for (Stream stream : plain) {
            String from = linkOfHost.getOrDefault(stream.from(), "");
            String to = linkOfHost.getOrDefault(stream.to().getFirst(), "");
            List<Integer> choices = new ArrayList<>(tagging.vlans());
            choices.add(0);
            choices.add(FrameShape.UNTAGGED);
            choices.removeIf(tag -> !tagging.connects(from, to, tag));
            int tag = draw.oneOf(choices);
            streams.add(tag == FrameShape.UNTAGGED ? stream : stream.withVlan(tag));
        }
        return streams;
    }
}
