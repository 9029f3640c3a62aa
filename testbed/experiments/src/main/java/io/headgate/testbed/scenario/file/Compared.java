package io.headgate.testbed.scenario.file;

import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Differences;
import io.headgate.testbed.scenario.Findings;
import io.headgate.testbed.scenario.Parameter;
import java.util.List;

/**
 * Settings that a scenario file compares with one of them.
 *
 * @param by the parameter that tells them apart
 * @param to its value in the one that all others are compared with; empty: the first of the sweep
 */
record Compared(String by, String to, List<String> measures) {
    Compared {
        measures = List.copyOf(measures);
    }

    private String base(List<CellResult> results) {
        return to.isEmpty() ? Differences.values(results, by).getFirst() : to;
    }

    /** Why there is nothing to compare, in a sentence; empty if there is. */
    String lacks(List<CellResult> results) {
        List<String> values = Differences.values(results, by);
        String base = base(results);
        if (values.size() > 1 && values.contains(base)) {
            return "";
        }
        return by
                + " is not compared: "
                + (values.contains(base)
                        ? "all runs have " + base
                        : "no run has " + base + ", with which the others are compared");
    }

    Findings.Titled table(List<Parameter> parameters, List<CellResult> results) {
        return Differences.of(parameters, results, by, base(results), measures).table();
    }
}
