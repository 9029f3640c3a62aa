package io.headgate.testbed.scenario.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.headgate.control.cli.bench.ShellWords;
import io.headgate.testbed.figure.Csv;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.campaign.Sweep;
import io.headgate.testbed.scenario.campaign.SweepRequest;
import io.headgate.testbed.scenario.report.Result.ScenarioText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The identity of the sweep of a result or of a part: the same on every machine that runs some of
 * it.
 *
 * @param scenario name of the scenario
 * @param file content of the scenario's file, if it has one
 * @param id unique id of the sweep
 * @param cellsInAll number of runs of the whole sweep
 * @param varied names of parameters with more than one value
 */
public record SweepDescription(
        String scenario,
        @JsonProperty("scenarioFile") @JsonSetter(nulls = Nulls.SET) @Nullable ScenarioText file,
        @JsonSetter(nulls = Nulls.SET) SweepRequest request,
        @JsonProperty("sweepId") String id,
        @JsonProperty("runsInAll") int cellsInAll,
        List<String> varied) {
    public SweepDescription {
        if (request == null) {
            // The first results did not say what was asked for.
            request = new SweepRequest(scenario, List.of(), "1", null, null, null);
        }
        varied = List.copyOf(varied);
    }

    /** The description of a sweep that was laid out here. */
    public static SweepDescription of(
            Sweep sweep, @Nullable ScenarioText file, SweepRequest request) {
        return new SweepDescription(
                sweep.scenario().about().name(),
                file,
                request,
                sweep.id(file == null ? "" : file.text()),
                sweep.cells().size(),
                sweep.varied());
    }

    /** The command that runs a single cell again. */
    public String replay(Cell cell) {
        List<String> words = new ArrayList<>(List.of("headgate", "reproduce"));
        words.add(file == null ? scenario : file.path());
        words.addAll(List.of("--seed", Long.toString(cell.seed())));
        words.addAll(List.of("--bed", cell.bed().word()));
        if (cell.scale() != 1) {
            words.addAll(List.of("--scale", Csv.number(cell.scale())));
        }
        String change = request.whatIf();
        if (change != null) {
            words.addAll(List.of("--what-if", change));
        }
        cell.values()
                .texts()
                .forEach((name, text) -> words.addAll(List.of("--set", name + "=" + text)));
        return ShellWords.line(words);
    }
}
