package io.headgate.testbed.examples;

import io.headgate.config.SwitchConfig;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.dataplane.counter.CounterDirectory.Entry;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.virtual.RunOptions;
import io.headgate.testbed.virtual.VirtualNetwork;
import io.headgate.testbed.virtual.VirtualRun;

/** Two switches with the service that a jar brings. */
public final class ProbesInVirtualTime {
    private static final long MS = 1_000_000_000;

    private ProbesInVirtualTime() {}

    /** What each of them counted, a line each. */
    public static String counted(String... nothing) {
        StringBuilder counted = new StringBuilder();
        SwitchConfig read =
                SwitchConfigReader.read(
                        "{name: s, ports: [{name: p, device: {afpacket: p}}],"
                                + " services: {probe: {every: 1ms}}}",
                        "virtual");
        LinkSpec link = LinkSpec.of(10_000_000_000L, 1_000);
        Topology row =
                Topology.builder("row")
                        .switchNode("s1")
                        .switchNode("s2")
                        .host("h1", "s1", link)
                        .host("h2", "s2", link)
                        .link("s1", "s2", link)
                        .build();
        VirtualRun run = new VirtualRun(RunOptions.of(1));
        VirtualNetwork network =
                VirtualNetwork.in(
                        run,
                        NetworkPlan.of(
                                row,
                                PlanOptions.virtual(1)
                                        .withAdjust(config ->
                                                config.withMechanisms(read.mechanisms()))));
        run.runUntil(10 * MS + MS / 2);
        for (int node = 0; node < 2; node++) {
            var counters = network.switchNode(node).engine().counters();
            for (Entry entry : counters.entries()) {
                if (entry.label().startsWith("probe.")) {
                    counted.append(
                            "%s %s %d%n"
                                    .formatted(
                                            entry.owner(), entry.label(), counters.value(entry)));
                }
            }
        }
        return counted.toString();
    }
}
