package io.headgate.testbed.lab;

import io.headgate.control.counters.CounterSnapshot.Drop;
import io.headgate.testbed.netns.Iperf3;
import io.headgate.testbed.netns.Iperf3.Flow;
import io.headgate.testbed.netns.Iperf3.Protocol;
import io.headgate.testbed.scenario.Numbers;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.picture.LinkLoad;
import java.util.List;

/**
 * Flows that run at the same time.
 *
 * @param name short, for tables and file names
 * @param udpBps of each flow; unused with TCP
 * @param congested whether more is offered than a port can send, so that frames must be dropped
 */
record Phase(String name, Protocol protocol, List<Flow> flows, long udpBps, boolean congested) {

    Phase {
        flows = List.copyOf(flows);
    }

    /**
     * The result of a phase.
     *
     * @param drops by the switch meanwhile
     * @param socketDrops datagrams that hosts lost in their own full socket buffers meanwhile
     * @param loads how each link was used, in their order
     */
    record Outcome(
            Phase phase,
            List<Iperf3.Outcome> flows,
            List<Drop> drops,
            long socketDrops,
            List<LinkLoad> loads) {
        Outcome {
            loads = List.copyOf(loads);
            flows = List.copyOf(flows);
            drops = List.copyOf(drops);
        }

        /** What the flows' receivers got in all, in bits of payload per second. */
        double receivedBps() {
            return flows.stream().mapToDouble(Iperf3.Outcome::receivedBps).sum();
        }

        /** A picture of the network meanwhile. */
        LabFiles.Used used(NetworkPlan plan) {
            return new LabFiles.Used(
                    "network-" + LabFiles.word(phase.name), phase.name + ".", plan, loads);
        }

        long dropped() {
            return drops.stream().mapToLong(Drop::frames).sum();
        }

        long reorderedDatagrams() {
            return flows.stream().mapToLong(Iperf3.Outcome::reorderedDatagrams).sum();
        }

        /** As receivers count: numbers that never came; of TCP none. */
        long missedDatagrams() {
            return flows.stream().mapToLong(Iperf3.Outcome::lostDatagrams).sum();
        }
    }

    /** The phases of a lab, with flows that meet in pairs first, then at one port. */
    static List<Phase> all(long rateBps, long udpBps) {
        List<Flow> pairs = List.of(new Flow(1, 2), new Flow(3, 4));
        List<Flow> reversed = List.of(new Flow(2, 1), new Flow(4, 3));
        List<Flow> incast = List.of(new Flow(1, 4), new Flow(2, 4), new Flow(3, 4));
        return List.of(
                new Phase("TCP pairs", Protocol.TCP, pairs, 0, false),
                new Phase("TCP reversed", Protocol.TCP, reversed, 0, false),
                new Phase("UDP pairs", Protocol.UDP, pairs, udpBps, false),
                new Phase("TCP incast", Protocol.TCP, incast, 0, true),
                // Half the line rate from each of three: half as much again as the port can send.
                new Phase("UDP incast", Protocol.UDP, incast, rateBps / 2, true));
    }

    String describe(int seconds) {
        boolean alike = flows.stream().allMatch(flow -> flow.udpBps() == flows.getFirst().udpBps());
        StringBuilder text = new StringBuilder(name).append(':');
        for (Flow flow : flows) {
            text.append(" h").append(flow.from()).append("→h").append(flow.to());
            if (!alike) {
                text.append(" at ").append(Numbers.rate((double) flow.udpBps()));
            }
        }
        if (protocol == Protocol.UDP && alike) {
            text.append(" at ").append(Numbers.rate((double) udpBps)).append(" each");
        }
        return text.append(", ").append(seconds).append(" s").toString();
    }
}
