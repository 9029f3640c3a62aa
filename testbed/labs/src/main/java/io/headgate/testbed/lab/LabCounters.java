package io.headgate.testbed.lab;

import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.counters.CounterSnapshot.Drop;
import io.headgate.control.run.RunningSwitch;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.CounterId;
import io.headgate.testbed.topology.picture.LinkLoad;
import io.headgate.testbed.topology.picture.LinkLoads;
import java.util.ArrayList;
import java.util.List;

/**
 * The counters of a lab's switches at one moment, or between two.
 *
 * @param bySwitch in the order of the switches
 */
record LabCounters(LabSwitches switches, List<CounterSnapshot> bySwitch) {
    /**
     * Text for counters that begin with the pings: they exclude frames sent while links came up.
     */
    static final String SINCE_REST = "all links were up and at rest, before the first ping";

    private static final String SINCE_WARM = "the network was warm";

    /**
     * When counters began.
     *
     * @param isWarm whether that is the end of a warm-up
     * @param run of several networks that of this one; empty: there is one
     */
    static String since(boolean isWarm, String run) {
        String since = isWarm ? SINCE_WARM : SINCE_REST;
        return run.isEmpty() ? since : "run \"%s\": %s".formatted(run, since);
    }

    LabCounters {
        bySwitch = List.copyOf(bySwitch);
    }

    static LabCounters of(LabSwitches switches) {
        return new LabCounters(
                switches, switches.all().stream().map(RunningSwitch::counters).toList());
    }

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

    long value(Scope scope, LabSwitches.Port port, CounterId id) {
        return bySwitch.get(port.node()).value(scope, port.local(), id);
    }

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
     * How each link was used, in the order of their numbers.
     *
     * @param seconds that the traffic lasted
     * @param cards what the hosts' cards counted meanwhile, by host; empty where they have none
     */
    List<LinkLoad> loads(double seconds, List<CounterSnapshot> cards) {
        return new LinkLoads(switches.plan(), bySwitch, cards, seconds).all();
    }
}
