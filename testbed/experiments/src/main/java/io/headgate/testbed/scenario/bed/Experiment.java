package io.headgate.testbed.scenario.bed;

import io.headgate.config.Withers;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.spec.ArrivalSpec;
import io.headgate.testbed.traffic.spec.FlowSpec;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An experiment in terms that hold on every bed: a network, its traffic, its duration, what is
 * recorded. All times and rates are those described; a slower bed scales them, and scales its
 * measurements back.
 *
 * @param durationPs duration in ps, from 1 us to 1,000 s
 * @param orders changes to switches during the run
 * @param linkOrders links that go down and come up during the run
 * @param drain flows for which the run continues after its duration, in virtual time; null: none
 * @param model model of switches and acknowledgements
 */
@Withers
public record Experiment(
        Topology topology,
        List<FlowSpec> flows,
        List<ArrivalSpec> arrivals,
        long durationPs,
        Recording recording,
        List<Order> orders,
        List<LinkOrder> linkOrders,
        @Nullable Drain drain,
        NetworkModel model)
        implements ExperimentBuilder.With {
    /**
     * Continues a run after its duration, under the same load, until the measured flows have
     * finished: the largest flows finish last, and without them all would look faster. Nothing else
     * is measured in that time.
     *
     * @param fromPs start of the period whose beginning flows are awaited
     * @param untilPs its end (exclusive)
     * @param atMostPs maximum time after the duration, in ps
     */
    public record Drain(long fromPs, long untilPs, long atMostPs) {}

    private static final long SHORTEST_PS = 1_000_000;

    /** Longest duration, in ps: 1,000 s. */
    public static final long LONGEST_PS = 1_000_000_000_000_000L;

    /**
     * @throws IllegalArgumentException in one sentence, if it cannot be run
     */
    public Experiment {
        flows = List.copyOf(flows);
        arrivals = List.copyOf(arrivals);
        orders = List.copyOf(orders);
        linkOrders = List.copyOf(linkOrders);
        if (durationPs < SHORTEST_PS || durationPs > LONGEST_PS) {
            throw new IllegalArgumentException(
                    "a duration of " + durationPs + " ps: 1 us to 1000 s are allowed");
        }
        long samples = durationPs / recording.intervalPs();
        if (samples > Recording.MAX_SAMPLES) {
            throw new IllegalArgumentException(
                    samples
                            + " samples: at most "
                            + Recording.MAX_SAMPLES
                            + " are allowed; a longer interval or a shorter duration gives fewer");
        }
    }

    /** An experiment without changes during the run, with real switches and hosts as the model. */
    public Experiment(
            Topology topology,
            List<FlowSpec> flows,
            List<ArrivalSpec> arrivals,
            long durationPs,
            Recording recording) {
        this(
                topology,
                flows,
                arrivals,
                durationPs,
                recording,
                List.of(),
                List.of(),
                null,
                NetworkModel.PLAIN);
    }

    /** Names of all groups of flows, in the order in which they are first named. */
    public Set<String> groups() {
        Set<String> names = new LinkedHashSet<>();
        flows.forEach(flow -> names.add(flow.name()));
        arrivals.forEach(source -> names.add(source.name()));
        return names;
    }
}
