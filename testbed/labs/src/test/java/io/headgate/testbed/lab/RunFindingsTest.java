package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.report.RunReport;
import io.headgate.testbed.lab.own.OwnLabSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a report says first of many runs. */
class RunFindingsTest {
    /** A run of which each measure is its number. */
    private record Run(OwnLabSpec spec, double number) implements RunMeasures {
        @Override
        public double measured(String name) {
            return name.equals("dropped") ? 0 : number;
        }
    }

    private static Map<String, String> headlines(int count) {
        List<Run> runs = new ArrayList<>();
        for (OwnLabSpec spec : ReadyLabs.deadlock("escape", "100Mbps", 10, 5, "1.." + count)) {
            runs.add(new Run(spec, runs.size() + 1));
        }
        assertThat(runs).hasSize(count);
        RunReport report = new RunReport("test");
        new RunFindings(runs, report).judge();
        return report.headlines();
    }

    @Test
    void ofFewRunsEachHasItsFirstNumbers() {
        assertThat(headlines(12))
                .hasSize(12)
                .allSatisfy((name, _) ->
                        assertThat(name).startsWith("all three buffers had been above xon, "));
    }

    @Test
    void ofMoreRunsEachNumberIsFromTheLeastToTheMost() {
        assertThat(headlines(20))
                .containsEntry("all three buffers had been above xon, of 20 runs", "from 1 to 20 s")
                .containsEntry(
                        "least that a flow got in a second behind the remedy, of 20 runs",
                        "from 1 to 20 Mb/s")
                .containsEntry("dropped, of 20 runs", "0 frames");
    }
}
