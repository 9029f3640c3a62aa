package io.headgate.testbed.scenario.file;

import io.headgate.testbed.scenario.About;
import io.headgate.testbed.scenario.bed.Experiment;
import java.util.List;

/** What a scenario file says, its parameters replaced. */
record Definition(
        About about, Experiment experiment, List<Expectation> expectations, List<Plot> plots) {
    Definition {
        expectations = List.copyOf(expectations);
        plots = List.copyOf(plots);
    }
}
