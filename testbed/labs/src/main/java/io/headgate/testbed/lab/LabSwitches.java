package io.headgate.testbed.lab;

import io.headgate.config.Reason;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.link.LinkChange;
import io.headgate.control.link.LinkEnd;
import io.headgate.control.run.RunningSwitch;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.counter.CounterDirectory.Entry;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.testbed.lab.own.LabLinks;
import io.headgate.testbed.lab.series.CounterLooks.Counter;
import io.headgate.testbed.lab.series.LabChanges;
import io.headgate.testbed.lab.validity.Holds;
import io.headgate.testbed.lab.validity.LabMargins;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.NetnsNetwork;
import io.headgate.testbed.scenario.bed.CounterName;
import io.headgate.testbed.topology.LinkPlan;
import io.headgate.testbed.topology.NetworkPlan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** The switches of a network while they run, with one list of all their ports. Any thread. */
final class LabSwitches {
    /**
     * A port.
     *
     * @param node the number of its switch
     * @param number its number there
     * @param local its name there
     * @param name {@code p1}, or {@code s1/p1} where there are several switches
     * @param peer the node at the other end of its link
     */
    record Port(int node, int number, String local, String name, LinkPlan.End peer) {}

    private final NetworkPlan plan;
    private final int count;

    /** Empty once they are released. */
    private volatile List<RunningSwitch> running;

    private final LabChanges changes;
    private final List<Port> ports = new ArrayList<>();

    /**
     * @param running the switches of the plan, in their order
     * @param changes records changes that others make to them
     */
    LabSwitches(NetworkPlan plan, List<RunningSwitch> running, LabChanges changes) {
        this.plan = plan;
        this.count = running.size();
        this.running = List.copyOf(running);
        this.changes = changes;
        for (int node = 0; node < running.size(); node++) {
            String name = name(node);
            running.get(node).onChange(changed -> changes.add(name, changed));
            List<RunningSwitch.Port> own = running.get(node).ports();
            for (int port = 0; port < own.size(); port++) {
                String local = own.get(port).name();
                ports.add(new Port(node, port, local, portName(node, local), peer(node, port)));
            }
        }
    }

    private LinkPlan.End peer(int node, int port) {
        LinkPlan.End self = new LinkPlan.End(false, node, port);
        for (LinkPlan link : plan.links()) {
            if (link.a().equals(self)) {
                return link.b();
            }
            if (link.b().equals(self)) {
                return link.a();
            }
        }
        throw new IllegalArgumentException("no link at port " + port + " of switch " + node);
    }

    /** Tells each switch who is at the far ends of its links, as {@code headgate explain} asks. */
    void tellPeers(NetnsNetwork network) {
        for (int node = 0; node < running.size(); node++) {
            Map<String, String> peers = new HashMap<>();
            for (Port port : ports) {
                if (port.node == node) {
                    peers.put(port.local, peer(network, port.peer));
                }
            }
            running.get(node).tellPeers(peers);
        }
    }

    /**
     * Tells each switch which link each of its ports is an end of, as {@code headgate link} asks.
     */
    void tellLinks() {
        for (int node = 0; node < running.size(); node++) {
            Map<String, LinkEnd> ends = new HashMap<>();
            for (LinkChange.Port port : LabLinks.ports(plan)) {
                if (port.switchName().equals(running.get(node).config().name())) {
                    ends.put(port.port(), port.end());
                }
            }
            running.get(node).tellLinks(ends);
        }
    }

    /** A switch by its name in the topology. */
    RunningSwitch named(String node) {
        for (int number = 0; number < running.size(); number++) {
            if (name(number).equals(node)) {
                return running.get(number);
            }
        }
        throw new IllegalArgumentException("no switch " + node);
    }

    /**
     * Counters by the names that scenarios record them by.
     *
     * @throws BedException if a switch has none of that name, or two
     */
    List<Counter> counters(List<String> names) throws BedException {
        List<Counter> counters = new ArrayList<>();
        for (String name : names) {
            CounterName said = CounterName.parse(name);
            CounterDirectory of = named(said.node()).realTime().engine().counters();
            try {
                counters.add(new Counter(name, of, said.find(of.entries())));
            } catch (IllegalArgumentException e) {
                throw new BedException(Reason.of(e), e);
            }
        }
        return counters;
    }

    /** A counter of a port, read at each call. */
    LongSupplier now(Port port, EgressCounter id) {
        CounterDirectory of = running.get(port.node).realTime().engine().counters();
        Entry entry = new CounterName("", port.local, "out", id.label()).find(of.entries());
        return () -> of.value(entry);
    }

    /** The margins of their lossless ports now, with what the hosts' cards have counted. */
    LabMargins margins(List<CounterSnapshot> cards) {
        return new LabMargins(
                ports.stream()
                        .map(port ->
                                new LabMargins.Port(
                                        running.get(port.node),
                                        port.number,
                                        port.name,
                                        port.peer.isHost()))
                        .toList(),
                cards);
    }

    /** The times for which workers were held, those of the hosts' cards included. */
    Holds holds(List<CounterSnapshot> cards) {
        return Holds.of(
                Stream.concat(running.stream().map(RunningSwitch::counters), cards.stream())
                        .toList());
    }

    boolean areLinksUp() {
        return running.stream().allMatch(RunningSwitch::areLinksUp);
    }

    private String peer(NetnsNetwork network, LinkPlan.End end) {
        if (end.isHost()) {
            return network.hostNetns(end.node());
        }
        RunningSwitch other = running.get(end.node());
        return other.config().name() + ":" + other.config().ports().get(end.port()).name();
    }

    /** Name of a port, also of one that represents the switch itself. */
    String portName(int node, String local) {
        return count == 1 ? local : name(node) + "/" + local;
    }

    String name(int node) {
        return plan.topology().switches().get(node).name();
    }

    NetworkPlan plan() {
        return plan;
    }

    LabChanges changes() {
        return changes;
    }

    /**
     * Forgets the switches, which have much memory: the numbers and figures of many runs keep this
     * for the names of ports.
     */
    void release() {
        running = List.of();
    }

    List<RunningSwitch> all() {
        return running;
    }

    RunningSwitch only() {
        if (running.size() != 1) {
            throw new IllegalStateException(
                    running.size() + " switches, but exactly one is needed");
        }
        return running.getFirst();
    }

    /** All ports except those that represent switches themselves, by switch, then by number. */
    List<Port> ports() {
        return List.copyOf(ports);
    }
}
