package io.headgate.testbed.scenario.file;

import io.headgate.config.key.Allowed;
import io.headgate.config.key.Items;
import io.headgate.config.key.Key;
import io.headgate.config.key.Otherwise;
import io.headgate.config.key.Says;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Differences;
import io.headgate.testbed.scenario.Findings;
import io.headgate.testbed.scenario.Parameter;
import java.util.List;

/** A comparison that a scenario file defines: several settings against one of them. */
record Compared(
        @Key(max = "32")
                @Says("The parameter in which the settings differ.")
                @Allowed(Said.A_PARAMETER)
                String by,
        @Key(codec = Said.Word.class, max = "64")
                @Says("The parameter's value in the setting that all others are compared with.")
                @Otherwise("the first of the sweep")
                @Allowed("a value of the parameter, such as none")
                String to,
        @Key(max = "100")
                @Says("The measures to compare.")
                @Otherwise("the measures that 'measures', 'plot', 'table' and 'expect' name")
                @Allowed(Said.MEASURES)
                @Items(min = 1, max = 100, orOne = true, each = Said.A_MEASURE)
                List<String> measures) {
    private String base(List<CellResult> results) {
        return to.isEmpty() ? Differences.values(results, by).getFirst() : to;
    }

    /** The reason why no comparison is possible, in a sentence; empty if one is. */
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
                        : "no run has " + base + ", the value that the others are compared with");
    }

    Findings.Titled table(List<Parameter> parameters, List<CellResult> results) {
        return Differences.of(parameters, results, by, base(results), measures).table();
    }
}
