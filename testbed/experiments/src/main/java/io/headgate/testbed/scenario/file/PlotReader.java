package io.headgate.testbed.scenario.file;

import io.headgate.config.yaml.YamlConfig;
import io.headgate.testbed.scenario.SweepFigures.OfFlows;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads the figures that a scenario file asks for.
 *
 * @param groups names of its traffic
 * @param classes names of classes of flows by size
 */
record PlotReader(WantedReader of, Set<String> groups, Set<String> classes) {
    List<Plot> read(List<Plot.Keys> entries) {
        List<Plot> plots = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            Plot.Keys said = entries.get(i);
            String at = "/plot/" + i;
            Plot.What what = what(said, said.y().getFirst());
            for (String one : said.y()) {
                if (what != what(said, one) || (said.y().size() > 1 && what != Plot.What.SERIES)) {
                    of.yaml()
                            .refuse(
                                    at + "/y",
                                    YamlConfig.quote(one),
                                    "one measure, or series alone");
                } else if (!isKnown(what, at + "/y", one)) {
                    refuse(what, at + "/y", one);
                }
            }
            long kinds = said.y().stream().map(one -> one.split(" ", 2)[0]).distinct().count();
            if (kinds > 1 && said.mean()) {
                of.yaml()
                        .refuse(
                                at + "/mean",
                                "series of several kinds",
                                "series of one kind, such as queue s1/p3 and queue s1/p4");
            }
            if (Plot.TIME.equals(said.x()) && what != Plot.What.SERIES) {
                of.yaml()
                        .refuse(
                                at + "/x",
                                "time",
                                "a parameter: " + said.y().getFirst() + " is one number of a run");
            } else if (what != Plot.What.SIZES && !Plot.TIME.equals(said.x())) {
                of.requireParameter(at + "/x", said.x());
            }
            of.requireParameter(at + "/group", said.group());
            of.requireParameter(at + "/facet", said.facet());
            if (said.legend().size() > new HashSet<>(said.legend().values()).size()) {
                of.yaml()
                        .refuse(
                                at + "/legend",
                                "two names with the same text",
                                "a different text for each name");
            }
            plots.add(new Plot(said, what));
        }
        return plots;
    }

    private Plot.What what(Plot.Keys said, String y) {
        if (said.ecdf()) {
            return Plot.What.FLOWS;
        }
        if (Plot.isSeries(y) || of.recorded().isDerived(y)) {
            return Plot.What.SERIES;
        }
        boolean bySize = Starred.is(y) && Plot.SIZE.equals(said.x());
        return bySize ? Plot.What.SIZES : Starred.is(y) ? Plot.What.MEASURES : Plot.What.MEASURE;
    }

    private boolean isKnown(Plot.What what, String at, String y) {
        return switch (what) {
            case FLOWS -> isOfFlows(y);
            case SERIES -> true;
            case MEASURES -> !Starred.among(of.measures(), y).isEmpty();
            case SIZES -> isOfClasses(Starred.among(of.measures(), y));
            case MEASURE -> of.measures().contains(y) || of.recorded().isMeasured(at, y);
        };
    }

    private void refuse(Plot.What what, String at, String y) {
        String near = YamlConfig.nearest(y, of.measures());
        of.yaml()
                .refuse(
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

    private boolean isOfFlows(String y) {
        boolean isOfGroup = groups.contains(OfFlows.group(y));
        return OfFlows.named(y) != null && (isOfGroup || classes.contains(OfFlows.group(y)));
    }

    /** Whether measures are all of classes of flows by size. */
    private boolean isOfClasses(List<String> names) {
        return !names.isEmpty()
                && names.stream().allMatch(name -> classes.contains(OfFlows.group(name)));
    }
}
