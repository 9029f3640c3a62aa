package io.headgate.testbed.swarm.draw;

import io.headgate.config.RoutedConfig.Paths;
import io.headgate.config.RoutedConfig.Paths.Unit;
import io.headgate.config.SwitchConfig;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topologies.Turn;
import io.headgate.testbed.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Draws networks: a small version of any network that experiments use, or a random one. */
final class TopologyDrawer {
    /**
     * The name of the feature that draws routers which do not keep a flow on one path; it can be
     * left out.
     */
    static final String PATHS = "paths";

    private static final int LEAST_FLOWLETS = 16;
    private static final int MOST_FLOWLETS = 1024;
    private static final long PS_PER_NS = 1000;
    private static final int KINDS = 12;
    private static final LinkSpec ANY = LinkSpec.DEFAULT;

    private final Draw draw;
    private final long baseRateBps;
    private final long framePs;

    /**
     * @param baseRateBps rate of most links
     * @param framePs time of a frame of the largest size at that rate: the unit of all times
     */
    TopologyDrawer(Draw draw, long baseRateBps, long framePs) {
        this.draw = draw;
        this.baseRateBps = baseRateBps;
        this.framePs = framePs;
    }

    Topology draw(int mtuBytes) {
        return draw(shape(), mtuBytes, () -> draw.chance(0.5));
    }

    /** Draws a network of a shape in which most links have the same rate, so that all fill up. */
    Topology drawAlike(Topology shape, int mtuBytes) {
        boolean alike = draw.chance(0.85);
        return draw(shape, mtuBytes, () -> alike);
    }

    /**
     * @param alike whether most links have the same rate; asked after the hosts' sizes are drawn
     */
    private Topology draw(Topology shape, int mtuBytes, BooleanSupplier alike) {
        boolean bridge = draw.chance(0.5);
        Topology.Sizes sizes =
                new Topology.Sizes(
                        mtuBytes,
                        (long) draw.between(2, 60) * (mtuBytes + 22),
                        draw.oneOf(128, 128, 160, 256, 512),
                        0);
        Topology moded =
                shape.withMode(bridge ? SwitchConfig.Mode.BRIDGE : SwitchConfig.Mode.ROUTED);
        return withLinks(moded.withSizes(sizes), alike.getAsBoolean());
    }

    /**
     * Returns the network, sometimes with routers that keep only flowlets on a path, or spread
     * single packets; drawn by its own generator.
     */
    Topology withPaths(Topology plain, Draw own) {
        if (!own.chance(0.35) || plain.mode() != SwitchConfig.Mode.ROUTED) {
            return plain;
        }
        if (own.chance(0.5)) {
            return plain.withPaths(Paths.FLOW.withUnit(Unit.PACKET));
        }
        return plain.withPaths(
                Paths.FLOW
                        .withUnit(Unit.FLOWLET)
                        .withGapNs(own.magnitude(1, 100 * framePs / PS_PER_NS))
                        .withEntries((int) own.magnitude(LEAST_FLOWLETS, MOST_FLOWLETS)));
    }

    private Topology shape() {
        return switch (draw.between(0, KINDS - 1)) {
            case 0 -> Topologies.singleSwitch(draw.between(2, 6), ANY);
            case 1 -> Topologies.dumbbell(draw.between(1, 3), draw.between(1, 3), ANY, ANY);
            case 2 -> Topologies.congestionTree(draw.between(1, 3), draw.between(2, 4), ANY, ANY);
            case 3 -> Topologies.congestionSpreading(draw.between(1, 3), draw.between(0, 2), ANY);
            case 4 ->
                    Topologies.ring(
                            draw.between(3, 5),
                            draw.between(1, 2),
                            draw.oneOf(Turn.SHORTEST, Turn.SHORTEST, Turn.CLOCKWISE),
                            ANY,
                            ANY);
            case 5 -> Topologies.parkingLot(draw.between(1, 3), ANY, ANY);
            case 6 -> Topologies.multiBottleneck(draw.between(2, 3), ANY, ANY);
            case 7 -> Topologies.asymmetric(draw.between(1, 3), draw.between(1, 2), ANY, ANY, ANY);
            case 8 ->
                    Topologies.leafSpine(
                            draw.between(2, 3),
                            draw.between(1, 2),
                            draw.between(1, 2),
                            draw.between(1, 2),
                            ANY,
                            ANY);
            case 9 -> Topologies.fatTree(2, ANY);
            default -> anyGraph();
        };
    }

    /** Switches in a random tree, with more links than a tree has, also between the same two. */
    private Topology anyGraph() {
        int switches = draw.between(1, 6);
        int hosts = draw.between(2, 6);
        Topology.Builder net = Topology.builder("graph");
        for (int i = 0; i < switches; i++) {
            net.switchNode("s" + i);
        }
        for (int i = 0; i < hosts; i++) {
            net.host("h" + i, "s" + draw.between(0, switches - 1), ANY);
        }
        for (int i = 1; i < switches; i++) {
            net.link("s" + draw.between(0, i - 1), "s" + i, ANY);
        }
        int more = switches == 1 ? 0 : draw.between(0, 3);
        for (int i = 0; i < more; i++) {
            int a = draw.between(0, switches - 1);
            int b = draw.between(0, switches - 2);
            net.link("s" + a, "s" + (b >= a ? b + 1 : b), ANY);
        }
        return net.build();
    }

    private Topology withLinks(Topology plain, boolean alike) {
        List<Topology.Link> links = new ArrayList<>();
        LinkSpec common = link();
        for (Topology.Link link : plain.links()) {
            links.add(link.with(alike ? common : link()));
        }
        return plain.withLinks(links);
    }

    private LinkSpec link() {
        long rateBps =
                draw.oneOf(
                        baseRateBps,
                        baseRateBps,
                        baseRateBps,
                        baseRateBps / 2,
                        baseRateBps / 4,
                        // No whole number of picoseconds a byte.
                        baseRateBps / 3);
        long delayPs = draw.chance(0.2) ? 0 : draw.magnitude(1, 2 * framePs);
        return new LinkSpec(rateBps, delayPs)
                .withRelease(draw.oneOf(LinkSpec.Release.START, LinkSpec.Release.END))
                .withDeliverAt(
                        draw.chance(0.15) ? LinkSpec.Delivery.HEADER : LinkSpec.Delivery.TAIL);
    }
}
