package io.headgate.testbed.scenario.file;

import io.headgate.config.yaml.YamlConfig;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Figure.Limit;
import io.headgate.testbed.scenario.SweepFigures;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
            List<String> y = yaml.oneOrMore(at + "/y", item -> yaml.text(item, ""));
            String first = y.isEmpty() ? "" : y.getFirst();
            Plot.What what = what(at, first);
            for (String one : y) {
                if (what != what(at, one) || (y.size() > 1 && what != Plot.What.SERIES)) {
                    yaml.refuse(at + "/y", YamlConfig.quote(one), "one measure, or series alone");
                } else if (!isKnown(what, at + "/y", one)) {
                    refuse(what, at + "/y", one);
                }
            }
            String x = parameter(at + "/x", true);
            boolean overTime = Plot.TIME.equals(x);
            if (overTime && what != Plot.What.SERIES) {
                yaml.refuse(at + "/x", "time", "a parameter: " + first + " is one number of a run");
            }
            SweepFigures.Layout layout =
                    new SweepFigures.Layout(
                            overTime ? null : x,
                            parameter(at + "/group", false),
                            parameter(at + "/facet", false),
                            isLogarithmic(at, "x"),
                            isLogarithmic(at, "y"));
            plots.add(new Plot(y, what, layout, look(at)));
        }
        return plots;
    }

    private Plot.What what(String at, String y) {
        if (yaml.flag(at + "/ecdf", false)) {
            return Plot.What.FLOWS;
        }
        if (Plot.isSeries(y) || recorded.isDerived(y)) {
            return Plot.What.SERIES;
        }
        return Starred.is(y) ? Plot.What.MEASURES : Plot.What.MEASURE;
    }

    private boolean isKnown(Plot.What what, String at, String y) {
        return switch (what) {
            case FLOWS -> isOfFlows(y);
            case SERIES -> true;
            case MEASURES -> !Starred.among(measures, y).isEmpty();
            case MEASURE -> measures.contains(y) || recorded.isMeasured(at, y);
        };
    }

    private void refuse(Plot.What what, String at, String y) {
        String near = YamlConfig.nearest(y, measures);
        yaml.refuse(
                at,
                YamlConfig.quote(y),
                what == Plot.What.FLOWS
                        ? "with ecdf: true, completion of or slowdown of one of "
                                + String.join(", ", groups)
                        : (near == null ? "" : near + "? ")
                                + "a measure, or a series such as queue s1/p4");
    }

    private Plot.Look look(String at) {
        return new Plot.Look(
                yaml.text(at + "/name", ""),
                yaml.text(at + "/title", ""),
                yaml.text(at + "/says", ""),
                yaml.text(at + "/along", "place"),
                yaml.flag(at + "/expected", false),
                number(at + "/most"),
                limits(at + "/limits"),
                limits(at + "/marks"),
                yaml.text(at + "/label", ""),
                yaml.flag(at + "/points", false),
                new Figure.Print(yaml.count(at + "/width", 0), legend(at + "/legend")));
    }

    private Map<String, String> legend(String at) {
        Map<String, String> names = new LinkedHashMap<>();
        for (String name : yaml.keys(at)) {
            names.put(name, String.valueOf(yaml.scalar(YamlConfig.child(at, name))));
        }
        if (names.size() > new HashSet<>(names.values()).size()) {
            yaml.refuse(at, "two names that are shown alike", "a name of its own for each");
        }
        return names;
    }

    private List<Limit> limits(String list) {
        List<Limit> limits = new ArrayList<>();
        for (String at : yaml.items(list)) {
            limits.add(new Limit(String.valueOf(yaml.scalar(at + "/name")), number(at + "/value")));
        }
        return limits;
    }

    /** A number, or arithmetic in which parameters stood. */
    private double number(String at) {
        if (!yaml.has(at)) {
            return 0;
        }
        String text = String.valueOf(yaml.scalar(at));
        Double value = Arithmetic.value(text);
        if (value == null) {
            yaml.refuse(at, YamlConfig.quote(text), yaml.allowedAt(at));
        }
        return value == null ? 0 : value;
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
