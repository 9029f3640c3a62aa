package io.headgate.testbed.traffic;

import org.jspecify.annotations.Nullable;

/**
 * Finds the flow of a frame at one host, by the number that the frame carries; the flow may have
 * begun at any host. Owned by the host's device.
 */
final class FlowFinder {
    private final TrafficHosts hosts;
    private final int host;

    // The flow of the last frame.
    private @Nullable Flow lastFlow;

    FlowFinder(TrafficHosts hosts, int host) {
        this.hosts = hosts;
        this.host = host;
    }

    /** Finds a flow; tries the last one first, because frames of a flow come several in a row. */
    @Nullable Flow find(int sender, int number, long nowPs) {
        Flow last = lastFlow;
        if (last != null && last.number == number && last.sourceHost == sender) {
            return FlowTable.isFound(last, host, nowPs, hosts.apartPs()) ? last : null;
        }
        Flow found = hosts.flow(sender, number, host, nowPs);
        lastFlow = found;
        return found;
    }
}
