package io.headgate.testbed.lab;

import io.headgate.config.Withers;
import io.headgate.control.counters.CounterSnapshot.Drop;
import io.headgate.testbed.lab.Losses.Loss;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.lab.policy.Passage;
import io.headgate.testbed.lab.rdma.RdmaFlow;
import io.headgate.testbed.netns.Iperf3;
import io.headgate.testbed.netns.Iperf3.Flow;
import io.headgate.testbed.netns.Iperf3.Protocol;
import io.headgate.testbed.scenario.Numbers;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.picture.LinkLoad;
import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Flows that run at the same time.
 *
 * @param name short, for tables and file names
 * @param protocol of them, or of the first where they have several
 * @param startsMs start times of the flows, after the phase's beginning
 * @param controls by which their hosts' cards let them send; empty: none
 */
record Phase(
        String name,
        Protocol protocol,
        List<Flow> flows,
        List<Long> startsMs,
        List<String> controls) {
    private static final double MS_PER_SECOND = 1e3;

    Phase(String name, Protocol protocol, List<Flow> flows) {
        this(
                name,
                protocol,
                flows,
                Collections.nCopies(flows.size(), 0L),
                Collections.nCopies(flows.size(), ""));
    }

    Phase {
        flows = List.copyOf(flows);
        startsMs = List.copyOf(startsMs);
        controls = List.copyOf(controls);
    }

    /** When a flow begins, in seconds after the phase. */
    double startSeconds(int flow) {
        return startsMs.get(flow) / MS_PER_SECOND;
    }

    /**
     * The result of a phase.
     *
     * @param drops by the switch meanwhile
     * @param socketDrops datagrams that hosts lost in their own full socket buffers meanwhile
     * @param loads how each link was used, in their order
     * @param losses anywhere between sockets, where hosts have cards of ours
     * @param passages of the hosts' datagrams, where each has one flow of UDP through such a card
     * @param marks of frames by flow, where they are asked for
     * @param recorded what the file makes of counters over time, and these counters; times are
     *     since the phase began
     * @param rdma what flows of RoCEv2 received
     */
    @Withers
    record Outcome(
            Phase phase,
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
        Outcome {
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
         * Datagrams that never arrived and that no counter reports as lost; negative where other
         * frames were lost too, such as those of iperf3's own connections.
         */
        long unexplained() {
            return passages.stream().mapToLong(Passage::lost).sum() - Losses.frames(losses);
        }

        /** The total rate of payload at the flows' receivers, in bits per second. */
        double receivedBps() {
            return flows.stream().mapToDouble(Iperf3.Outcome::receivedBps).sum();
        }

        LabFiles.Used used(NetworkPlan plan, double seconds) {
            return new LabFiles.Used(
                    "network-" + OwnLabSpec.word(phase.name),
                    "How links were used (" + phase.name + ").",
                    plan,
                    loads,
                    seconds);
        }

        long dropped() {
            return drops.stream().mapToLong(Drop::frames).sum();
        }

        /** As receivers count: numbers that never came; of TCP none. */
        long missedDatagrams() {
            return flows.stream().mapToLong(Iperf3.Outcome::lostDatagrams).sum();
        }
    }

    int mostToOne() {
        return flows.stream().mapToInt(flow -> sendersTo(flow.to())).max().orElse(0);
    }

    private int sendersTo(int receiver) {
        return (int)
                flows.stream()
                        .filter(flow -> flow.to() == receiver)
                        .mapToInt(Flow::from)
                        .distinct()
                        .count();
    }

    /**
     * For people, such as {@code UDP incast: h1→h4 h2→h4 at 50 Mb/s each, 5 s}.
     *
     * @param nameOf a host by its number, from 1
     */
    String describe(int seconds, IntFunction<String> nameOf) {
        boolean alike = flows.stream().allMatch(flow -> flow.udpBps() == flows.getFirst().udpBps());
        StringBuilder text = new StringBuilder(name).append(':');
        for (Flow flow : flows) {
            text.append(' ').append(nameOf.apply(flow.from()));
            text.append('→').append(nameOf.apply(flow.to()));
            if (!alike) {
                text.append(" at ").append(Numbers.rate((double) flow.udpBps()));
            }
        }
        if (protocol == Protocol.UDP && alike) {
            long each = flows.getFirst().udpBps();
            text.append(" at ").append(Numbers.rate((double) each)).append(" each");
        }
        return text.append(flows.isEmpty() ? " " : ", ").append(seconds).append(" s").toString();
    }
}
