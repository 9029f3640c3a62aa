package io.headgate.testbed.scenario.file;

import io.headgate.config.yaml.YamlConfig;
import io.headgate.testbed.scenario.Figure;
import io.headgate.testbed.scenario.Figure.Limit;
import io.headgate.testbed.scenario.SweepFigures;
import io.headgate.testbed.scenario.SweepFigures.OfFlows;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the figures that a scenario file asks for. */
final class PlotReader {
    private final YamlConfig yaml;
    private final Set<String> parameters;
    private final Set<String> measures;
    private final RecordedSeries recorded;
    private final Set<String> groups;
    private final Set<String> classes;

    /**
     * @param parameters names of those that the file has
     * @param measures names of what its runs measure in any case
     * @param recorded what else can be measured
     * @param groups names of its traffic
     * @param classes names of classes of flows by size
     */
    PlotReader(
            YamlConfig yaml,
            Set<String> parameters,
            Set<String> measures,
            RecordedSeries recorded,
            Set<String> groups,
            Set<String> classes) {
        this.yaml = yaml;
        this.parameters = parameters;
        this.measures = measures;
        this.recorded = recorded;
        this.groups = groups;
        this.classes = classes;
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
            long kinds = y.stream().map(one -> one.split(" ", 2)[0]).distinct().count();
            if (kinds > 1 && yaml.flag(at + "/mean", false)) {
                yaml.refuse(
                        at + "/mean",
                        "series of different kinds",
                        "those of one, such as queue s1/p3 and queue s1/p4");
            }
            String x = what == Plot.What.SIZES ? null : parameter(at + "/x", true);
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
        boolean bySize = Starred.is(y) && yaml.text(at + "/x", "").equals(Plot.SIZE);
        return bySize ? Plot.What.SIZES : Starred.is(y) ? Plot.What.MEASURES : Plot.What.MEASURE;
    }

    private boolean isKnown(Plot.What what, String at, String y) {
        return switch (what) {
            case FLOWS -> isOfFlows(y);
            case SERIES -> true;
            case MEASURES -> !Starred.among(measures, y).isEmpty();
            case SIZES -> isOfClasses(Starred.among(measures, y));
            case MEASURE -> measures.contains(y) || recorded.isMeasured(at, y);
        };
    }

    private void refuse(Plot.What what, String at, String y) {
        String near = YamlConfig.nearest(y, measures);
        yaml.refuse(
                at,
                YamlConfig.quote(y),
                what == Plot.What.FLOWS
                        ? "with ecdf: true, completion of, slowdown of or rate of one of "
                                + Stream.concat(groups.stream(), classes.stream())
                                        .collect(Collectors.joining(", "))
                        : what == Plot.What.SIZES
                                ? "with x: size, a measure of several 'classes', such as p99"
                                        + " slowdown of to-*"
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
                yaml.text(at + "/unit", ""),
                yaml.flag(at + "/points", false),
                yaml.flag(at + "/mean", false),
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
        boolean isOfGroup = groups.contains(OfFlows.group(y));
        return OfFlows.named(y) != null && (isOfGroup || classes.contains(OfFlows.group(y)));
    }

    /** Whether measures are all of classes of flows by size. */
    private boolean isOfClasses(List<String> names) {
        return !names.isEmpty()
                && names.stream().allMatch(name -> classes.contains(OfFlows.group(name)));
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
