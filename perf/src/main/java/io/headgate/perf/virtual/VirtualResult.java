package io.headgate.perf.virtual;

import io.headgate.control.report.Median;
import io.headgate.perf.forwarding.Ratio;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * All results of a run.
 *
 * @param ns3Version of the package, with how it was built; empty where it was not measured
 * @param commands that compiled and ran what was measured
 * @param missing what was not measured, and why, a sentence each
 * @param idleHostBytes memory for each idle host
 */
public record VirtualResult(
        VirtualPlan plan,
        String ns3Version,
        List<String> commands,
        List<String> missing,
        List<Trial> trials,
        long idleHostBytes) {

    /**
     * Ours compared with another simulator, paired within rounds.
     *
     * @param rate ratio of frame-hops a second, ours once compiled
     * @param firstRun the same of the first run in a JVM
     * @param wall ratio of times from the start of the process, theirs to ours
     */
    public record Comparison(
            String network, String simulator, Ratio rate, Ratio firstRun, Ratio wall) {}

    public VirtualResult {
        commands = List.copyOf(commands);
        missing = List.copyOf(missing);
        trials = List.copyOf(trials);
    }

    /** Simulators measured with a network, in the order in which they were first. */
    public Set<String> simulators(String network) {
        Set<String> names = new LinkedHashSet<>();
        for (Trial trial : trials) {
            if (trial.network().equals(network)) {
                names.add(trial.simulator());
            }
        }
        return names;
    }

    /** The median over the rounds; NaN of none. */
    public double median(String network, String simulator, ToDoubleFunction<Trial> number) {
        return Median.of(
                trials.stream()
                        .filter(trial -> trial.network().equals(network))
                        .filter(trial -> trial.simulator().equals(simulator))
                        .mapToDouble(number));
    }

    /** The cost of a hop with 1,024 hosts relative to that with 4; NaN if not measured. */
    public double costGrowth(String simulator) {
        return median(NetworkCase.INCAST.word(), simulator, Trial::hopsPerSec)
                / median(NetworkCase.FAT_TREE_1024.word(), simulator, Trial::hopsPerSec);
    }

    private static boolean isOther(String simulator) {
        return Arrays.stream(Queues.values())
                .noneMatch(one -> simulator.startsWith(one.simulator()));
    }

    /**
     * The speed of several threads of ours relative to one, paired within rounds.
     *
     * @param rate of frame-hops a second, once compiled
     */
    public record Parted(String network, String simulator, Ratio rate) {}

    /** Ours by several threads compared with ours by one. */
    public List<Parted> parted() {
        List<Parted> parted = new ArrayList<>();
        for (String network : plan.cases()) {
            for (Queues queues : Queues.values()) {
                String by = queues.simulator(plan.threadCores().size());
                if (simulators(network).contains(by)) {
                    parted.add(
                            new Parted(
                                    network,
                                    by,
                                    ratio(
                                            network,
                                            by,
                                            queues.simulator(),
                                            Trial::hopsPerSec,
                                            Trial::hopsPerSec)));
                }
            }
        }
        return parted;
    }

    /** Ours with lossless queues where the other has them; ns-3 has none. */
    private static String comparedWith(String other) {
        return (other.equals(Htsim.SIMULATOR) ? Queues.LOSSLESS : Queues.FIFO).simulator();
    }

    /** Ours compared with every other simulator. */
    public List<Comparison> comparisons() {
        List<Comparison> comparisons = new ArrayList<>();
        for (String network : plan.cases()) {
            for (String simulator : simulators(network)) {
                if (isOther(simulator)) {
                    String ours = comparedWith(simulator);
                    ToDoubleFunction<Trial> wall = trial -> trial.hops() / trial.wallSeconds();
                    ToDoubleFunction<Trial> rate = Trial::hopsPerSec;
                    comparisons.add(
                            new Comparison(
                                    network,
                                    simulator,
                                    ratio(network, ours, simulator, rate, rate),
                                    ratio(network, ours, simulator, Trial::firstHopsPerSec, rate),
                                    ratio(network, ours, simulator, wall, wall)));
                }
            }
        }
        return comparisons;
    }

    private Ratio ratio(
            String network,
            String ofThis,
            String inTermsOf,
            ToDoubleFunction<Trial> ours,
            ToDoubleFunction<Trial> theirs) {
        double[] ratios = new double[plan.rounds()];
        for (int round = 0; round < ratios.length; round++) {
            ratios[round] =
                    number(network, ofThis, round, ours)
                            / number(network, inTermsOf, round, theirs);
        }
        return Ratio.of(ratios, plan.seed());
    }

    private double number(
            String network, String simulator, int round, ToDoubleFunction<Trial> number) {
        return trials.stream()
                .filter(trial -> trial.network().equals(network))
                .filter(trial -> trial.simulator().equals(simulator) && trial.round() == round)
                .mapToDouble(number)
                .findFirst()
                .orElse(Double.NaN);
    }
}
