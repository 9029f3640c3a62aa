package io.headgate.testbed.swarm.draw;

import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topologies.Turn;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.SendPattern;
import java.util.ArrayList;
import java.util.List;

/** Draws networks in which lossless flows block one another, and these flows. */
final class BlockedDrawer {
    private static final LinkSpec ANY = LinkSpec.DEFAULT;
    private static final int LEAST_FRAME_BYTES = 60;

    private final Draw draw;

    // Hosts per switch of a ring; 0: not a ring.
    private int perSwitch;

    BlockedDrawer(long seed) {
        this.draw = new Draw(seed, "blocked");
    }

    /** Mostly draws rings in which all routes go round, otherwise other networks. */
    Topology shape() {
        return switch (draw.between(0, 9)) {
            case 0 -> Topologies.congestionTree(draw.between(2, 3), draw.between(2, 4), ANY, ANY);
            case 1 -> Topologies.congestionSpreading(draw.between(1, 3), draw.between(0, 2), ANY);
            case 2 -> Topologies.parkingLot(draw.between(2, 3), ANY, ANY);
            case 3 ->
                    Topologies.leafSpine(
                            draw.between(2, 3),
                            draw.between(1, 2),
                            draw.between(1, 2),
                            draw.between(1, 2),
                            ANY,
                            ANY);
            default -> {
                perSwitch = draw.oneOf(1, 1, 1, 2);
                yield Topologies.ring(draw.oneOf(3, 3, 4, 5), perSwitch, Turn.CLOCKWISE, ANY, ANY);
            }
        };
    }

    /**
     * Draws one or more flows from each host to hosts some hops away: in rings mostly over the same
     * number of hops for all, two or more.
     */
    List<Stream> streams(Topology topology, PortSettings settings, long endPs) {
        List<Stream> all = new ArrayList<>();
        List<Topology.Host> hosts = topology.hosts();
        int longest = topology.sizes().mtuBytes() + 14;
        int far =
                perSwitch == 0
                        ? draw.between(1, hosts.size() - 1)
                        : perSwitch * draw.between(2, hosts.size() / perSwitch - 1);
        int common = draw.oneOf(settings.lossless());
        for (int i = 0; i < hosts.size(); i++) {
            int flows = draw.oneOf(1, 1, 2, 4);
            for (int j = 0; j < flows; j++) {
                boolean isAlike = draw.chance(0.8);
                int to = (i + (isAlike ? far : draw.between(1, hosts.size() - 1))) % hosts.size();
                int bytes = draw.chance(0.7) ? longest : draw.between(LEAST_FRAME_BYTES, longest);
                int priority = isAlike ? common : draw.oneOf(settings.lossless());
                FrameShape plain =
                        draw.chance(0.3)
                                ? FrameShape.rocev2(Math.max(bytes, 80))
                                : FrameShape.udp(bytes);
                all.add(
                        new Stream(
                                "block" + i + "-" + j,
                                hosts.get(i).name(),
                                List.of(hosts.get(to).name()),
                                draw.chance(0.5) ? 0 : draw.between(0L, endPs / 2),
                                endPs,
                                FlowSpec.UNLIMITED,
                                new SendPattern.Greedy(),
                                FlowSpec.DATAGRAMS,
                                plain.withPriority(priority, priority * 8),
                                null));
            }
        }
        return all;
    }
}
