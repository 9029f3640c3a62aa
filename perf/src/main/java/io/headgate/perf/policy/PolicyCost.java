package io.headgate.perf.policy;

import static io.headgate.control.report.Table.cell;

import io.headgate.control.report.Median;
import io.headgate.control.report.RunReport.Check;
import io.headgate.control.report.RunReport.Section;
import io.headgate.control.report.Table;
import io.headgate.perf.forwarding.Ratio;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;

/**
 * The results of {@link PolicyBenchmark}: contenders' times, and their ratios within one turn.
 *
 * @param names of the contenders
 * @param coming frames that come while 32 leave
 * @param ns of each, turn by turn, a frame that leaves
 */
public record PolicyCost(List<String> names, int coming, List<List<Double>> ns) {
    /** A comparison with a limit: a policy, and code that does the same. */
    public static final List<String> JUDGED =
            List.of(
                    beside(
                            "tail-drop" + PolicyBenchmark.ONE_PRIORITY,
                            "built-in" + PolicyBenchmark.ONE_PRIORITY),
                    beside("tail-drop", "built-in"),
                    byHand("push-out"),
                    byHand("lqd"),
                    byHand("algorithm-c"));

    /** Figure 2.19 a and c: the algorithms of one queue, and of several. */
    public static final List<String> FIGURE =
            List.of(
                    beside("algorithm-a", "algorithm-b", "algorithm-c"),
                    beside("algorithm-a-2", "algorithm-c-2"),
                    beside("algorithm-a-4", "algorithm-c-4"),
                    beside("algorithm-a-8", "algorithm-c-8"));

    private static final double FIFO_LIMIT = 1.05;
    private static final double BY_HAND_LIMIT = 1.1;
    private static final long SEED = 219;

    public PolicyCost {
        names = List.copyOf(names);
        ns = List.copyOf(ns);
    }

    private static String beside(String... names) {
        return String.join(PolicyBenchmark.AGAINST, names);
    }

    private static String byHand(String policy) {
        return beside(policy, policy + PolicyPort.BY_HAND);
    }

    /** Reads results of the benchmark, whose forks give contenders turns from the first on. */
    public static List<PolicyCost> of(Collection<RunResult> results) {
        return results.stream().map(PolicyCost::of).toList();
    }

    private static PolicyCost of(RunResult result) {
        List<String> names =
                List.of(result.getParams().getParam("contenders").split(PolicyBenchmark.AGAINST));
        List<List<Double>> ns = new ArrayList<>();
        names.forEach(_ -> ns.add(new ArrayList<>()));
        result.getBenchmarkResults()
                .forEach(fork -> {
                    int turn = 0;
                    for (IterationResult iteration : fork.getIterationResults()) {
                        ns.get(turn++ % names.size()).add(iteration.getPrimaryResult().getScore());
                    }
                });
        return new PolicyCost(names, Integer.parseInt(result.getParams().getParam("coming")), ns);
    }

    /** Times of a contender divided by those of another one in the same turns. */
    Ratio ratio(int contender, int other) {
        List<Double> times = ns.get(contender);
        List<Double> others = ns.get(other);
        return Ratio.of(
                IntStream.range(0, Math.min(times.size(), others.size()))
                        .mapToDouble(turn -> times.get(turn) / others.get(turn))
                        .toArray(),
                SEED);
    }

    private double medianNs(int contender) {
        return Median.of(ns.get(contender).stream().mapToDouble(Double::doubleValue));
    }

    private String load() {
        return coming == PolicyBenchmark.BURST ? "no" : "half of them";
    }

    /** Policies compared with code that does the same. */
    public static Section judged(List<PolicyCost> costs) {
        Table table =
                new Table("policy", ">ns", "against", ">ns", "lost", ">ratio", ">90 % interval");
        for (PolicyCost cost : costs) {
            Ratio ratio = cost.ratio(0, 1);
            table.row(
                    cost.names.get(0),
                    cell("%.1f", cost.medianNs(0)),
                    cost.names.get(1),
                    cell("%.1f", cost.medianNs(1)),
                    cost.load(),
                    cell("%.3f", ratio.median()),
                    ratio.interval("%.3f"));
        }
        return new Section(
                "What a frame costs in a policy, compared with what does the same",
                costs,
                "per frame that leaves; medians over turns, and over the ratios within each turn",
                table);
    }

    /** Algorithms A, B and C. */
    public static Section figure(List<PolicyCost> costs) {
        Table table = new Table("algorithm", ">ns", ">times algorithm A", ">90 % interval");
        for (PolicyCost cost : costs) {
            for (int i = 0; i < cost.names.size(); i++) {
                Ratio ratio = cost.ratio(i, 0);
                table.row(
                        cost.names.get(i),
                        cell("%.1f", cost.medianNs(i)),
                        cell("%.2f", ratio.median()),
                        ratio.interval("%.2f"));
            }
        }
        return new Section(
                "Algorithms A, B and C (figure 2.19 a, c)",
                costs,
                "per frame that leaves, while two arrive; one queue, or the number of queues in the"
                        + " name",
                table);
    }

    /** The limit and the median ratio of all turns. */
    public Check check() {
        double ratio = ratio(0, 1).median();
        boolean isByHand = names.get(1).endsWith(PolicyPort.BY_HAND);
        String what =
                names.stream().collect(Collectors.joining(PolicyBenchmark.AGAINST))
                        + ", "
                        + load()
                        + " lost";
        return new Check(what, "times", ratio, ratio, isByHand ? BY_HAND_LIMIT : FIFO_LIMIT);
    }
}
