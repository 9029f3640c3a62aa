package io.headgate.testbed.virtual.link;

import io.headgate.dataplane.engine.EgressHalf;
import io.headgate.dataplane.engine.IngressHalf;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.virtual.time.VirtualClock;
import java.util.function.Consumer;

/** A full-duplex link between two ports; its ends are 0 and 1. */
public final class VirtualLink {
    private final VirtualClock clock;
    private final Consumer<String> standstill;
    private final String name;
    private final int number;
    private final LinkSpec setup;
    private final LinkDirection[] directions = new LinkDirection[2];
    private final LinkEnd[] ends = new LinkEnd[2];

    /** Creates a link between two ports; their nodes must then attach its ends. */
    public VirtualLink(LinkContext run, int number, LinkSpec setup, LinkPort a, LinkPort b) {
        this.clock = run.first().clock();
        this.standstill = run.standstill();
        this.number = number;
        this.setup = setup;
        this.name = a + "-" + b;
        directions[0] = new LinkDirection(run, direction(0), setup, a, b);
        directions[1] = new LinkDirection(run, direction(1), setup, b, a);
        ends[0] = new LinkEnd(name, a, directions[1], directions[0]);
        ends[1] = new LinkEnd(name, b, directions[0], directions[1]);
    }

    /** Such as {@code h0:1-s0:3}. */
    public String name() {
        return name;
    }

    /** Links are numbered from 0 as they are added. */
    public int number() {
        return number;
    }

    public LinkSpec setup() {
        return setup;
    }

    /** The number, in digests and for observers, of the direction from an end. */
    public int direction(int fromEnd) {
        return 2 * number + fromEnd;
    }

    public LinkEnd end(int end) {
        return ends[end];
    }

    /** The direction from an end. */
    public LinkDirection from(int end) {
        return directions[end];
    }

    /** The statistics so far of the direction from an end. */
    public LinkStatistics statistics(int fromEnd) {
        return directions[fromEnd].statistics();
    }

    /** Time at which the wire from an end is free again, in picoseconds. */
    public long freePs(int fromEnd) {
        return directions[fromEnd].freePs();
    }

    public boolean isUp() {
        return directions[0].isUp();
    }

    /**
     * Pulls the link or plugs it in, now: frames in flight are lost, and the ports are notified.
     * Call it from a timer or while the run stands still.
     */
    public void setUp(boolean nowUp) {
        if (nowUp == isUp()) {
            return;
        }
        standstill.accept("a link is pulled or plugged in");
        long nowNs = clock.ns();
        for (int end = 0; end < 2; end++) {
            directions[end].setUp(nowUp);
            LinkPort told = ends[end].at();
            boolean taken =
                    told.ingress().order(IngressHalf::linkChanged)
                            && told.egress().order((EgressHalf half) -> half.linkChanged(nowNs));
            if (!taken) {
                throw new IllegalStateException(name + " changes too often in one instant");
            }
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
