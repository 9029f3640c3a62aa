package io.headgate.testbed.scenario.campaign;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A sweep as the user asked for it: the arguments with which another machine runs the same.
 *
 * @param scenario its name, or the path of its file
 * @param settings {@code name=value}, where a value may be a list or a range
 * @param bed as on the command line; null: the scenario's own
 * @param scale as on the command line; null: the scenario's own
 * @param whatIf change in a second run of each cell; null: none
 */
public record SweepRequest(
        String scenario,
        List<String> settings,
        String seeds,
        @JsonSetter(nulls = Nulls.SET) @Nullable String bed,
        @JsonSetter(nulls = Nulls.SET) @Nullable Double scale,
        @JsonSetter(nulls = Nulls.SET) @Nullable String whatIf) {
    public SweepRequest {
        settings = List.copyOf(settings);
    }

    /** The request for a machine that has the scenario's file at another path. */
    public SweepRequest withScenario(String path) {
        return new SweepRequest(path, settings, seeds, bed, scale, whatIf);
    }

    /** The command-line arguments after {@code headgate} that run it. */
    public List<String> arguments() {
        List<String> arguments = new ArrayList<>(List.of("reproduce", scenario));
        for (String setting : settings) {
            arguments.addAll(List.of("--set", setting));
        }
        arguments.addAll(List.of("--seed", seeds));
        if (bed != null) {
            arguments.addAll(List.of("--bed", bed));
        }
        if (scale != null) {
            arguments.addAll(List.of("--scale", scale.toString()));
        }
        if (whatIf != null) {
            arguments.addAll(List.of("--what-if", whatIf));
        }
        return arguments;
    }
}
