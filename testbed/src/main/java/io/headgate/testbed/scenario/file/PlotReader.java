package io.headgate.testbed.scenario.file;

import io.headgate.config.yaml.YamlConfig;
import io.headgate.testbed.scenario.SweepFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the figures that a scenario file asks for. */
final class PlotReader {
    private final YamlConfig yaml;
    private final Set<String> parameters;
    private final Set<String> measures;
    private final RecordedSeries recorded;
    private final Set<String> groups;

    /**
     * @param parameters names of those that the file has
     * @param measures names of what its runs measure in any case
     * @param recorded what else can be measured
     * @param groups names of its traffic
     */
    PlotReader(
            YamlConfig yaml,
            Set<String> parameters,
            Set<String> measures,
            RecordedSeries recorded,
            Set<String> groups) {
        this.yaml = yaml;
        this.parameters = parameters;
        this.measures = measures;
        this.recorded = recorded;
        this.groups = groups;
    }

    List<Plot> read() {
        List<Plot> plots = new ArrayList<>();
        for (String at : yaml.items("/plot")) {
            String y = yaml.text(at + "/y", "");
            boolean ecdf = yaml.flag(at + "/ecdf", false);
            boolean isKnown =
                    ecdf
                            ? isOfFlows(y)
                            : Plot.isSeries(y)
                                    || measures.contains(y)
                                    || recorded.isMeasured(at + "/y", y);
            if (!isKnown) {
                String near = YamlConfig.nearest(y, measures);
                yaml.refuse(
                        at + "/y",
                        YamlConfig.quote(y),
                        ecdf
                                ? "with ecdf: true, completion of or slowdown of one of "
                                        + String.join(", ", groups)
                                : (near == null ? "" : near + "? ")
                                        + "a measure, or a series such as queue s1/p4");
            }
            String x = parameter(at + "/x", true);
            boolean overTime = Plot.TIME.equals(x);
            if (overTime && !Plot.isSeries(y)) {
                yaml.refuse(at + "/x", "time", "a parameter: " + y + " is one number of a run");
            }
            plots.add(
                    new Plot(
                            y,
                            new SweepFigures.Layout(
                                    overTime ? null : x,
                                    parameter(at + "/group", false),
                                    parameter(at + "/facet", false),
                                    isLogarithmic(at, "x"),
                                    isLogarithmic(at, "y")),
                            ecdf));
        }
        return plots;
    }

    private boolean isOfFlows(String y) {
        return Plot.OF_FLOWS.stream()
                .anyMatch(of -> y.startsWith(of) && groups.contains(y.substring(of.length())));
    }

    private boolean isLogarithmic(String at, String axis) {
        return yaml.items(at + "/log").stream().anyMatch(it -> yaml.text(it, "").equals(axis));
    }

    private @Nullable String parameter(String at, boolean orTime) {
        if (!yaml.isGiven(at)) {
            return null;
        }
        String name = yaml.text(at, "");
        if (!parameters.contains(name) && !(orTime && name.equals(Plot.TIME))) {
            yaml.refuse(
                    at,
                    "the unknown parameter " + YamlConfig.quote(name),
                    parameters.isEmpty()
                            ? "a parameter; the file has none"
                            : "one of " + String.join(", ", parameters));
        }
        return name;
    }
}
