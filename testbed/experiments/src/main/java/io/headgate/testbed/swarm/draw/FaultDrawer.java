package io.headgate.testbed.swarm.draw;

import io.headgate.config.FlowControlConfig.Mode;
import io.headgate.testbed.topology.FrameKind;
import io.headgate.testbed.topology.LinkFaults;
import io.headgate.testbed.topology.Topology;
import java.util.ArrayList;
import java.util.List;

/** Draws the faults of a case. A third of all cases have none. */
final class FaultDrawer {
    private static final long PS_PER_NS = 1000;

    private final Draw draw;
    private final Topology topology;
    private final PortSettings settings;
    private final long endPs;
    private final long framePs;
    private final long jitterPs;
    private final List<String> links;
    private final List<Fault> faults = new ArrayList<>();

    FaultDrawer(
            Draw draw,
            Topology topology,
            PortSettings settings,
            long endPs,
            long framePs,
            long jitterPs) {
        this.draw = draw;
        this.topology = topology;
        this.settings = settings;
        this.endPs = endPs;
        this.framePs = framePs;
        this.jitterPs = jitterPs;
        this.links = LinkNames.of(topology);
    }

    List<Fault> draw() {
        if (draw.chance(0.33)) {
            return List.of();
        }
        for (String link : links) {
            if (draw.chance(0.3)) {
                faults.add(new Fault.OfLink(next(), link, linkFaults(link)));
            }
        }
        int flaps = draw.chance(0.3) ? draw.between(1, 3) : 0;
        for (int i = 0; i < flaps; i++) {
            faults.add(
                    new Fault.Flap(
                            next(),
                            draw.oneOf(links),
                            draw.between(1L, endPs),
                            draw.magnitude(1, 30 * framePs)));
        }
        int stalls = draw.chance(0.4) ? draw.between(1, 4) : 0;
        for (int i = 0; i < stalls; i++) {
            faults.add(stall());
        }
        return faults;
    }

    private String next() {
        return "fault" + faults.size();
    }

    /** Within the reaction time that was planned for, or well beyond it. */
    private Fault stall() {
        long plannedPs = settings.reactionNs() * PS_PER_NS;
        long forPs =
                plannedPs > 0 && draw.chance(0.6)
                        ? draw.between(1L, plannedPs)
                        : draw.magnitude(1, 50 * framePs);
        return new Fault.Stall(next(), draw.oneOf(nodes()), draw.between(1L, endPs), forPs);
    }

    private List<String> nodes() {
        List<String> nodes = new ArrayList<>();
        topology.switches().forEach(node -> nodes.add(node.name()));
        topology.hosts().forEach(host -> nodes.add(host.name()));
        return nodes;
    }

    private LinkFaults linkFaults(String link) {
        boolean controlled = settings.modeOf(link) != Mode.NONE;
        FrameKind kind =
                controlled
                        ? draw.oneOf(FrameKind.LINK_CONTROL, FrameKind.LINK_CONTROL, FrameKind.ALL)
                        : FrameKind.DATA;
        double most = draw.oneOf(0.01, 0.1, 0.5);
        LinkFaults faultsOfLink = LinkFaults.NONE.withKind(kind);
        if (draw.chance(0.5)) {
            faultsOfLink = faultsOfLink.withLossProbability(draw.probability(most));
        }
        if (draw.chance(0.3)) {
            faultsOfLink = faultsOfLink.withCorruptionProbability(draw.probability(most));
        }
        if (draw.chance(0.2)) {
            faultsOfLink =
                    faultsOfLink
                            .withReorderProbability(draw.probability(most))
                            .withReorderDelayPs(draw.magnitude(1, 10 * framePs));
        }
        if (draw.chance(0.3)) {
            faultsOfLink = faultsOfLink.withRepeatProbability(draw.probability(most));
        }
        return jitterPs > 0 ? faultsOfLink.withJitterPs(jitterPs) : faultsOfLink;
    }
}
