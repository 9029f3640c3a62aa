package io.headgate.testbed.swarm.cli;

import io.headgate.control.cli.CommandFailure;
import io.headgate.control.cli.Durations;
import io.headgate.control.cli.HeadgateCommand;
import io.headgate.control.cli.bench.EndGuard;
import io.headgate.testbed.swarm.SeedRange;
import io.headgate.testbed.swarm.Swarm;
import io.headgate.testbed.swarm.SwarmCampaign;
import io.headgate.testbed.swarm.draw.CaseDrawer;
import io.headgate.testbed.swarm.draw.Drawing;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code headgate verify --seeds}: the swarm. Without any of its options, the launcher runs the
 * tests instead.
 */
@Command(
        name = "verify",
        // One sentence: what lists of commands show.
        header = "Generates random experiments from seeds, and checks each in virtual time.",
        description = {
            "Network, configuration, traffic and faults come from the seed. Every invariant is"
                    + " checked after every instant, and at the end: all frames are accounted for,"
                    + " lossless priorities lost no frame where this is guaranteed, everything"
                    + " recovers, and the same seed gives the same run. For a seed that fails, the"
                    + " smallest part that still fails is shown.",
            "Without options: builds, and runs the tests."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all examined seeds pass",
            "1:some do not",
            "2:wrong options",
            "130:ended by Control-C",
            "143:ended by SIGTERM"
        })
public final class VerifyCommand extends HeadgateCommand implements Callable<Integer> {
    private static final int MAX_JOBS = 256;
    private static final String DEFAULT_SEEDS = "1..1000";

    /** A seed takes at most seconds to end, on a machine with other work. */
    private static final Duration END_WITHIN = Duration.ofSeconds(30);

    @Option(
            names = "--seeds",
            paramLabel = "A..B",
            description = "Range of seeds, including both ends (default: " + DEFAULT_SEEDS + ").")
    private @Nullable String seeds;

    @Option(names = "--seed", paramLabel = "N", description = "One seed only.")
    private @Nullable Long seed;

    @Option(
            names = "--only",
            paramLabel = "NAME",
            split = ",",
            description =
                    "With --seed: the parts of its experiment to keep; all others are left out.")
    private @Nullable Set<String> only;

    @Option(
            names = "--without",
            paramLabel = "NAME",
            split = ",",
            description =
                    "Leaves these parts out of all experiments, which otherwise stay the same: red"
                            + " (marks by queue length), shared-buffer (one for all ports of a"
                            + " switch), orders (changes while it runs), rocc (fair rates from"
                            + " switches), detectors (TCD and InfiniBand's rule), dcqcn (rates by"
                            + " notifications of marks), controls (any other rate control, and what"
                            + " ports need for it), reliable (messages over RoCEv2), notices (to"
                            + " senders lost, repeated and forged), escape (frames leave paused"
                            + " queues), policies (OpenQueue's, and swaps).")
    private @Nullable Set<String> without;

    @Option(
            names = "--blocked",
            description =
                    "Only experiments in which flows block one another: lossless flows around rings"
                            + " and into the same ports, with PFC on all links and Escape in the"
                            + " switches. Blocked flows must continue within a bounded time if"
                            + " Escape knows a path.")
    private boolean blocked;

    @Option(
            names = "--quick",
            description =
                    "Runs each experiment once. It searches 32 times for blocked flows, and checks"
                            + " everything else at the end instead of after every instant: twenty"
                            + " times the seeds in the same time.")
    private boolean quick;

    @Option(
            names = "--time",
            paramLabel = "DURATION",
            converter = Durations.class,
            description = "Starts no further seed after this time, such as 2m.")
    private @Nullable Duration time;

    @Option(
            names = "--jobs",
            paramLabel = "N",
            description = "Number of parallel seeds (default: the number of cores).")
    private @Nullable Integer jobs;

    @Override
    public Integer call() throws CommandFailure {
        Long one = seed;
        if (one == null && only != null) {
            throw CommandFailure.badInput("--only goes with --seed.");
        }
        if (one != null && seeds != null) {
            throw CommandFailure.badInput("--seed and --seeds cannot be combined.");
        }
        try {
            String many = Objects.requireNonNullElse(seeds, DEFAULT_SEEDS);
            return one == null ? range(SeedRange.parse(many)) : single(one);
        } catch (IllegalArgumentException e) {
            throw CommandFailure.badInput(e.getMessage() + ".");
        }
    }

    private int single(long number) {
        SeedRange range = new SeedRange(number, number);
        if (only == null) {
            return range(range);
        }
        Swarm.Failure failure =
                new Swarm(drawing(), quick, () -> false).examine(number, new TreeSet<>(only));
        System.out.println(failure == null ? "seed " + number + " holds" : failure.describe());
        if (failure != null && "1".equals(System.getenv("HEADGATE_DEBUG"))) {
            failure.cause().printStackTrace(System.out);
        }
        return failure == null ? 0 : 1;
    }

    private int range(SeedRange range) {
        SwarmCampaign campaign =
                new SwarmCampaign(
                        range,
                        new SwarmCampaign.Options(
                                drawing(),
                                quick,
                                jobs(),
                                time == null ? Long.MAX_VALUE : time.toNanos(),
                                System.out,
                                isTerminal()));
        int[] code = new int[1];
        long startNs = System.nanoTime();
        EndGuard.run(
                END_WITHIN,
                () -> {
                    SwarmCampaign.Outcome outcome = campaign.run();
                    conclude(range, outcome, (System.nanoTime() - startNs) / 1e9);
                    code[0] = outcome.failures().isEmpty() ? 0 : 1;
                },
                campaign::cancel,
                () -> "ended early; waiting for the running seeds…");
        return code[0];
    }

    private void conclude(SeedRange range, SwarmCampaign.Outcome outcome, double seconds) {
        System.out.printf(
                Locale.ROOT,
                "%d of %d seeds examined in %.0f s (%.1f/s), %d failed%n",
                outcome.examined(),
                range.count(),
                seconds,
                outcome.examined() / seconds,
                outcome.failures().size());
        if (blocked) {
            System.out.println(outcome.tally().describe());
        }
        for (Swarm.Failure failure : outcome.failures()) {
            System.out.println("  " + failure.replay());
        }
        if (outcome.examined() < range.count()) {
            System.out.printf(
                    "Remaining seeds: headgate verify --seeds %d..%d%s%s%n",
                    outcome.firstLeft(),
                    range.last(),
                    drawing().arguments(),
                    quick ? " --quick" : "");
        }
    }

    private Drawing drawing() {
        return new Drawing(without(), blocked);
    }

    private Set<String> without() {
        Set<String> left = new TreeSet<>(Objects.requireNonNullElse(without, Set.of()));
        for (String name : left) {
            if (!CaseDrawer.OPTIONAL.contains(name)) {
                throw new IllegalArgumentException(
                        "--without cannot be %s: allowed is %s"
                                .formatted(name, String.join(", ", CaseDrawer.OPTIONAL)));
            }
        }
        return left;
    }

    private int jobs() {
        int count = jobs == null ? Runtime.getRuntime().availableProcessors() : jobs;
        if (count < 1 || count > MAX_JOBS) {
            throw new IllegalArgumentException(
                    "--jobs cannot be " + count + ": allowed is 1 to " + MAX_JOBS);
        }
        return count;
    }
}
