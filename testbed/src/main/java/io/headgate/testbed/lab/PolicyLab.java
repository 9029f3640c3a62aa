package io.headgate.testbed.lab;

import io.headgate.config.ConfigException;
import io.headgate.config.FlowControlConfig.Mode;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Doubt;
import io.headgate.control.report.RunReport.Section;
import io.headgate.control.report.Table;
import io.headgate.control.report.Table.Heading;
import io.headgate.control.run.RunningSwitch;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.openqueue.PolicyCounter;
import io.headgate.dataplane.queue.QueueCounters;
import io.headgate.testbed.lab.Losses.Loss;
import io.headgate.testbed.lab.column.LabColumn;
import io.headgate.testbed.lab.column.LabColumn.Of;
import io.headgate.testbed.lab.policy.Passage;
import io.headgate.testbed.lab.policy.WeightedTrials;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.Iperf3.Flow;
import io.headgate.testbed.netns.Iperf3.Protocol;
import io.headgate.testbed.netns.LabRecords;
import io.headgate.testbed.netns.SocketBuffers;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The same three senders to one receiver under three OpenQueue policies, each loaded into the
 * running switch: who loses what is the policy's to say. Then the same hosts send less than the
 * link carries, and the policy is another one ten times a second: nothing may be lost by that, and
 * nothing overtaken.
 */
public final class PolicyLab extends Lab {
    private static final String BOTTLENECK = "p4";
    private static final String KEY = BOTTLENECK + ".queues.policy.";
    private static final String ENDED = "end of traffic";

    /** Reasons for which queues of a policy drop. */
    private static final Set<String> OF_POLICY =
            Set.of(DropReason.QUEUE_FULL.name(), DropReason.PUSHED_OUT.name());

    private static final long SWAP_NS = 100_000_000;
    private static final int SOCKET_BYTES = 1_000_000;
    private static final double PERCENT = 100;

    /** What each of the hosts sends, of a link, and its DSCP: priorities 1, 3 and 5. */
    private static final List<Sender> SENDERS =
            List.of(new Sender(1, 0.9, 8), new Sender(2, 0.6, 24), new Sender(3, 0.3, 40));

    /**
     * Share that senders send while policies are swapped: 0.9 of a link's bits are datagrams'
     * payload; with headers, preambles and gaps 96 % of the link is full.
     */
    private static final double SWAPPED_SHARE = 0.9 / 1.8;

    /** Less than this of a flow is lost to the machine, not to a policy. */
    private static final double FEW = 0.03;

    /** An unprotected flow loses at least this share of its datagrams. */
    private static final double SOME = 0.1;

    /** Policies that keep the order of flows, to be loaded one after the other. */
    private static final List<String> SWAPPED =
            List.of("lqd", "push-out", "strict", "drr", "red", "crr", "wrr", "sqf", "tail-drop");

    private record Sender(int host, double share, int dscp) {
        Flow flow(long rateBps, double scale) {
            long bps = (long) (rateBps * share * scale);
            int tos = dscp << 2;
            return new Flow(host, 4, bps, tos, SocketBuffers.granted(SOCKET_BYTES), "");
        }
    }

    /**
     * A policy of the lab.
     *
     * @param says who should lose what
     * @param isKept whether the parts that the hosts lost (0 to 1) are such
     */
    private record Trial(String policy, String says, Predicate<List<Double>> isKept) {}

    private static final List<Trial> TRIALS =
            List.of(
                    new Trial(
                            "tail-drop",
                            "44 % of all, and h3, which asks for little, loses too; the shares of"
                                    + " h1, h2 and h3 vary with timing",
                            lost ->
                                    Math.abs(ofAll(lost) - 0.44) < 0.08
                                            && lost.stream().allMatch(l -> l > SOME)),
                    new Trial(
                            "lqd",
                            "a third of the link each: h3, which asks for less, loses nothing, h2"
                                    + " about 42 %, h1 about 61 %",
                            lost -> lost.get(0) > 0.5 && lost.get(1) > 0.25 && lost.get(2) < FEW),
                    new Trial(
                            "push-out",
                            "the lowest priority makes room: h1 loses about 89 %, the others"
                                    + " nothing",
                            lost -> lost.get(0) > 0.7 && lost.get(1) < FEW && lost.get(2) < FEW));

    /** The part that was lost of what all senders sent together, each its share. */
    private static double ofAll(List<Double> lost) {
        double sum = 0;
        double sent = 0;
        for (int i = 0; i < lost.size(); i++) {
            sum += SENDERS.get(i).share * lost.get(i);
            sent += SENDERS.get(i).share;
        }
        return sum / sent;
    }

    /**
     * What a policy came to.
     *
     * @param passages of the hosts' datagrams
     * @param losses that were counted, for a reason
     */
    record Outcome(String policy, List<Passage> passages, List<Loss> losses) {
        Outcome {
            passages = List.copyOf(passages);
            losses = List.copyOf(losses);
        }

        /** The parts (0 to 1) that the policy's queues lost, by host. */
        List<Double> lost() {
            return passages.stream().map(Passage::partLostInQueues).toList();
        }

        /** What was lost anywhere but in the policy's queues, while traffic ran. */
        List<Loss> elsewhere() {
            return losses.stream()
                    .filter(loss -> !loss.reason().equals(ENDED))
                    .filter(loss ->
                            !loss.where().equals("switch, port " + BOTTLENECK)
                                    || !OF_POLICY.contains(loss.reason()))
                    .toList();
        }

        /**
         * Datagrams that never came and that no counter has for lost; negative where other frames
         * were lost too, such as those of iperf3's own connections.
         */
        long unexplained() {
            return passages.stream().mapToLong(Passage::lost).sum() - Losses.frames(losses);
        }
    }

    private final boolean isWeighted;
    private final List<Outcome> outcomes = new ArrayList<>();

    // State of the thread that loads policies.
    private volatile boolean swaps;
    private final AtomicInteger swapped = new AtomicInteger();
    private volatile @Nullable String refused;

    /**
     * @param isWeighted whether it is about what packets are worth ({@link WeightedTrials})
     */
    public PolicyLab(
            LabOptions options,
            boolean isWeighted,
            LabRecords records,
            String command,
            PrintStream out) {
        super(options, records, command, out);
        this.isWeighted = isWeighted;
    }

    @Override
    public RunReport run() throws BedException {
        LosslessRun run =
                new LosslessRun(
                        this,
                        open(),
                        Mode.NONE,
                        1,
                        new LosslessRun.Beside(
                                "",
                                // At the switch alone, so that an agent that the machine held
                                // up does not drop by the policy too.
                                ", queues: {policy: {file: tail-drop.oq}}",
                                "",
                                LabPlan.HELD_MS),
                        report,
                        options.captureDirectory().resolve("capture.pcapng"));
        plots(() -> run.charts("", ""));
        run.pingAll();
        long rateBps = run.running().config().ports().getFirst().rateBps();
        List<LabFiles.Used> networks = new ArrayList<>();
        if (isWeighted) {
            weigh(run, rateBps);
        } else {
            lose(run, rateBps, networks);
            swap(run, rateBps);
        }
        run.describe();
        run.finish();
        files.write("switch.yaml", run.switchYaml());
        for (LabFiles.Used one : networks) {
            files.draw(one);
        }
        return finish();
    }

    /** Algorithms A, B and C. */
    private void weigh(LosslessRun run, long rateBps) throws BedException {
        load(run.running(), "size-unit=packets");
        load(run.running(), WeightedTrials.BINDING);
        WeightedTrials trials = new WeightedTrials();
        List<Phase.Outcome> all = new ArrayList<>();
        List<Flow> flows = WeightedTrials.flows(rateBps, SocketBuffers.granted(SOCKET_BYTES));
        for (String policy : WeightedTrials.POLICIES) {
            load(run.running(), "file=" + WeightedTrials.file(policy));
            LosslessRun.Result result =
                    run.run(new Phase("algorithm " + policy, Protocol.UDP, flows, rateBps));
            all.add(result.outcome());
            trials.add(policy, result.outcome().flows(), options.seconds());
        }
        report.add(LabSections.udp(all, LosslessRun::host));
        trials.conclude(report);
    }

    /** Measures which flow loses what under each policy. */
    private void lose(LosslessRun run, long rateBps, List<LabFiles.Used> networks)
            throws BedException {
        List<String[]> counts = new ArrayList<>();
        for (Trial trial : TRIALS) {
            load(run.running(), "file=" + trial.policy + ".oq");
            LosslessRun.Result result = run.run(phase(trial.policy, rateBps, 1));
            networks.add(result.used("Links with " + trial.policy, run.network().plan()));
            result.holds().doubtSenders(result.outcome().flows(), 0, report);
            result.holds().doubtRates("what each host lost", options.seconds(), report);
            judge(trial, result);
            counts.addAll(counts(trial.policy, run.running()));
        }
        report.add(whoLost());
        report.add(why());
        report.add(queues(counts));
    }

    /** What each policy came to; complete once {@link #run} has ended. */
    List<Outcome> outcomes() {
        return List.copyOf(outcomes);
    }

    /** How often a policy was loaded while frames flowed. */
    public int swapped() {
        return swapped.get();
    }

    private static Phase phase(String name, long rateBps, double scale) {
        List<Flow> flows = SENDERS.stream().map(sender -> sender.flow(rateBps, scale)).toList();
        return new Phase(name, Protocol.UDP, flows, rateBps);
    }

    private static void load(RunningSwitch running, String assignment) throws BedException {
        try {
            running.set(List.of(KEY + assignment));
        } catch (ConfigException | IllegalStateException e) {
            throw new BedException(
                    "the switch refuses " + KEY + assignment + ": " + e.getMessage());
        }
    }

    private void judge(Trial trial, LosslessRun.Result result) {
        List<Loss> losses = new ArrayList<>(result.losses());
        if (result.lateDatagrams() > 0) {
            losses.add(
                    new Loss(
                            "host h4",
                            ENDED,
                            result.lateDatagrams(),
                            "came to h4 after iperf3 had stopped reading its sockets"));
        }
        Outcome outcome = new Outcome(trial.policy, result.passages(), losses);
        outcomes.add(outcome);
        List<Double> lost = outcome.lost();
        if (!trial.isKept.test(lost)) {
            report.problem(
                    String.format(
                            Locale.ROOT,
                            "%s: the queues of %s lost %.1f, %.1f and %.1f %% of what came from h1,"
                                    + " h2 and h3; expected: %s",
                            trial.policy,
                            BOTTLENECK,
                            PERCENT * lost.get(0),
                            PERCENT * lost.get(1),
                            PERCENT * lost.get(2),
                            trial.says));
        }
        List<Loss> elsewhere = outcome.elsewhere();
        String said = trial.policy + ": outside the queues " + Losses.sentence(elsewhere);
        if (Losses.areBehind(elsewhere)) {
            report.doubt(Doubt.ofMachine(said));
        } else if (!elsewhere.isEmpty()) {
            report.problem(said);
        }
        if (outcome.unexplained() > 0) {
            report.problem(
                    trial.policy
                            + ": "
                            + outcome.unexplained()
                            + " datagrams never came, and no counter says why");
        }
        noneIsBehind(trial.policy, result);
    }

    private void noneIsBehind(String name, LosslessRun.Result result) {
        long behind = result.outcome().reorderedDatagrams();
        if (behind > 0) {
            report.problem(name + ": " + behind + " datagrams came out of order");
        }
    }

    private Section whoLost() {
        for (Outcome one : outcomes) {
            report.headline(
                    "lost by h1, h2 and h3 with " + one.policy,
                    one.lost().stream()
                                    .map(lost -> String.format(Locale.ROOT, "%.0f", PERCENT * lost))
                                    .collect(Collectors.joining(", "))
                            + " %");
        }
        Table table = LabColumn.table(Of.WHO_LOST);
        for (Outcome one : outcomes) {
            for (Passage passage : one.passages) {
                table.row(
                        one.policy,
                        passage.host(),
                        "" + passage.sent(),
                        "" + passage.lostInHost(),
                        "" + passage.lostOnTheWay(),
                        "" + passage.lostInQueues(),
                        "" + passage.received(),
                        String.format(Locale.ROOT, "%.1f", PERCENT * passage.partLostInQueues()));
            }
        }
        return new Section(
                "Who lost what, and where",
                outcomes,
                "in datagrams; h1 sends 0.9 of a link with priority 1, h2 0.6 with 3, h3 0.3 with"
                        + " 5; all to h4; where a number is below 0, other frames than datagrams were"
                        + " counted too\n"
                        + TRIALS.stream()
                                .map(trial -> trial.policy + " should: " + trial.says)
                                .collect(Collectors.joining("\n")),
                table);
    }

    /** The same by reason. */
    private Section why() {
        Table table = LabColumn.table(Of.WHY);
        for (Outcome one : outcomes) {
            for (Loss loss : one.losses) {
                table.row(
                        one.policy,
                        loss.where(),
                        loss.reason(),
                        "" + loss.frames(),
                        loss.meaning());
            }
            table.row(
                    one.policy,
                    "anywhere",
                    "unexplained",
                    "" + one.unexplained(),
                    "datagrams that are missing and that no counter has; a number below 0 means"
                            + " that frames of iperf3's own connections are counted above");
        }
        return new Section("Why", outcomes.stream().map(Outcome::losses).toList(), table);
    }

    /** What the queues of the policy that is loaded have counted since it was. */
    private static List<String[]> counts(String policy, RunningSwitch running) {
        CounterSnapshot counters = running.counters();
        List<String[]> rows = new ArrayList<>();
        for (int queue = 0; value(counters, PolicyCounter.TOTAL, queue) > 0 || queue < 4; queue++) {
            if (value(counters, PolicyCounter.TOTAL, queue) == 0) {
                continue;
            }
            List<String> cells = new ArrayList<>(List.of(policy, "" + queue));
            for (PolicyCounter counter : PolicyCounter.values()) {
                cells.add("" + value(counters, counter, queue));
            }
            rows.add(cells.toArray(String[]::new));
        }
        return rows;
    }

    private static long value(CounterSnapshot counters, PolicyCounter counter, int queue) {
        return counters.value(
                Scope.EGRESS,
                BOTTLENECK,
                QueueCounters.label("policy", counter.text().label(), queue));
    }

    private static Section queues(List<String[]> rows) {
        List<Heading> headings = new ArrayList<>();
        headings.add(new Heading("policy", "that the queues are of"));
        headings.add(new Heading(">queue", "its number in the policy"));
        for (PolicyCounter counter : PolicyCounter.values()) {
            headings.add(
                    new Heading(
                            ">" + counter.text().label(),
                            counter.text().description() + ", since the policy was loaded"));
        }
        Table table = new Table(headings);
        rows.forEach(table::row);
        return new Section("Queues", rows, "of " + BOTTLENECK + ", each with traffic", table);
    }

    // ---- another policy ten times a second

    private void swap(LosslessRun run, long rateBps) throws BedException {
        // Sizes in packets hold what a switch that was held up for 50 ms gets at once.
        load(run.running(), "size-unit=packets");
        swaps = true;
        Thread thread =
                Thread.ofPlatform()
                        .daemon()
                        .name("headgate-lab-policies")
                        .start(() -> swapAll(run.running()));
        LosslessRun.Result result;
        try {
            result = run.run(phase("policies swapped", rateBps, SWAPPED_SHARE));
        } finally {
            swaps = false;
            LockSupport.unpark(thread);
        }
        String why = refused;
        if (why != null) {
            report.problem("a policy was refused: " + why);
        }
        long byPolicies =
                Losses.frames(
                        result.losses().stream()
                                .filter(loss -> loss.where().contains(BOTTLENECK))
                                .toList());
        report.add(Losses.section("Losses while policies were swapped", result.losses()));
        report.add(
                new Section(
                        "Swaps",
                        swapped(),
                        "%d policies were loaded while frames flowed; %d frames lost at %s"
                                .formatted(swapped(), byPolicies, BOTTLENECK)));
        if (swapped() < options.seconds() * 5) {
            report.problem("only " + swapped() + " policies were loaded");
        }
        Losses.judge(result.losses(), result.outcome().missedDatagrams(), "", report);
        noneIsBehind("policies swapped", result);
    }

    private void swapAll(RunningSwitch running) {
        long nextNs = System.nanoTime();
        while (swaps) {
            try {
                load(running, "file=" + SWAPPED.get(swapped.get() % SWAPPED.size()) + ".oq");
                swapped.incrementAndGet();
            } catch (BedException e) {
                refused = e.getMessage();
                return;
            }
            nextNs += SWAP_NS;
            while (swaps && nextNs - System.nanoTime() > 0) {
                LockSupport.parkNanos(nextNs - System.nanoTime());
            }
        }
    }

    @Override
    public void close() {
        swaps = false;
        super.close();
    }
}
