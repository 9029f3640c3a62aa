package io.headgate.testbed.swarm.draw;

import io.headgate.testbed.topology.FrameKind;
import io.headgate.testbed.topology.LinkFaults;
import io.headgate.testbed.topology.Topology;
import java.util.ArrayList;
import java.util.List;

/**
 * Draws the faults of congestion notices to senders: they are lost, repeated, or followed by forged
 * ones. Only on links that have no other faults.
 */
final class NoticeFaultDrawer {
    static final String NAME = "notices";

    private final Draw draw;
    private final Topology topology;

    NoticeFaultDrawer(long seed, Topology topology) {
        this.draw = new Draw(seed, NAME);
        this.topology = topology;
    }

    /** Returns the given faults, followed by those of notices. */
    List<Fault> with(List<Fault> others) {
        List<Fault> all = new ArrayList<>(others);
        boolean isDrawn = draw.chance(0.4);
        for (String link : LinkNames.of(topology)) {
            LinkFaults faults =
                    LinkFaults.NONE
                            .withKind(FrameKind.NOTICES)
                            .withLossProbability(draw.chance(0.4) ? draw.probability(1) : 0)
                            .withRepeatProbability(draw.chance(0.4) ? draw.probability(1) : 0)
                            .withForgeProbability(draw.chance(0.7) ? draw.probability(1) : 0);
            boolean isChosen = draw.chance(0.6);
            if (isDrawn && isChosen && others.stream().noneMatch(other -> isOf(link, other))) {
                all.add(new Fault.OfLink(NAME + all.size(), link, faults));
            }
        }
        return all;
    }

    private static boolean isOf(String link, Fault fault) {
        return fault instanceof Fault.OfLink && fault.where().equals(link);
    }
}
