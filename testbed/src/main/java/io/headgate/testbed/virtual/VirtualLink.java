package io.headgate.testbed.virtual;

import io.headgate.dataplane.engine.EgressHalf;
import io.headgate.dataplane.engine.IngressHalf;
import io.headgate.testbed.random.NamedRandom;

/** A full-duplex link between two ports; its ends are 0 and 1. */
public final class VirtualLink {
    private final VirtualRun run;
    private final String name;
    private final int number;
    private final LinkSetup setup;
    private final LinkDirection[] directions = new LinkDirection[2];
    private final LinkEnd[] ends = new LinkEnd[2];
    private boolean up = true;

    VirtualLink(
            VirtualRun run,
            int number,
            LinkSetup setup,
            VirtualNode a,
            int portOfA,
            VirtualNode b,
            int portOfB) {
        this.run = run;
        this.number = number;
        this.setup = setup;
        String nameA = a.name() + ":" + portOfA;
        String nameB = b.name() + ":" + portOfB;
        this.name = nameA + "-" + nameB;
        directions[0] = new LinkDirection(run, direction(0), setup, nameA + ">" + nameB);
        directions[1] = new LinkDirection(run, direction(1), setup, nameB + ">" + nameA);
        ends[0] = new LinkEnd(this, a, portOfA, directions[1], directions[0]);
        ends[1] = new LinkEnd(this, b, portOfB, directions[0], directions[1]);
        a.attach(ends[0]);
        b.attach(ends[1]);
    }

    /** Adds what pulls the link and plugs it in, if its faults say so. */
    void addFlaps() {
        LinkFaults faults = setup.faults();
        if (faults == null || faults.upMeanPs() == 0) {
            return;
        }
        NamedRandom random = run.random(name, "flaps");
        VirtualTimer timer =
                run.addTimer((self, nowPs) -> {
                    setUp(!up);
                    self.schedule(nowPs + stayPs(random, faults));
                });
        timer.schedule(stayPs(random, faults));
    }

    private long stayPs(NamedRandom random, LinkFaults faults) {
        double meanPs = up ? faults.upMeanPs() : faults.downMeanPs();
        return 1 + (long) random.nextExponential(meanPs);
    }

    /** Such as {@code h0:1-s0:3}. */
    public String name() {
        return name;
    }

    /** Links are numbered from 0 as they are added. */
    public int number() {
        return number;
    }

    public LinkSetup setup() {
        return setup;
    }

    /** The number, in digests and for observers, of what is sent from an end. */
    public int direction(int fromEnd) {
        return 2 * number + fromEnd;
    }

    public LinkEnd end(int end) {
        return ends[end];
    }

    LinkDirection from(int end) {
        return directions[end];
    }

    /** What has been sent from an end, up to now. */
    public LinkStatistics statistics(int fromEnd) {
        return directions[fromEnd].statistics();
    }

    /** When the wire will be free again as seen from an end, in picoseconds. */
    public long freePs(int fromEnd) {
        return directions[fromEnd].freePs();
    }

    public boolean isUp() {
        return up;
    }

    /**
     * Pulls the link or plugs it in, now: frames in flight are lost, and the ports are told. To be
     * called from a timer, or while the run stands still.
     */
    public void setUp(boolean nowUp) {
        if (nowUp == up) {
            return;
        }
        run.requireNoDuty("a link is pulled or plugged in");
        up = nowUp;
        long nowNs = run.clock().ns();
        for (int end = 0; end < 2; end++) {
            directions[end].setUp(nowUp);
            LinkEnd told = ends[end];
            boolean taken =
                    told.node().ingress(told.port()).order(IngressHalf::linkChanged)
                            && told.node()
                                    .egress(told.port())
                                    .order((EgressHalf half) -> half.linkChanged(nowNs));
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
