package io.headgate.testbed.traffic;

import org.jspecify.annotations.Nullable;

/**
 * Which flow a frame is of, as one host finds it: by the number that its frames carry, wherever the
 * flow began. Owned by the host's device.
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

    /** Frames of a flow come several in a row: the one found last is mostly meant again. */
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
