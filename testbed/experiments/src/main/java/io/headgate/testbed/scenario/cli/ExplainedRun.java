package io.headgate.testbed.scenario.cli;

import io.headgate.control.cli.CommandFailure;
import io.headgate.control.cli.ExplainCommand;
import io.headgate.control.report.Json;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Unit;
import io.headgate.testbed.scenario.Words;
import io.headgate.testbed.scenario.explain.Explanation;
import io.headgate.testbed.scenario.explain.Explanation.Question;
import io.headgate.testbed.scenario.report.Conclusion;
import io.headgate.testbed.scenario.report.Result;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code headgate explain RUN}: repeats a run of a result, and explains why its queues were paused.
 */
public final class ExplainedRun implements ExplainCommand.OfRuns {
    private static final Pattern PAUSE =
            Pattern.compile("pause (\\S+) prio(?:rity)? ([0-7]) at (\\S+)");
    private static final double PS_PER_NS = 1000;

    @Override
    public int explain(Path run, String question, ExplainCommand.Asked asked, PrintWriter out)
            throws CommandFailure {
        try {
            Question parsed = parse(question.strip());
            Result result = Conclusion.all(run, ScenarioFinder::again);
            CellResult made = run(result, asked.number());
            Explanation explained =
                    Explanation.of(
                            result.scenario(),
                            made.cell(),
                            made.outcome() == null ? "" : made.outcome().digest(),
                            parsed,
                            asked.prove(),
                            asked.change());
            out.print(
                    asked.json()
                            ? Json.COMPACT.writeValueAsString(explained) + "\n"
                            : explained.toText());
            out.flush();
            Explanation.Proof proof = explained.proof();
            return proof == null || proof.isGone() ? 0 : 1;
        } catch (ScenarioException e) {
            throw CommandFailure.badInput(e.getMessage() + ".");
        }
    }

    private static Question parse(String question) throws ScenarioException {
        if (question.isEmpty()) {
            return new Question.Overview();
        }
        if (question.equals("deadlock")) {
            return new Question.OfDeadlock();
        }
        Matcher pause = PAUSE.matcher(question);
        Double ns = pause.matches() ? Unit.DURATION.parse(pause.group(3)) : null;
        if (ns == null) {
            throw new ScenarioException(
                    "a question cannot be '"
                            + Words.shown(question)
                            + "': allowed is 'pause s1:p2 prio 3 at 1.2ms' or 'deadlock'");
        }
        return new Question.OfPause(
                // As deadlocks and measures have a port's name.
                pause.group(1).replace('/', ':'),
                Integer.parseInt(pause.group(2)),
                Math.round(ns * PS_PER_NS));
    }

    private static CellResult run(Result result, @Nullable Integer number)
            throws ScenarioException {
        List<CellResult> runs = result.results();
        for (CellResult run : runs) {
            if ((runs.size() == 1 && number == null)
                    || Objects.equals(run.cell().index(), number)) {
                return run;
            }
        }
        throw new ScenarioException(
                number == null
                        ? "the result has "
                                + runs.size()
                                + " runs: choose one with --run N, its number in runs.csv"
                                + (runs.isEmpty()
                                        ? ""
                                        : ", such as --run " + runs.getFirst().cell().index())
                        : "the result has no run " + number + ": its runs.csv lists them");
    }
}
