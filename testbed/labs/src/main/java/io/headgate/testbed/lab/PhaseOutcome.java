package io.headgate.testbed.lab;

import io.headgate.config.Withers;
import io.headgate.control.counters.CounterSnapshot.Drop;
import io.headgate.testbed.lab.Losses.Loss;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.lab.policy.Passage;
import io.headgate.testbed.lab.rdma.RdmaFlow;
import io.headgate.testbed.netns.Iperf3;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.picture.LinkLoad;
import java.util.List;

/**
 * The result of a phase.
 *
 * @param drops by the switch meanwhile
 * @param socketDrops datagrams that hosts lost in their own full socket buffers meanwhile
 * @param loads how each link was used, in their order
 * @param losses anywhere between sockets, where hosts have cards of ours
 * @param passages of the hosts' datagrams, where each has one flow of UDP through such a card
 * @param marks of frames by flow, where they are asked for
 * @param recorded what the file makes of counters over time, and these counters; times are since
 *     the phase began
 * @param rdma what flows of RoCEv2 received
 */
@Withers
record PhaseOutcome(
        OwnLabSpec.Phase phase,
        List<Iperf3.Outcome> flows,
        List<Drop> drops,
        long socketDrops,
        List<LinkLoad> loads,
        List<Loss> losses,
        List<Passage> passages,
        List<LabMarks.Count> marks,
        List<Series> recorded,
        List<RdmaFlow.Received> rdma)
        implements PhaseOutcomeBuilder.With {
    PhaseOutcome {
        rdma = List.copyOf(rdma);
        recorded = List.copyOf(recorded);
        marks = List.copyOf(marks);
        losses = List.copyOf(losses);
        passages = List.copyOf(passages);
        loads = List.copyOf(loads);
        flows = List.copyOf(flows);
        drops = List.copyOf(drops);
    }

    List<Loss> lost() {
        return losses.stream().filter(loss -> !loss.reason().equals(Losses.ENDED)).toList();
    }

    /** Its losses anywhere except in switches' queues. */
    List<Loss> lostOutsideQueues() {
        return lost().stream().filter(loss -> !loss.isOfQueues()).toList();
    }

    /**
     * Datagrams that never arrived and that no counter reports as lost; negative where other frames
     * were lost too, such as those of iperf3's own connections.
     */
    long unexplained() {
        return passages.stream().mapToLong(Passage::lost).sum() - Losses.frames(losses);
    }

    /** The total rate of payload at the flows' receivers, in bits per second. */
    double receivedBps() {
        return flows.stream().mapToDouble(Iperf3.Outcome::receivedBps).sum();
    }

    LabFiles.Used used(NetworkPlan plan) {
        return new LabFiles.Used(
                "network-" + phase.word(),
                "How links were used (" + phase.name() + ").",
                plan,
                loads,
                phase.seconds());
    }

    long dropped() {
        return drops.stream().mapToLong(Drop::frames).sum();
    }

    /** As receivers count: numbers that never came; of TCP none. */
    long missedDatagrams() {
        return flows.stream().mapToLong(Iperf3.Outcome::lostDatagrams).sum();
    }
}
