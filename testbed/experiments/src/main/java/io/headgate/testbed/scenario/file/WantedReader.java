package io.headgate.testbed.scenario.file;

import io.headgate.config.yaml.YamlConfig;
import io.headgate.testbed.scenario.Flows;
import io.headgate.testbed.scenario.MeasureKind;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Unit;
import io.headgate.testbed.scenario.bed.Window;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the measures and series exist that a scenario file uses in its measures,
 * expectations, sentences and figures.
 *
 * @param measures names of the measures that its runs always have; those that the file defines are
 *     added
 * @param recorded the series that can be measured in addition
 * @param isReal whether it can also run on the real bed
 */
record WantedReader(
        YamlConfig yaml,
        ScenarioFile said,
        Set<String> measures,
        RecordedSeries recorded,
        boolean isReal,
        OwnMeasure.Times times) {
    private static final double PS_PER_US = 1e6;
    private static final double NS_PER_US = 1e3;

    Definition.Wanted read(Set<String> groups) {
        Map<String, Map<String, Object>> classes = new LinkedHashMap<>();
        each("/classes", said.classes(), (at, one) -> add(at, one, groups, classes));
        measures.addAll(MeasureKind.ofSizes(classes.keySet()));
        each("/series", said.series(), this::add);
        each("/measures", said.measures(), this::add);
        List<String> places = new ArrayList<>();
        each(
                "/expect",
                said.expect(),
                (at, one) -> {
                    check(at, one);
                    places.add(yaml.line(at) + ":" + yaml.column(at));
                });
        each("/say", said.say(), (at, one) -> requireMeasures(at + "/text", one.measures()));
        List<Plot> plots = new PlotReader(this, groups, classes.keySet()).read(said.plot());
        each("/table", said.table(), (at, one) -> requireMeasures(at + "/columns", one.columns()));
        each(
                "/rank",
                said.rank(),
                (at, one) -> {
                    requireParameter(at + "/by", one.by());
                    requireMeasures(at, one.measures());
                });
        Set<String> named = new LinkedHashSet<>();
        said.measures().forEach(one -> named.add(one.name()));
        plots.stream().filter(Plot::isMeasure).forEach(one -> named.addAll(one.y()));
        said.table().forEach(one -> named.addAll(one.columns()));
        said.expect().stream()
                .filter(one -> !one.isLike())
                .forEach(one -> named.add(one.measure()));
        List<Compared> compared = new ArrayList<>();
        each("/compare", said.compare(), (at, one) -> compared.add(compared(at, one, named)));
        return new Definition.Wanted(
                classes,
                said.series(),
                said.measures(),
                said.expect(),
                places,
                said.say(),
                plots,
                said.table(),
                said.rank(),
                compared,
                window(groups));
    }

    private static <T> void each(String list, List<T> entries, BiConsumer<String, T> check) {
        for (int i = 0; i < entries.size(); i++) {
            check.accept(list + "/" + i, entries.get(i));
        }
    }

    private void add(
            String at,
            ScenarioFile.SizeClass one,
            Set<String> groups,
            Map<String, Map<String, Object>> classes) {
        if (!groups.contains(one.of())) {
            yaml.refuse(
                    at + "/of",
                    "the unknown traffic " + YamlConfig.quote(one.of()),
                    ScenarioReader.oneOf(one.of(), groups));
        } else if (groups.contains(one.name()) || classes.containsKey(one.name())) {
            yaml.refuse(
                    at + "/name", "a second " + one.name(), "a name that no traffic or class has");
        } else if (one.aboveBytes() >= one.toBytes()) {
            yaml.refuse(
                    at,
                    "sizes above " + one.aboveBytes() + " B up to " + one.toBytes() + " B",
                    "'above' less than 'to'");
        } else {
            classes.put(one.name(), Flows.sizeClass(one.of(), one.aboveBytes(), one.toBytes()));
        }
    }

    /** The part of the run that is measured; null: all of it. */
    private @Nullable Window window(Set<String> groups) {
        ScenarioFile.Part part = said.measure();
        if (part == null) {
            return null;
        }
        String at = "/measure";
        double fromUs = part.fromPs() / PS_PER_US;
        double untilUs = part.untilPs() == null ? times.durationUs() : part.untilPs() / PS_PER_US;
        if (fromUs >= untilUs || untilUs > times.durationUs()) {
            yaml.refuse(
                    at,
                    fromUs + " us to " + untilUs + " us",
                    "from a time until a later one, at most the run's end, "
                            + times.durationUs()
                            + " us");
        }
        for (double one : List.of(fromUs, untilUs)) {
            // Bytes are counted by intervals.
            double intervals = one / times.intervalUs();
            if (Math.abs(intervals - Math.rint(intervals)) > 1e-9 * Math.max(1, intervals)) {
                yaml.refuse(
                        at,
                        one + " us",
                        "multiples of the interval of 'record', which is " + interval());
            }
        }
        for (String group : groups) {
            if (!recorded.has("throughput " + group)) {
                yaml.refuse(
                        at,
                        "traffic " + group + " whose throughput is not recorded",
                        "'throughput' of 'record' with all traffic (the default)");
            }
        }
        return new Window(fromUs, untilUs);
    }

    private String interval() {
        return Unit.DURATION.format(times.intervalUs() * NS_PER_US);
    }

    /**
     * @param named measures that are compared where the file does not say which
     */
    private Compared compared(String at, Compared one, Set<String> named) {
        requireParameter(at + "/by", one.by());
        requireMeasures(at + "/measures", one.measures());
        if (one.measures().isEmpty() && named.isEmpty()) {
            yaml.refuse(
                    at,
                    "no measures, neither here nor in 'measures', 'plot', 'table' or 'expect'",
                    yaml.allowedAt(at + "/measures"));
        }
        return new Compared(
                one.by(),
                value(one.by(), one.to(), at + "/to"),
                one.measures().isEmpty() ? List.copyOf(named) : one.measures());
    }

    /** A parameter's value as runs have it; one that it cannot have is refused. */
    private String value(String name, String value, String at) {
        if (value.isEmpty()) {
            return value;
        }
        Parameter parameter = FileParameters.named(yaml, said.parameters(), name);
        if (parameter == null) {
            return value;
        }
        try {
            List<Object> values = parameter.parse(value);
            if (values.size() == 1) {
                return parameter.format(values.getFirst());
            }
        } catch (ScenarioException e) {
            // What is allowed is said below, with the place.
        }
        yaml.refuse(at, YamlConfig.quote(value), "one value of " + name + ": " + parameter.range());
        return value;
    }

    void requireParameter(String at, @Nullable String name) {
        List<String> parameters =
                said.parameters().parameters().stream().map(ParameterKeys.Varied::name).toList();
        if (name != null && !parameters.contains(name)) {
            yaml.refuse(
                    at,
                    "the unknown parameter " + YamlConfig.quote(name),
                    parameters.isEmpty()
                            ? "a parameter, but the file has no parameters"
                            : "one of " + String.join(", ", parameters));
        }
    }

    /** Whether the keys of an entry belong together; else they are refused. */
    private boolean isSound(String at, boolean fit) {
        if (!fit) {
            yaml.refuse(at, String.join(" and ", yaml.keys(at)), yaml.allowedAt(at));
        }
        return fit;
    }

    /** How many of an entry's keys the file has, whatever they say. */
    private long given(String at, String... keys) {
        return Stream.of(keys).filter(key -> yaml.isGiven(at + key)).count();
    }

    private void add(String at, DerivedSeries one) {
        boolean isFolded = yaml.has(at + "/each");
        if (!isSound(
                at, one.isSum() != yaml.has(at + "/value") && isFolded == (one.as() != null))) {
            return;
        }
        String made = at + (one.isSum() ? "/of" : "/value");
        List<String> names = Arithmetic.measures(one.value());
        if (one.isSum() && !recorded.isAny(one)) {
            recorded.refuse(made, one.of());
        } else if (!one.isSum() && (names == null || names.isEmpty())) {
            yaml.refuse(made, YamlConfig.quote(one.value()), yaml.allowedAt(made));
        } else if (!one.isSum()) {
            one.names().stream()
                    .filter(of -> !recorded.hasAny(of))
                    .forEach(of -> recorded.refuse(made, of));
        }
        requireSeries(at + "/while", one.during());
        if (isFolded && one.each() < times.intervalUs()) {
            yaml.refuse(
                    at + "/each",
                    yaml.text(at + "/each", ""),
                    "at least the interval of 'record', " + interval());
        }
        recorded.add(made, one);
    }

    private void add(String at, OwnMeasure one) {
        if (measures.contains(one.name())) {
            yaml.refuse(at + "/name", "a second measure " + one.name(), "each name once");
        }
        boolean isSample = !one.samples().isEmpty();
        boolean settles = !one.settles().isEmpty();
        if (!isSound(
                at,
                given(at, "/value", "/reaches", "/settles", "/last", "/samples") == 1
                        && given(at, "/samples") == given(at, "/as")
                        && given(at, "/reaches", "/settles") == given(at, "/level")
                        && given(at, "/last") == given(at, "/above", "/below"))) {
            return;
        }
        requireSeries(at + "/reaches", one.reaches());
        requireSeries(at + "/settles", one.settles());
        requireSeries(at + "/last", one.last());
        requireSeries(at + "/samples", one.samples());
        requireFormula(at + "/value", one.value());
        requireFormula(at + "/above", one.above());
        requireFormula(at + "/below", one.below());
        requireFormula(at + "/level", one.level());
        for (String key : List.of("/from", "/to")) {
            String text = key.equals("/to") ? one.to() : one.from();
            if (!yaml.isGiven(at + key) || Said.us(text) != null) {
                continue;
            }
            if (isSample) {
                requireFormula(at + key, text);
            } else if (settles) {
                yaml.refuse(at + key, YamlConfig.quote(text), yaml.allowedAt(at + key));
            }
        }
        measures.add(one.name());
    }

    /** Arithmetic with measures, of series too, which must all be there. */
    private void requireFormula(String at, String text) {
        List<String> names = yaml.isGiven(at) ? Arithmetic.measures(text) : List.of();
        if (names == null) {
            yaml.refuse(at, YamlConfig.quote(text), yaml.allowedAt(at));
            return;
        }
        for (String name : names) {
            if (!recorded.isOfAny(name)) {
                List<String> meant = Starred.is(name) ? Starred.among(measures, name) : List.of();
                requireMeasure(at, meant.isEmpty() ? name : meant.getFirst());
            }
        }
    }

    private void requireSeries(String at, String series) {
        if (!series.isEmpty() && !recorded.has(series)) {
            recorded.refuse(at, series);
        }
    }

    private void requireMeasures(String at, List<String> all) {
        all.forEach(measure -> requireMeasure(at, measure));
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
                    "a measure that both beds have: this one exists only in virtual time");
        }
    }

    private void check(String at, Expectation one) {
        if (!isSound(
                at,
                given(at, "/measure", "/like") == 1 && (!one.isLike() || !one.than().isEmpty()))) {
            return;
        }
        requireSeries(at + "/like", one.like());
        if (!one.isLike()) {
            requireMeasure(at + "/measure", one.measure());
        }
        requireExpected(at + "/near", one.near());
        requireExpected(at + "/at-most", one.atMost());
        requireExpected(at + "/at-least", one.atLeast());
        requireExpected(at + "/within", one.within());
        requireExpected(at + "/if", one.condition());
        one.than().keySet().stream()
                .filter(name -> !name.equals(Expectation.BED))
                .forEach(name -> requireParameter(YamlConfig.child(at + "/than", name), name));
        long relations = given(at, "/near", "/at-most", "/at-least");
        if (relations != 1) {
            yaml.refuse(
                    at,
                    relations + " of near, at-most and at-least",
                    "exactly one of near, at-most and at-least");
        }
    }

    /** Arithmetic with measures that each run has by itself. */
    private void requireExpected(String at, String text) {
        if (!yaml.isGiven(at)) {
            return;
        }
        List<String> names = Arithmetic.measures(text);
        if (names == null || (names.isEmpty() && Arithmetic.value(text) == null)) {
            yaml.refuse(at, YamlConfig.quote(text), yaml.allowedAt(at));
            return;
        }
        for (String name : names) {
            if (!measures.contains(name)) {
                yaml.refuse(
                        at,
                        "the unknown measure " + YamlConfig.quote(name),
                        ScenarioReader.oneOf(name, measures));
            }
        }
    }
}
