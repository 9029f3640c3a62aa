package io.headgate.testbed.virtual;

import io.headgate.dataplane.random.NamedRandom;
import io.headgate.testbed.virtual.link.LinkFaults;
import io.headgate.testbed.virtual.link.VirtualLink;

/** Pulls a link and plugs it in again, for as long each time as its faults have it drawn. */
final class LinkFlaps implements VirtualTimer.Task {
    private final VirtualLink link;
    private final LinkFaults faults;
    private final NamedRandom random;

    LinkFlaps(VirtualLink link, LinkFaults faults, NamedRandom random) {
        this.link = link;
        this.faults = faults;
        this.random = random;
    }

    @Override
    public void fire(VirtualTimer timer, long nowPs) {
        link.setUp(!link.isUp());
        timer.schedule(nowPs + stayPs());
    }

    /** For how long it stays as it is. */
    long stayPs() {
        double meanPs = link.isUp() ? faults.upMeanPs() : faults.downMeanPs();
        return 1 + (long) random.nextExponential(meanPs);
    }
}
