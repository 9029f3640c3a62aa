package io.headgate.testbed.scenario.explain;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.Reason;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Values;
import io.headgate.testbed.scenario.Words;
import io.headgate.testbed.scenario.bed.Change;
import io.headgate.testbed.scenario.bed.Experiment;
import io.headgate.testbed.scenario.bed.FlowNames;
import io.headgate.testbed.scenario.campaign.WhatIf;
import io.headgate.testbed.topology.LinkPlan;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.virtual.deadlock.Deadlock;
import io.headgate.testbed.virtual.deadlock.StoppedQueue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The explanation of a paused queue of a run, or of a deadlock.
 *
 * @param what the explained event, in a sentence
 * @param tree the queues and flows that caused it, by the queue at which it begins; for a deadlock
 *     one tree for each queue of the circle
 * @param root its cause, in a sentence
 * @param suspects a minimal set of flows without which it should not happen, largest first
 * @param proof the run with a change; null: not requested
 */
public record Explanation(
        String what,
        List<PauseTree> tree,
        String root,
        List<String> suspects,
        @Nullable Proof proof) {
    /**
     * The effect of a change in a second run.
     *
     * @param change the change
     * @param isGone whether the explained event no longer occurs
     * @param goneAfter number of later pauses that no longer occur
     * @param after number of later pauses that there were
     * @param says a sentence
     */
    public record Proof(String change, boolean isGone, int goneAfter, int after, String says) {
        private static final Proof NOT_RUN =
                new Proof(
                        "",
                        false,
                        0,
                        0,
                        "not run, because no flow that causes it is known: give a change with"
                                + " --what-if");
    }

    private static final int SHOWN = 10;

    /** Flows that are left out one by one, before all that wait at one place are. */
    private static final int MOST_ALONE = 4;

    public Explanation {
        tree = List.copyOf(tree);
        suspects = List.copyOf(suspects);
    }

    /** A question about a run. */
    public sealed interface Question {
        /** Asks which pauses and deadlocks there were. */
        record Overview() implements Question {}

        /** Asks why a queue was paused at a time. */
        record OfPause(String place, int priority, long atPs) implements Question {}

        /** Asks why queues waited for one another. */
        record OfDeadlock() implements Question {}
    }

    /** The run as it was, looked at for a question. */
    private record Asked(Scenario scenario, Cell cell, WatchedRun run) {
        /** One more run: the proof. */
        WatchedRun with(String change) throws ScenarioException {
            Scenario changed = WhatIf.around(scenario, change);
            List<Object> values = new ArrayList<>();
            for (String name : scenario.parameters().stream().map(p -> p.name()).toList()) {
                if (!name.equals(Change.PARAMETER)) {
                    values.add(cell.values().value(name));
                }
            }
            values.add(Change.parse(change).toString());
            Cell again = cell.withValues(new Values(changed.parameters(), values));
            return WatchedRun.of(changed, again, WatchedRun.NEVER);
        }
    }

    /**
     * Explains.
     *
     * @param recorded digest of the original run; empty: not known
     * @param prove whether the run is repeated without the suspects, or with a change
     * @param change change instead of removing the suspects; null: none
     * @throws ScenarioException if there is no such pause, or the runs cannot be made
     */
    public static Explanation of(
            Scenario scenario,
            Cell cell,
            String recorded,
            Question question,
            boolean prove,
            @Nullable String change)
            throws ScenarioException {
        if (change != null) {
            Change.parse(change);
        }
        long lookPs =
                switch (question) {
                    case Question.Overview _ -> WatchedRun.NEVER;
                    case Question.OfPause pause -> pause.atPs;
                    case Question.OfDeadlock _ -> WatchedRun.AT_DEADLOCK;
                };
        Asked asked = new Asked(scenario, cell, WatchedRun.of(scenario, cell, lookPs));
        if (!recorded.isEmpty() && !recorded.equals(asked.run.digest())) {
            throw new ScenarioException(
                    "the run is now different: its frames have the digest "
                            + asked.run.digest()
                            + ", and the result has "
                            + recorded
                            + "; reproduce it again with this version of Headgate");
        }
        return switch (question) {
            case Question.Overview _ -> overview(asked.run);
            case Question.OfPause pause -> ofPause(asked, pause, prove, change);
            case Question.OfDeadlock _ -> ofDeadlock(asked, prove, change);
        };
    }

    private static Explanation overview(WatchedRun run) {
        List<Pause> pauses = run.pauses();
        StringBuilder text = new StringBuilder();
        text.append(pauses.size()).append(" pauses");
        pauses.stream().limit(SHOWN).forEach(pause -> text.append("\n  ").append(pause));
        if (pauses.size() > SHOWN) {
            text.append("\n  and ").append(pauses.size() - SHOWN).append(" more");
        }
        Deadlock.describe(run.deadlocks()).forEach(one -> text.append('\n').append(one));
        return new Explanation(text.toString(), List.of(), "", List.of(), null);
    }

    // ---- pauses

    private static Explanation ofPause(
            Asked asked, Question.OfPause question, boolean prove, @Nullable String change)
            throws ScenarioException {
        WatchedRun run = asked.run;
        LinkPlan.End queue = run.plan().end(question.place);
        if (queue == null) {
            throw new ScenarioException(
                    "no port is named '"
                            + Words.shown(question.place)
                            + "': allowed is "
                            + run.plan().links().stream()
                                    .flatMap(link -> Stream.of(link.a(), link.b()))
                                    .map(run.plan()::place)
                                    .distinct()
                                    .sorted()
                                    .collect(Collectors.joining(", ")));
        }
        List<Pause> pauses = run.pauses();
        QueueSnapshot snapshot = run.snapshot();
        if (snapshot == null) {
            throw new ScenarioException(
                    "the run ends at "
                            + Pause.time(run.experiment().durationPs())
                            + ", before "
                            + Pause.time(question.atPs));
        }
        Pause pause = find(pauses, question);
        PauseTree tree = PauseTree.of(snapshot, queue, question.priority);
        List<PauseTree> roots = tree.roots();
        List<String> suspects =
                new Suspects(run.experiment(), run.plan(), pause.fromPs(), pause.untilPs())
                        .of(tree);
        String root =
                roots.isEmpty()
                        ? "no queue that causes it could send: see 'deadlock'"
                        : String.join(
                                " and ", roots.stream().map(each -> where(run, each)).toList());
        String with = change == null ? without(suspects) : change;
        Proof proof = prove ? ofPause(asked, pauses, pause, with) : null;
        return new Explanation(
                pause + ", one of " + pauses.size() + " pauses",
                List.of(tree),
                root,
                suspects,
                proof);
    }

    private static String where(WatchedRun run, PauseTree root) {
        LinkPlan.End end = run.plan().end(root.place());
        return end == null
                ? root.place()
                : root.place() + " towards " + run.plan().place(run.plan().peer(end));
    }

    private static Pause find(List<Pause> pauses, Question.OfPause question)
            throws ScenarioException {
        List<Pause> there =
                pauses.stream()
                        .filter(pause ->
                                pause.place().equals(question.place)
                                        && pause.priority() == question.priority)
                        .toList();
        for (Pause pause : there) {
            if (pause.covers(question.atPs)) {
                return pause;
            }
        }
        List<Pause> near =
                there.stream()
                        .sorted(
                                Comparator.comparingLong(
                                        pause -> Math.abs(pause.fromPs() - question.atPs)))
                        .limit(3)
                        .sorted(Comparator.comparingLong(Pause::fromPs))
                        .toList();
        throw new ScenarioException(
                question.place
                        + " priority "
                        + question.priority
                        + " is not paused at "
                        + Pause.time(question.atPs)
                        + (near.isEmpty()
                                ? "; and at no other time of the run"
                                : "; allowed are times within its pauses, such as "
                                        + String.join(
                                                "; ",
                                                near.stream().map(Pause::toString).toList())));
    }

    private static String without(List<String> flows) {
        return flows.isEmpty() ? "" : new Change.WithoutFlows(flows).toString();
    }

    private static Proof ofPause(Asked asked, List<Pause> before, Pause pause, String change)
            throws ScenarioException {
        if (change.isEmpty()) {
            return Proof.NOT_RUN;
        }
        List<Pause> changed = asked.with(change).pauses();
        boolean isGone = changed.stream().noneMatch(pause::meets);
        List<Pause> after = before.stream().filter(each -> each.fromPs() > pause.fromPs()).toList();
        int gone =
                Math.toIntExact(
                        after.stream()
                                .filter(each -> changed.stream().noneMatch(each::meets))
                                .count());
        String says =
                "%s %s; %s of %s pauses after it do not%s (%s pauses in the run, %s with the change)"
                        .formatted(
                                change,
                                isGone
                                        ? "this pause does not occur"
                                        : "this pause occurs nevertheless",
                                gone,
                                after.size(),
                                isGone ? " either" : "",
                                before.size(),
                                changed.size());
        return new Proof(change, isGone, gone, after.size(), says);
    }

    // ---- deadlocks

    /**
     * A queue of a circle waits for the next, for the frames that the far end holds in it. Without
     * the flows of one such dependency there is no circle.
     */
    private record Dependency(
            String queue, String next, int priority, long sincePs, Map<String, Long> flows) {
        String describe() {
            return "%s waits for %s in priority %s since %s, for frames of %s"
                    .formatted(
                            queue,
                            next,
                            priority,
                            Pause.time(sincePs),
                            String.join(", ", new TreeSet<>(flows.keySet())));
        }
    }

    private static Explanation ofDeadlock(Asked asked, boolean prove, @Nullable String change)
            throws ScenarioException {
        WatchedRun run = asked.run;
        QueueSnapshot snapshot = run.snapshot();
        if (snapshot == null) {
            throw new ScenarioException("the run had no deadlock");
        }
        Deadlock deadlock = run.deadlocks().getFirst();
        List<Dependency> circle = circle(run, snapshot, deadlock);
        Dependency closing =
                circle.stream().max(Comparator.comparingLong(Dependency::sincePs)).orElseThrow();
        Dependency least =
                circle.stream()
                        .filter(each -> !suspects(run.experiment(), each).isEmpty())
                        .min(Comparator.comparingInt(each -> each.flows.size()))
                        .orElse(closing);
        List<String> suspects = suspects(run.experiment(), least);
        long together = circle.stream().filter(each -> each.sincePs == closing.sincePs).count() - 1;
        String root =
                closing.describe()
                        + ": that closed the circle"
                        + (together == 0 ? "" : ", at the same instant as " + together + " more")
                        + ". The fewest flows wait where "
                        + least.queue
                        + " waits for "
                        + least.next;
        List<String> candidates =
                change == null ? candidates(run, closing, suspects) : List.of(change);
        Proof proof = prove ? ofDeadlock(asked, candidates) : null;
        StringBuilder what = new StringBuilder(deadlock.describe());
        circle.forEach(each -> what.append("\n  ").append(each.describe()));
        return new Explanation(what.toString(), List.of(), root, suspects, proof);
    }

    /** The flows of a dependency that can be left out. */
    private static List<String> suspects(Experiment experiment, Dependency of) {
        List<String> known = new FlowNames(experiment).all();
        return of.flows.keySet().stream().filter(known::contains).sorted().toList();
    }

    /**
     * Changes that may end a circle, the least first: half the threshold of the port that closed
     * it, with which all flows stay, one flow less, and then all flows that wait where the fewest
     * do. A threshold that is higher would only put the circle off.
     */
    private static List<String> candidates(
            WatchedRun run, Dependency closing, List<String> suspects) {
        NetworkPlan plan = run.plan();
        Set<String> all = new LinkedHashSet<>();
        LinkPlan.End queue = plan.end(closing.queue);
        LinkPlan.End pausing = queue == null ? null : plan.peer(queue);
        if (pausing != null && !pausing.isHost()) {
            FlowControlConfig.Buffers buffers =
                    plan.switches()
                            .get(pausing.node())
                            .ports()
                            .get(pausing.port())
                            .flowControl()
                            .buffers();
            if (buffers != null && buffers.xoffBytes() > 0) {
                String key = plan.place(pausing).replace(':', '.') + ".buffers.xoff=";
                all.add(key + buffers.xoffBytes() / 2 + "B");
            }
        }
        Stream.concat(suspects.stream(), suspects(run.experiment(), closing).stream())
                .limit(MOST_ALONE)
                .forEach(flow -> all.add(without(List.of(flow))));
        if (!suspects.isEmpty()) {
            all.add(without(suspects));
        }
        return List.copyOf(all);
    }

    /** One run for each change, until one helps. */
    private static Proof ofDeadlock(Asked asked, List<String> changes) throws ScenarioException {
        if (changes.isEmpty()) {
            return Proof.NOT_RUN;
        }
        int before = asked.run.pauses().size();
        StringJoiner says = new StringJoiner("; ");
        for (String change : changes) {
            WatchedRun changed;
            try {
                changed = asked.with(change);
            } catch (ScenarioException e) {
                if (changes.size() == 1) {
                    throw e;
                }
                says.add(
                        change
                                + " is refused ("
                                + Reason.of(e).lines().findFirst().orElse("")
                                + ")");
                continue;
            }
            boolean isGone = changed.deadlocks().isEmpty();
            int left = changed.pauses().size();
            says.add(
                    "%s there is %s (%d pauses in the run, %d with the change)"
                            .formatted(
                                    change,
                                    isGone ? "no deadlock" : "one all the same",
                                    before,
                                    left));
            if (isGone) {
                return new Proof(change, true, Math.max(0, before - left), before, says.toString());
            }
        }
        return new Proof(String.join("; ", changes), false, 0, before, says.toString());
    }

    private static List<Dependency> circle(
            WatchedRun run, QueueSnapshot snapshot, Deadlock deadlock) {
        List<Dependency> circle = new ArrayList<>();
        List<Pause> pauses = run.pauses();
        for (int i = 0; i < deadlock.circle().size(); i++) {
            StoppedQueue queue = deadlock.circle().get(i);
            StoppedQueue next = deadlock.circle().get((i + 1) % deadlock.circle().size());
            String place = queue.node() + ":" + queue.portName();
            String nextPlace = next.node() + ":" + next.portName();
            LinkPlan.End end = run.plan().end(place);
            LinkPlan.End nextEnd = run.plan().end(nextPlace);
            if (end == null || nextEnd == null) {
                continue;
            }
            long since =
                    pauses.stream()
                            .filter(pause ->
                                    pause.place().equals(place)
                                            && pause.priority() == queue.priority()
                                            && pause.fromPs() <= deadlock.seenPs())
                            .mapToLong(Pause::fromPs)
                            .max()
                            .orElse(0);
            circle.add(
                    new Dependency(
                            place,
                            nextPlace,
                            queue.priority(),
                            since,
                            snapshot.heldFrom(run.plan().peer(end), queue.priority())
                                    .getOrDefault(nextEnd, Map.of())));
        }
        return circle;
    }

    /** The whole explanation as lines of text. */
    public String toText() {
        StringBuilder text = new StringBuilder(what).append('\n');
        tree.forEach(each -> text.append(each.toText()));
        if (!root.isEmpty()) {
            text.append("Root: ").append(root).append(".\n");
        }
        if (!suspects.isEmpty()) {
            text.append("Suspected: ").append(String.join(", ", suspects)).append(".\n");
        }
        if (proof != null) {
            text.append("Proof: ").append(proof.says).append(".\n");
            // For a pause one change is tried, which the line before names.
            if (proof.isGone && tree.isEmpty()) {
                text.append("Least change of those tried: ").append(proof.change).append(".\n");
            }
        }
        return text.toString();
    }
}
