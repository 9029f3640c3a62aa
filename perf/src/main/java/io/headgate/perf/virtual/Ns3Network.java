package io.headgate.perf.virtual;

import io.headgate.testbed.topology.LinkPlan;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A case as the program for ns-3 reads it: words and numbers, nodes being hosts, then switches. */
final class Ns3Network {
    private static final long PS_PER_NS = 1000;

    private Ns3Network() {}

    static void write(NetworkCase network, long durationNs, long seed, Path file)
            throws IOException {
        NetworkPlan plan = NetworkPlan.of(network.topology(), PlanOptions.virtual(seed));
        int hosts = plan.hosts().size();
        int switches = plan.switches().size();
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            line(out, "frame", NetworkCase.WIRE_BYTES, NetworkCase.QUEUE_FRAMES);
            line(out, "nodes", hosts, switches);
            for (LinkPlan link : plan.links()) {
                line(
                        out,
                        "link",
                        node(link.a(), hosts),
                        node(link.b(), hosts),
                        link.spec().rateBps(),
                        link.spec().delayPs() / PS_PER_NS);
            }
            for (int at = 0; at < switches; at++) {
                for (int to = 0; to < hosts; to++) {
                    List<Integer> ports = plan.nextPorts(at, to);
                    long[] numbers = new long[3 + ports.size()];
                    numbers[0] = at;
                    numbers[1] = to;
                    numbers[2] = ports.size();
                    for (int i = 0; i < ports.size(); i++) {
                        numbers[3 + i] = ports.get(i);
                    }
                    line(out, "table", numbers);
                }
            }
            for (PlannedFlow flow : network.flows(durationNs, seed)) {
                line(out, "flow", flow.startNs(), flow.source(), flow.destination(), flow.frames());
            }
            line(out, "until", durationNs);
        }
    }

    private static int node(LinkPlan.End end, int hosts) {
        return end.isHost() ? end.node() : hosts + end.node();
    }

    private static void line(BufferedWriter out, String word, long... numbers) throws IOException {
        out.write(word);
        for (long number : numbers) {
            out.write(' ');
            out.write(Long.toString(number));
        }
        out.write('\n');
    }
}
