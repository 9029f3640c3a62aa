package io.headgate.testbed.scenario.file;

import io.headgate.config.key.Quantity;
import io.headgate.config.yaml.YamlConfig;
import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.Flows;
import io.headgate.testbed.scenario.MeasureKind;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Unit;
import io.headgate.testbed.scenario.bed.Experiment;
import io.headgate.testbed.scenario.bed.Window;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads what a scenario file measures, expects, says and draws. */
final class WantedReader {
    private static final double DEFAULT_TOLERANCE = 0.05;
    private static final double DEFAULT_SHARE = 0.8;
    private static final double NS_PER_US = 1e3;

    /** As large as a flow may be. */
    private static final long LARGEST_FLOW_BYTES = 1_000_000_000_000L;

    private final YamlConfig yaml;
    private final String file;
    private final Set<String> measures;
    private final RecordedSeries recorded;
    private final boolean isReal;
    private final double intervalUs;
    private final double durationUs;

    /**
     * @param measures names of what its runs measure in any case
     * @param recorded what else can be measured
     * @param isReal whether it can run on the real bed, too
     * @param intervalUs between two samples
     * @param durationUs of a run
     */
    WantedReader(
            YamlConfig yaml,
            String file,
            Set<String> measures,
            RecordedSeries recorded,
            boolean isReal,
            double intervalUs,
            double durationUs) {
        this.yaml = yaml;
        this.file = file;
        this.measures = new LinkedHashSet<>(measures);
        this.recorded = recorded;
        this.isReal = isReal;
        this.intervalUs = intervalUs;
        this.durationUs = durationUs;
    }

    /**
     * @param parameters names of those that the file has
     * @param groups names of its traffic
     */
    Definition.Wanted read(Set<String> parameters, Set<String> groups) {
        Map<String, Map<String, Object>> classes = classes(groups);
        measures.addAll(MeasureKind.ofSizes(classes.keySet()));
        List<DerivedSeries> series = series();
        List<OwnMeasure> own = own();
        List<Expectation> expectations = expectations(parameters);
        List<Saying> sayings = sayings();
        List<Plot> plots =
                new PlotReader(yaml, parameters, measures, recorded, groups, classes.keySet())
                        .read();
        List<MeansTable> tables = tables();
        Set<String> named = new LinkedHashSet<>();
        own.forEach(one -> named.add(one.name()));
        plots.stream().filter(Plot::isMeasure).forEach(one -> named.addAll(one.y()));
        tables.forEach(one -> named.addAll(one.columns()));
        expectations.stream().filter(one -> !one.like()).forEach(one -> named.add(one.measure()));
        return new Definition.Wanted(
                classes,
                series,
                own,
                expectations,
                sayings,
                plots,
                tables,
                ranked(parameters),
                compared(parameters, List.copyOf(named)),
                window(groups));
    }

    /** Classes of flows by size. */
    private Map<String, Map<String, Object>> classes(Set<String> groups) {
        Map<String, Map<String, Object>> classes = new LinkedHashMap<>();
        for (String at : yaml.items("/classes")) {
            String name = yaml.text(at + "/name", "");
            String of = yaml.text(at + "/of", "");
            long above = yaml.quantity(at + "/above", Quantity.SIZE, 0);
            long to = yaml.quantity(at + "/to", Quantity.SIZE, LARGEST_FLOW_BYTES);
            if (!groups.contains(of)) {
                yaml.refuse(
                        at + "/of",
                        "the unknown traffic " + YamlConfig.quote(of),
                        ScenarioReader.oneOf(of, groups));
            } else if (groups.contains(name) || classes.containsKey(name)) {
                yaml.refuse(
                        at + "/name", "a second " + name, "a name that no traffic or class has");
            } else if (above >= to) {
                yaml.refuse(
                        at,
                        "sizes above " + above + " B up to " + to + " B",
                        "'above' less than 'to'");
            } else {
                classes.put(name, Flows.sizeClass(of, above, to));
            }
        }
        return classes;
    }

    /** For which flows the run goes on behind its duration; null: for none. */
    static Experiment.@Nullable Drain drain(YamlConfig yaml, long durationPs) {
        String at = "/measure/drain";
        return yaml.isGiven(at)
                ? new Experiment.Drain(
                        yaml.quantity("/measure/from", Quantity.DELAY, 0),
                        yaml.quantity("/measure/until", Quantity.DELAY, durationPs),
                        yaml.quantity(at, Quantity.DELAY, 0))
                : null;
    }

    /** The part of the run that is measured; null: all of it. */
    private @Nullable Window window(Set<String> groups) {
        String at = "/measure";
        if (!yaml.isGiven(at)) {
            return null;
        }
        double fromUs = us(at + "/from", 0);
        double untilUs = us(at + "/until", durationUs);
        if (fromUs >= untilUs || untilUs > durationUs) {
            yaml.refuse(
                    at,
                    fromUs + " us to " + untilUs + " us",
                    "from a time until a later one, at most the run's end, " + durationUs + " us");
        }
        for (double one : List.of(fromUs, untilUs)) {
            // Bytes are counted by intervals.
            double intervals = one / intervalUs;
            if (Math.abs(intervals - Math.rint(intervals)) > 1e-9 * Math.max(1, intervals)) {
                yaml.refuse(
                        at,
                        one + " us",
                        "multiples of the interval of 'record', which is "
                                + Unit.DURATION.format(intervalUs * NS_PER_US));
            }
        }
        for (String group : groups) {
            if (!recorded.has("throughput " + group)) {
                yaml.refuse(
                        at,
                        "traffic " + group + " whose throughput is not recorded",
                        "'throughput' of 'record' with all traffic, as it is if not given");
            }
        }
        return new Window(fromUs, untilUs);
    }

    /**
     * @param named measures that are compared where the file does not say which
     */
    private List<Compared> compared(Set<String> parameters, List<String> named) {
        List<Compared> all = new ArrayList<>();
        for (String at : yaml.items("/compare")) {
            String by = yaml.text(at + "/by", "");
            requireParameter(at + "/by", by, parameters);
            List<String> measures = yaml.oneOrMore(at + "/measures", it -> yaml.text(it, ""));
            measures.forEach(measure -> requireMeasure(at + "/measures", measure));
            if (measures.isEmpty() && named.isEmpty()) {
                yaml.refuse(
                        at,
                        "no measures, and none that 'measures', 'plot', 'table' or 'expect' name",
                        yaml.allowedAt(at + "/measures"));
            }
            String to = value(by, at + "/to");
            all.add(new Compared(by, to, measures.isEmpty() ? named : measures));
        }
        return all;
    }

    /** A parameter's value as runs have it; one that it cannot have is refused. */
    private String value(String name, String at) {
        String said = yaml.has(at) ? word(at) : "";
        Parameter parameter = FileParameters.named(yaml, name);
        if (said.isEmpty() || parameter == null) {
            return said;
        }
        try {
            List<Object> values = parameter.parse(said);
            if (values.size() == 1) {
                return parameter.format(values.getFirst());
            }
        } catch (ScenarioException e) {
            // What is allowed is said below, with the place.
        }
        yaml.refuse(at, YamlConfig.quote(said), "one value of " + name + ": " + parameter.range());
        return said;
    }

    private void requireParameter(String at, String name, Set<String> parameters) {
        if (!parameters.contains(name)) {
            yaml.refuse(
                    at,
                    "the unknown parameter " + YamlConfig.quote(name),
                    parameters.isEmpty()
                            ? "a parameter; the file has none"
                            : "one of " + String.join(", ", parameters));
        }
    }

    private List<DerivedSeries> series() {
        List<DerivedSeries> series = new ArrayList<>();
        for (String at : yaml.items("/series")) {
            boolean isSum = yaml.has(at + "/of");
            if (isSum == yaml.has(at + "/value")
                    || yaml.has(at + "/as") != yaml.has(at + "/each")) {
                yaml.refuse(at, String.join(" and ", yaml.keys(at)), yaml.allowedAt(at));
                continue;
            }
            DerivedSeries one =
                    new DerivedSeries(
                            yaml.text(at + "/name", ""),
                            yaml.text(at + "/unit", ""),
                            isSum ? sum(at + "/of") : computed(at + "/value"),
                            number(at + "/per", 1),
                            yaml.has(at + "/while") ? seriesAt(at + "/while") : "",
                            fold(at),
                            intervalUs);
            series.add(one);
            recorded.add(at + (isSum ? "/of" : "/value"), one);
        }
        return series;
    }

    private DerivedSeries.Source sum(String at) {
        DerivedSeries.Sum sum = new DerivedSeries.Sum(yaml.text(at, ""));
        if (!recorded.isAny(sum)) {
            recorded.refuse(at, sum.of());
        }
        return sum;
    }

    private DerivedSeries.Source computed(String at) {
        String text = word(at);
        List<String> names = Arithmetic.measures(text);
        if (names == null || names.isEmpty()) {
            yaml.refuse(at, YamlConfig.quote(text), yaml.allowedAt(at));
        } else {
            names.stream()
                    .filter(of -> !of.equals(DerivedSeries.TIME) && !recorded.hasAny(of))
                    .forEach(of -> recorded.refuse(at, of));
        }
        return new DerivedSeries.Value(text);
    }

    private DerivedSeries.@Nullable Fold fold(String at) {
        if (!yaml.has(at + "/each")) {
            return null;
        }
        double eachUs = us(at + "/each", intervalUs);
        if (eachUs < intervalUs) {
            yaml.refuse(
                    at + "/each",
                    yaml.text(at + "/each", ""),
                    "at least the interval of 'record', "
                            + Unit.DURATION.format(intervalUs * NS_PER_US));
        }
        return new DerivedSeries.Fold(eachUs, yaml.choice(at + "/as", DerivedSeries.As.MEAN));
    }

    private List<OwnMeasure> own() {
        List<OwnMeasure> all = new ArrayList<>();
        for (String at : yaml.items("/measures")) {
            String name = yaml.text(at + "/name", "");
            if (measures.contains(name)) {
                yaml.refuse(at + "/name", "a second measure " + name, "each name once");
            }
            boolean reaches = yaml.isGiven(at + "/reaches");
            boolean settles = yaml.isGiven(at + "/settles");
            boolean last = yaml.isGiven(at + "/last");
            boolean samples = yaml.isGiven(at + "/samples");
            int given = (yaml.isGiven(at + "/value") ? 1 : 0) + (reaches ? 1 : 0);
            int beyond = (yaml.has(at + "/above") ? 1 : 0) + (yaml.has(at + "/below") ? 1 : 0);
            if (given + (settles ? 1 : 0) + (last ? 1 : 0) + (samples ? 1 : 0) != 1
                    || samples != yaml.has(at + "/as")
                    || (reaches || settles) != yaml.has(at + "/level")
                    || beyond != (last ? 1 : 0)) {
                yaml.refuse(at, String.join(" and ", yaml.keys(at)), yaml.allowedAt(at));
                continue;
            }
            boolean isTime = reaches || settles || last;
            OwnMeasure.Form form =
                    reaches
                            ? reaches(at)
                            : settles
                                    ? settles(at)
                                    : last
                                            ? last(at)
                                            : samples ? samplesOf(at) : value(at + "/value");
            all.add(new OwnMeasure(name, isTime ? "us" : yaml.text(at + "/unit", ""), form));
            measures.add(name);
        }
        return all;
    }

    private OwnMeasure.Value value(String at) {
        String text = word(at);
        List<String> names = Arithmetic.measures(text);
        if (names == null) {
            yaml.refuse(at, YamlConfig.quote(text), yaml.allowedAt(at));
        } else {
            for (String name : names) {
                if (!recorded.isOfAny(name)) {
                    List<String> meant =
                            Starred.is(name) ? Starred.among(measures, name) : List.of();
                    requireMeasure(at, meant.isEmpty() ? name : meant.getFirst());
                }
            }
        }
        return new OwnMeasure.Value(text);
    }

    private String seriesAt(String at) {
        String of = yaml.text(at, "");
        if (!recorded.has(of)) {
            recorded.refuse(at, of);
        }
        return of;
    }

    private OwnMeasure.Form reaches(String at) {
        return new OwnMeasure.Reaches(seriesAt(at + "/reaches"), value(at + "/level").arithmetic());
    }

    private OwnMeasure.Form settles(String at) {
        return new OwnMeasure.Settles(
                seriesAt(at + "/settles"),
                number(at + "/level", 0),
                number(at + "/tolerance", DEFAULT_TOLERANCE),
                samples(at + "/over"),
                us(at + "/from", 0),
                us(at + "/to", Double.POSITIVE_INFINITY));
    }

    private OwnMeasure.Form last(String at) {
        boolean above = yaml.has(at + "/above");
        return new OwnMeasure.Last(
                seriesAt(at + "/last"),
                value(at + (above ? "/above" : "/below")).arithmetic(),
                above,
                samples(at + "/over"));
    }

    private OwnMeasure.Form samplesOf(String at) {
        return new OwnMeasure.Samples(
                seriesAt(at + "/samples"),
                yaml.text(at + "/as", ""),
                bound(at + "/from", "0"),
                bound(at + "/to", Unit.NUMBER.format(durationUs)));
    }

    /** A time, or arithmetic with measures, in us. */
    private String bound(String at, String absent) {
        if (!yaml.has(at)) {
            return absent;
        }
        Double ns = Unit.DURATION.parse(word(at));
        return ns == null ? value(at).arithmetic() : Unit.NUMBER.format(ns / NS_PER_US);
    }

    private int samples(String at) {
        return (int) Math.max(1, Math.min(1e6, Math.rint(us(at, intervalUs) / intervalUs)));
    }

    private double us(String at, double absent) {
        if (!yaml.has(at)) {
            return absent;
        }
        Double ns = Unit.DURATION.parse(yaml.text(at, ""));
        if (ns == null) {
            yaml.refuse(at, YamlConfig.quote(yaml.text(at, "")), yaml.allowedAt(at));
        }
        return ns == null ? absent : ns / NS_PER_US;
    }

    private String word(String at) {
        return String.valueOf(yaml.scalar(at));
    }

    /** A number, or arithmetic in which parameters stood. */
    private double number(String at, double absent) {
        if (!yaml.has(at)) {
            return absent;
        }
        Double value = Arithmetic.value(word(at));
        if (value == null) {
            yaml.refuse(at, YamlConfig.quote(word(at)), yaml.allowedAt(at));
        }
        return value == null ? absent : value;
    }

    private void requireMeasure(String at, String measure) {
        if (!measures.contains(measure) && !recorded.isMeasured(at, measure)) {
            yaml.refuse(
                    at,
                    "the unknown measure " + YamlConfig.quote(measure),
                    ScenarioReader.oneOf(measure, measures));
        }
        MeasureKind kind = MeasureKind.of(measure);
        if (isReal && kind != null && kind.isVirtual()) {
            yaml.refuse(
                    at,
                    YamlConfig.quote(measure),
                    "a measure of both beds: only virtual time has this one");
        }
    }

    private List<Expectation> expectations(Set<String> parameters) {
        List<Expectation> expectations = new ArrayList<>();
        for (String at : yaml.items("/expect")) {
            if (yaml.isGiven(at + "/measure") == yaml.isGiven(at + "/like")
                    || (yaml.isGiven(at + "/like") && !yaml.isGiven(at + "/than"))) {
                yaml.refuse(at, String.join(" and ", yaml.keys(at)), yaml.allowedAt(at));
                continue;
            }
            if (yaml.has(at + "/like")) {
                seriesAt(at + "/like");
            } else {
                requireMeasure(at + "/measure", yaml.text(at + "/measure", ""));
            }
            expectation(at, parameters, expectations);
        }
        return expectations;
    }

    private void expectation(String at, Set<String> parameters, List<Expectation> into) {
        int before = into.size();
        for (Check.Relation relation : Check.Relation.values()) {
            String key = at + "/" + relation.name().toLowerCase(Locale.ROOT).replace('_', '-');
            if (yaml.has(key)) {
                into.add(
                        new Expectation(
                                yaml.text(at + "/measure", yaml.text(at + "/like", "")),
                                relation,
                                expected(key),
                                number(at + "/tolerance", DEFAULT_TOLERANCE),
                                yaml.has(at + "/within") ? expected(at + "/within") : "",
                                than(at + "/than", parameters),
                                yaml.flag(at + "/equal-zeros", false),
                                yaml.has(at + "/like"),
                                bed(at + "/bed"),
                                yaml.count(at + "/seeds", 0),
                                yaml.has(at + "/if") ? expected(at + "/if") : "",
                                yaml.text(at + "/source", file),
                                yaml.line(at) + ":" + yaml.column(at)));
            }
        }
        if (into.size() != before + 1) {
            yaml.refuse(
                    at,
                    into.size() - before + " of near, at-most and at-least",
                    "exactly one of near, at-most and at-least");
        }
    }

    /** Arithmetic with measures in it. */
    private String expected(String at) {
        String text = word(at);
        List<String> names = Arithmetic.measures(text);
        Double value =
                names == null || names.isEmpty() ? Arithmetic.value(text) : Double.valueOf(0);
        if (value == null) {
            yaml.refuse(at, YamlConfig.quote(text), yaml.allowedAt(at));
        } else if (names != null) {
            names.forEach(name -> {
                if (!measures.contains(name)) {
                    yaml.refuse(
                            at,
                            "the unknown measure " + YamlConfig.quote(name),
                            ScenarioReader.oneOf(name, measures));
                }
            });
        }
        return text;
    }

    private Map<String, String> than(String at, Set<String> parameters) {
        Map<String, String> than = new LinkedHashMap<>();
        for (String name : yaml.keys(at)) {
            if (!name.equals(Expectation.BED)) {
                requireParameter(YamlConfig.child(at, name), name, parameters);
            }
            than.put(name, word(YamlConfig.child(at, name)));
        }
        return than;
    }

    private @Nullable BedKind bed(String at) {
        return yaml.has(at) ? yaml.choice(at, BedKind.VIRTUAL) : null;
    }

    private List<Saying> sayings() {
        List<Saying> sayings = new ArrayList<>();
        for (String at : yaml.items("/say")) {
            Saying saying = new Saying(yaml.text(at + "/text", ""));
            saying.measures().forEach(name -> requireMeasure(at + "/text", name));
            sayings.add(saying);
        }
        return sayings;
    }

    private List<Ranked> ranked(Set<String> parameters) {
        List<Ranked> all = new ArrayList<>();
        for (String at : yaml.items("/rank")) {
            String by = yaml.text(at + "/by", "");
            requireParameter(at + "/by", by, parameters);
            Ranked one =
                    new Ranked(
                            yaml.text(at + "/title", ""),
                            by,
                            yaml.oneOrMore(at + "/most", it -> yaml.text(it, "")),
                            yaml.oneOrMore(at + "/least", it -> yaml.text(it, "")),
                            yaml.text(at + "/among", ""),
                            number(at + "/share", DEFAULT_SHARE));
            one.measures().forEach(measure -> requireMeasure(at, measure));
            all.add(one);
        }
        return all;
    }

    private List<MeansTable> tables() {
        List<MeansTable> tables = new ArrayList<>();
        for (String at : yaml.items("/table")) {
            List<String> columns =
                    yaml.items(at + "/columns").stream().map(it -> yaml.text(it, "")).toList();
            columns.forEach(measure -> requireMeasure(at + "/columns", measure));
            tables.add(new MeansTable(yaml.text(at + "/title", ""), columns));
        }
        return tables;
    }
}
