package io.headgate.testbed.scenario.shipped;

import io.headgate.testbed.scenario.About;
import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Findings;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.RunContext;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Values;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A shipped scenario each of whose cells is run once, whichever test asks for it: the same cell
 * gives the same outcome. Not for runs of which more than the outcome is looked at, and not for
 * long tests: an outcome is kept for as long as the JVM lives.
 *
 * @param named shipped; none that a test changed
 */
record Once(Scenario named) implements Scenario {
    private record Key(
            String name, Map<String, String> values, long seed, BedKind bed, double scale) {}

    private static final Map<Key, Outcome> OUTCOMES = new ConcurrentHashMap<>();

    /** The shipped scenario of a name. */
    static Scenario named(String name) throws ScenarioException {
        return new Once(Scenarios.named(name));
    }

    @Override
    public Outcome run(Cell cell, RunContext context) throws ScenarioException {
        if (context.checking()
                || context.traceFile() != null
                || context.captureFile() != null
                || context.stateFile() != null
                || context.traceEventsFile() != null) {
            throw new IllegalArgumentException(
                    "a run that checks or records: one that ran before would be taken for it");
        }
        Key key =
                new Key(
                        about().name(),
                        cell.values().texts(),
                        cell.seed(),
                        cell.bed(),
                        cell.scale());
        Outcome outcome = OUTCOMES.get(key);
        if (outcome == null) {
            outcome = named.run(cell, context);
            OUTCOMES.put(key, outcome);
        }
        return outcome;
    }

    @Override
    public About about() {
        return named.about();
    }

    @Override
    public List<Parameter> parameters() {
        return named.parameters();
    }

    @Override
    public void check(Values values) throws ScenarioException {
        named.check(values);
    }

    @Override
    public String lacks(Cell cell) {
        return named.lacks(cell);
    }

    @Override
    public Findings conclude(List<CellResult> results) {
        return named.conclude(results);
    }
}
