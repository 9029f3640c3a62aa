package io.headgate.testbed.datacenter;

import io.headgate.config.SwitchConfig;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.counters.CounterSnapshot.Drop;
import io.headgate.testbed.datacenter.LatencyProbe.Latency;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.Iperf3;
import io.headgate.testbed.netns.Iperf3.Flow;
import io.headgate.testbed.netns.Iperf3.Protocol;
import io.headgate.testbed.netns.NetnsNetwork;
import io.headgate.testbed.traffic.frame.TestFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * RFC 8239, section 6: stateful flows (TCP) from none to three ports to one port, together with a
 * stateless one (UDP) from the third port to the same port: goodput of the former (RFC 2647, 3.17),
 * latency of the latter. Measured twice: the stateless flow shares the others' priority, or has a
 * higher one that is served strictly.
 */
final class Incast {
    /** Expedited forwarding (RFC 3246), DSCP 46: priority 5. */
    private static final int OWN_TOS = 46 << 2;

    private static final int RECEIVER = 4;
    private static final int PROBER = 3;
    private static final int SEGMENT_BYTES = 1448;
    private static final int FULL_FRAME_BYTES = 1518;
    private static final double NS_PER_MS = 1e6;

    private Incast() {}

    /**
     * The result of a measurement.
     *
     * @param ownPriority whether the stateless flow had a priority of its own
     * @param goodputBps of each stateful flow
     * @param goodputLimitBps what the port's rate lets through of full segments
     * @param fullQueueMs how long a full queue of full-size frames takes to leave
     * @param dropped by the switch
     * @param problems in one sentence each
     */
    record Result(
            int statefulFlows,
            boolean ownPriority,
            List<Double> goodputBps,
            double goodputLimitBps,
            long retransmits,
            Latency latency,
            double fullQueueMs,
            long dropped,
            List<String> problems) {
        Result {
            goodputBps = List.copyOf(goodputBps);
            problems = List.copyOf(problems);
        }

        double totalGoodputBps() {
            return goodputBps.stream().mapToDouble(Double::doubleValue).sum();
        }

        /** Jain's index of the flows' shares: 1 is even. */
        double fairness() {
            double squares = goodputBps.stream().mapToDouble(bps -> bps * bps).sum();
            double sum = totalGoodputBps();
            return squares == 0 ? Double.NaN : sum * sum / (goodputBps.size() * squares);
        }
    }

    /** Runs {@code flows} stateful flows together with the stateless one. */
    static Result run(SwitchBed bed, SwitchConfig config, int flows, boolean own, int seconds)
            throws BedException {
        List<Flow> stateful = new ArrayList<>();
        for (int from = 1; from <= flows; from++) {
            stateful.add(new Flow(from, RECEIVER));
        }
        CounterSnapshot before = bed.counters();
        List<Iperf3.Outcome> outcomes = List.of();
        Latency latency;
        NetnsNetwork network = bed.network();
        try (LatencyProbe probe =
                new LatencyProbe(
                        network.hostNetns(PROBER - 1),
                        network.hostNetns(RECEIVER - 1),
                        network.address(RECEIVER - 1),
                        own ? OWN_TOS : 0)) {
            if (stateful.isEmpty()) {
                long endNs = System.nanoTime() + seconds * 1_000_000_000L;
                while (System.nanoTime() - endNs < 0) {
                    LockSupport.parkNanos(endNs - System.nanoTime());
                }
            } else {
                outcomes = Iperf3.run(network, Protocol.TCP, stateful, seconds);
            }
            latency = probe.end();
        }
        long dropped = bed.counters().since(before).drops().stream().mapToLong(Drop::frames).sum();
        return result(config, own, outcomes, latency, dropped);
    }

    private static Result result(
            SwitchConfig config,
            boolean own,
            List<Iperf3.Outcome> outcomes,
            Latency latency,
            long dropped) {
        List<String> problems = new ArrayList<>();
        for (Iperf3.Outcome outcome : outcomes) {
            if (outcome.problem() != null) {
                problems.add("incast, " + outcomes.size() + " flows: " + outcome.problem());
            } else if (outcome.receivedBps() <= 0) {
                problems.add("incast, " + outcomes.size() + " flows: one received nothing");
            }
        }
        if (latency.lost() == latency.sent()) {
            problems.add("incast, " + outcomes.size() + " flows: no datagram arrived");
        }
        var port = config.ports().get(RECEIVER - 1);
        long queued = port.queueLimitBytes() / (FULL_FRAME_BYTES - TestFrame.FCS_BYTES);
        double wireNs = BufferModel.wireNs(FULL_FRAME_BYTES, port.rateBps());
        return new Result(
                outcomes.size(),
                own,
                outcomes.stream().map(Iperf3.Outcome::receivedBps).toList(),
                SEGMENT_BYTES * Byte.SIZE * 1e9 / wireNs,
                outcomes.stream().mapToLong(Iperf3.Outcome::retransmits).sum(),
                latency,
                queued * wireNs / NS_PER_MS,
                dropped,
                problems);
    }
}
