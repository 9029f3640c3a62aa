package io.headgate.testbed.lab;

import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.counters.CounterSnapshot.Drop;
import io.headgate.control.report.FlowControlSection;
import io.headgate.control.run.RunningSwitch;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.CounterId;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.dataplane.counter.IngressCounter;
import io.headgate.dataplane.queue.WireFormat;
import io.headgate.testbed.topology.LinkPlan;
import io.headgate.testbed.topology.picture.LinkLoad;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The counters of a lab's switches at one moment, or between two.
 *
 * @param bySwitch in the order of the switches
 */
record LabCounters(LabSwitches switches, List<CounterSnapshot> bySwitch) {
    LabCounters {
        bySwitch = List.copyOf(bySwitch);
    }

    /** All counters as they are now. */
    static LabCounters of(LabSwitches switches) {
        return new LabCounters(
                switches, switches.all().stream().map(RunningSwitch::counters).toList());
    }

    /** What has happened since an earlier moment. */
    LabCounters since(LabCounters earlier) {
        List<CounterSnapshot> differences = new ArrayList<>();
        for (int node = 0; node < bySwitch.size(); node++) {
            differences.add(bySwitch.get(node).since(earlier.bySwitch.get(node)));
        }
        return new LabCounters(switches, differences);
    }

    /** When they were taken, on {@link System#nanoTime()}'s clock; of several, the first. */
    long takenNs() {
        return bySwitch.getFirst().takenNs();
    }

    /** A counter of one side of a port. */
    long value(Scope scope, LabSwitches.Port port, CounterId id) {
        return bySwitch.get(port.node()).value(scope, port.local(), id);
    }

    /** Sum of a counter over all its owners, in all switches. */
    long total(Scope scope, CounterId id) {
        return bySwitch.stream().mapToLong(one -> one.total(scope, id)).sum();
    }

    /** What was dropped, and why, each port under its name in the lab. */
    List<Drop> drops() {
        List<Drop> drops = new ArrayList<>();
        for (int node = 0; node < bySwitch.size(); node++) {
            for (Drop drop : bySwitch.get(node).drops()) {
                drops.add(
                        new Drop(
                                switches.portName(node, drop.port()),
                                drop.ingress(),
                                drop.reason(),
                                drop.description(),
                                drop.frames()));
            }
        }
        return drops;
    }

    /**
     * How each link was used, by its number.
     *
     * @param seconds that the traffic lasted
     */
    Map<Integer, LinkLoad> loads(double seconds) {
        Map<Integer, LinkLoad> loads = new HashMap<>();
        for (LinkPlan link : switches.plan().links()) {
            loads.put(
                    link.number(),
                    new LinkLoad(
                            share(link, link.a(), link.b(), seconds),
                            share(link, link.b(), link.a(), seconds),
                            stops(link.a(), link.b()),
                            stops(link.b(), link.a())));
        }
        return loads;
    }

    private double share(LinkPlan link, LinkPlan.End from, LinkPlan.End to, double seconds) {
        boolean isHost = from.isHost();
        LinkPlan.End counting = isHost ? to : from;
        CounterSnapshot one = bySwitch.get(counting.node());
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
        return switches.all().get(end.node()).config().ports().get(end.port()).name();
    }

    /** Of a host's card as often as its switch has asked it to. */
    private long stops(LinkPlan.End sender, LinkPlan.End receiver) {
        LinkPlan.End at = sender.isHost() ? receiver : sender;
        String port = local(at);
        return FlowControlSection.rows(bySwitch.get(at.node())).stream()
                .filter(row -> row.port().equals(port))
                .mapToLong(row -> sender.isHost() ? row.xoffSent() : row.stops())
                .sum();
    }
}
