package io.headgate.testbed.lab.own;

import io.headgate.testbed.lab.outage.ProbeFlow;
import io.headgate.testbed.lab.rdma.RdmaFlow;
import io.headgate.testbed.netns.Iperf3.Protocol;
import io.headgate.testbed.topology.Topology;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A lab as a file describes it. Immutable.
 *
 * @param name in every output
 * @param seconds of traffic and commands together
 * @param capturesAll whether all frames are captured, not only those of chosen moments
 * @param flows that iperf3 sends
 * @param rdma flows of RoCEv2; their hosts have neither flows of iperf3 nor commands
 * @param probes numbered datagrams that tell outages
 * @param commands run at hosts
 * @param rerouteMs after which routers have the routes that a change of a link left
 * @param orders that change switches and links, by time
 * @param expectations what must come out
 * @param warnings what of the file does nothing on real frames, in sentences
 */
public record OwnLabSpec(
        String name,
        Topology topology,
        int seconds,
        boolean capturesAll,
        List<Flow> flows,
        List<RdmaFlow> rdma,
        List<ProbeFlow> probes,
        List<Command> commands,
        long rerouteMs,
        List<Order> orders,
        List<LabExpectation> expectations,
        List<String> warnings) {

    public OwnLabSpec {
        flows = List.copyOf(flows);
        rdma = List.copyOf(rdma);
        probes = List.copyOf(probes);
        commands = List.copyOf(commands);
        orders = List.copyOf(orders);
        expectations = List.copyOf(expectations);
        warnings = List.copyOf(warnings);
    }

    /** Whether anything is expected of a measure. */
    public boolean expects(LabExpectation.Measure measure) {
        return expectations.stream().anyMatch(one -> one.measure() == measure);
    }

    /**
     * A flow of iperf3.
     *
     * @param from the sender's number, from 0
     * @param to the receiver's
     * @param rateBps of UDP; 0 with TCP
     * @param startMs after the beginning
     * @param seconds that it lasts
     * @param dscp of its packets, 0 to 63
     * @param socketBytes what both its sockets are asked to hold; 0: as the kernel has it
     * @param tcpControl TCP's congestion control; empty: the kernel's
     */
    public record Flow(
            int from,
            int to,
            Protocol protocol,
            long rateBps,
            long startMs,
            int seconds,
            int dscp,
            int socketBytes,
            String tcpControl) {}

    /**
     * A command of the shell.
     *
     * @param host the number of the host that runs it, from 0
     * @param line what {@code sh -c} is given
     * @param startMs after the beginning
     * @param isService whether it runs until the lab ends it, started before everything else
     */
    public record Command(int host, String line, long startMs, boolean isService) {}

    /**
     * A change while it runs.
     *
     * @param atMs after the beginning
     * @param words what a person sees of it
     */
    public record Order(long atMs, String words, List<Step> steps) {
        public Order {
            steps = List.copyOf(steps);
        }
    }

    /**
     * What one switch sets.
     *
     * @param node its name in the topology
     * @param assignments as {@code headgate set} takes them; empty: {@code set} has all
     */
    public record Step(String node, List<String> assignments, Map<String, Object> set) {
        public Step {
            assignments = List.copyOf(assignments);
            set = Collections.unmodifiableMap(new LinkedHashMap<>(set));
        }
    }
}
