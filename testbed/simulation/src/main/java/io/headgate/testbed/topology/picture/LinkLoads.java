package io.headgate.testbed.topology.picture;

import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.report.FlowControlSection;
import io.headgate.control.report.FlowControlSection.Row;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.CounterId;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.dataplane.counter.IngressCounter;
import io.headgate.dataplane.queue.WireFormat;
import io.headgate.testbed.topology.LinkPlan;
import io.headgate.testbed.topology.NetworkPlan;
import java.util.ArrayList;
import java.util.List;

/**
 * Computes the load of a network's links from the counters of its nodes.
 *
 * @param switches counters of each switch
 * @param cards counters of each host's card; empty if cards have none
 * @param seconds length of the run, by the clock of the links' rates
 */
public record LinkLoads(
        NetworkPlan plan,
        List<CounterSnapshot> switches,
        List<CounterSnapshot> cards,
        double seconds) {
    public LinkLoads {
        switches = List.copyOf(switches);
        cards = List.copyOf(cards);
    }

    /** Each link's load, in the order of their numbers. */
    public List<LinkLoad> all() {
        List<List<Row>> ofSwitches = switches.stream().map(FlowControlSection::rows).toList();
        List<List<Row>> ofCards = cards.stream().map(FlowControlSection::rows).toList();
        List<LinkLoad> loads = new ArrayList<>();
        for (LinkPlan link : plan.links()) {
            loads.add(
                    new LinkLoad(
                            share(link, link.a(), link.b()),
                            share(link, link.b(), link.a()),
                            stops(link.a(), link.b(), ofSwitches, ofCards),
                            stops(link.b(), link.a(), ofSwitches, ofCards)));
        }
        return loads;
    }

    private double share(LinkPlan link, LinkPlan.End from, LinkPlan.End to) {
        boolean isHost = from.isHost();
        LinkPlan.End counting = isHost ? to : from;
        if (counting.isHost()) {
            return 0;
        }
        CounterSnapshot one = switches.get(counting.node());
        String port = local(counting);
        Scope side = isHost ? Scope.INGRESS : Scope.EGRESS;
        CounterId frames =
                isHost ? IngressCounter.FRAMES_RECEIVED : EgressCounter.FRAMES_TRANSMITTED;
        CounterId bytes = isHost ? IngressCounter.BYTES_RECEIVED : EgressCounter.BYTES_TRANSMITTED;
        double wireBytes =
                one.value(side, port, bytes)
                        + (double) WireFormat.ETHERNET.overheadBytes()
                                * one.value(side, port, frames);
        return Math.min(1, wireBytes * Byte.SIZE / seconds / link.spec().rateBps());
    }

    private String local(LinkPlan.End end) {
        return plan.switches().get(end.node()).ports().get(end.port()).name();
    }

    /**
     * Stops of a sender. For a host whose card has no counters: the XOFF frames that its switch has
     * sent to it.
     */
    private long stops(
            LinkPlan.End sender,
            LinkPlan.End receiver,
            List<List<Row>> ofSwitches,
            List<List<Row>> ofCards) {
        if (sender.isHost() && !ofCards.isEmpty()) {
            return ofCards.get(sender.node()).stream().mapToLong(Row::stops).sum();
        }
        LinkPlan.End at = sender.isHost() ? receiver : sender;
        if (at.isHost()) {
            return 0;
        }
        String port = local(at);
        return ofSwitches.get(at.node()).stream()
                .filter(row -> row.port().equals(port))
                .mapToLong(row -> sender.isHost() ? row.xoffSent() : row.stops())
                .sum();
    }
}
