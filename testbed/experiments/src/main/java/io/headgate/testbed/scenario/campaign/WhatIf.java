package io.headgate.testbed.scenario.campaign;

import io.headgate.testbed.scenario.About;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Findings;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.RunContext;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Values;
import io.headgate.testbed.scenario.bed.Change;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A scenario that runs both unchanged and with one change: an additional parameter selects which.
 * The scenario's expectations apply only to the runs without the change.
 */
public final class WhatIf implements Scenario {
    private final Scenario of;
    private final Parameter parameter;

    private WhatIf(Scenario of, Change change) {
        this.of = of;
        this.parameter =
                Parameter.words(
                        Change.PARAMETER,
                        List.of(Change.NOTHING, change.toString()),
                        "what is changed");
    }

    /**
     * The scenario with a change, which may be null, instead of a change that it already has.
     *
     * @throws ScenarioException if there is no such change, in a sentence
     */
    public static Scenario around(Scenario scenario, @Nullable String change)
            throws ScenarioException {
        if (change == null) {
            return scenario;
        }
        Scenario plain = scenario instanceof WhatIf other ? other.of : scenario;
        return new WhatIf(plain, Change.parse(change));
    }

    @Override
    public About about() {
        return of.about();
    }

    @Override
    public List<Parameter> parameters() {
        List<Parameter> all = new ArrayList<>(of.parameters());
        all.add(parameter);
        return all;
    }

    @Override
    public void check(Values values) throws ScenarioException {
        of.check(values);
    }

    @Override
    public Outcome run(Cell cell, RunContext context) throws ScenarioException {
        return of.run(cell, context);
    }

    /** Figures of all runs, and checks of those without the change. */
    @Override
    public Findings conclude(List<CellResult> results) {
        Findings all = of.conclude(results);
        List<CellResult> asItIs =
                results.stream()
                        .filter(one ->
                                one.cell().values().text(Change.PARAMETER).equals(Change.NOTHING))
                        .toList();
        return new Findings(
                asItIs.isEmpty() ? List.of() : of.conclude(asItIs).checks(),
                all.figures(),
                all.statements(),
                all.tables());
    }
}
