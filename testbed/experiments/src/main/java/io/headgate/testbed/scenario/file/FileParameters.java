package io.headgate.testbed.scenario.file;

import io.headgate.config.ConfigException;
import io.headgate.config.ConfigProblem;
import io.headgate.config.Reason;
import io.headgate.config.key.Known;
import io.headgate.config.key.Section;
import io.headgate.config.read.RateControlKey;
import io.headgate.config.read.Schemas;
import io.headgate.config.yaml.ConfigSchema;
import io.headgate.config.yaml.YamlConfig;
import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Unit;
import io.headgate.testbed.scenario.Values;
import io.headgate.testbed.scenario.Words;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Parameters of a scenario's or a lab's file: {@code $name} is replaced by the parameter's value
 * before the file is read, so that every value in the file can be varied.
 */
public final class FileParameters {
    /** As long as a parameter's words may be. */
    private static final int MOST_OF_WORD = 64;

    private static final Pattern USE = Pattern.compile("\\$([a-z][a-z0-9-]*)");

    /**
     * The schema of the keys that are read before parameters are replaced; schemas of whole files
     * include it.
     */
    public static final ConfigSchema SCHEMA =
            Schemas.ofSomeKeys(
                    ParameterKeys.class,
                    "scenario-parameters",
                    "a mapping with name, topology, duration and traffic");

    private static final String LIST = "/parameters";

    /** The section of values that are derived from parameters. */
    private static final String LET = "/let";

    private static final String SEED = "seed";

    /** Names of what a run has without parameters. */
    private static final Set<String> RESERVED = Set.of(Expectation.BED, SEED);

    private static final String REQUIRE = "/require";
    private static final Pattern IN_BRACKETS =
            Pattern.compile("\\$\\(([^()]*(?:\\([^()]*\\)[^()]*)*)\\)");

    private final String text;
    private final List<Parameter> parameters;
    private final ParameterKeys said;

    /** The places of the required conditions, for messages. */
    private final List<String> requireAt;

    /** The properties of a run that a file may use in addition to its parameters. */
    record Run(BedKind bed, long seed) {
        static final Run ANY = new Run(BedKind.VIRTUAL, 1);
    }

    private FileParameters(
            String text, List<Parameter> parameters, ParameterKeys said, YamlConfig yaml) {
        this.text = text;
        this.parameters = List.copyOf(parameters);
        this.said = said;
        requireAt =
                IntStream.range(0, said.require().size())
                        .mapToObj(i -> yaml.where(YamlConfig.child(REQUIRE, i)))
                        .toList();
    }

    /**
     * Reads only the parameters.
     *
     * @throws io.headgate.config.ConfigException if they, or the file as YAML, are wrong
     */
    public static FileParameters read(String text, String file) {
        YamlConfig yaml = YamlConfig.read(text, file, SCHEMA);
        ParameterKeys said =
                Objects.requireNonNull(
                        Section.of(ParameterKeys.class).read(yaml.place(""), Known.NOTHING));
        List<Parameter> parameters = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (int i = 0; i < said.parameters().size(); i++) {
            String at = YamlConfig.child(LIST, i);
            if (isNew(yaml, at, said.parameters().get(i).name(), names)) {
                Parameter one = parameter(yaml, at, said.parameters().get(i));
                Stream.ofNullable(one).forEach(parameters::add);
            }
        }
        for (int i = 0; i < said.let().size(); i++) {
            isNew(yaml, YamlConfig.child(LET, i), said.let().get(i).name(), names);
        }
        yaml.throwIfAny();
        FileParameters all = new FileParameters(text, parameters, said, yaml);
        all.checkDerived(yaml);
        yaml.throwIfAny();
        return all;
    }

    private static boolean isNew(YamlConfig yaml, String at, String name, Set<String> names) {
        if (RESERVED.contains(name)) {
            yaml.refuse(
                    at + "/name",
                    "the reserved name " + name,
                    "another name: the run itself sets $" + name);
            return false;
        }
        if (!names.add(name)) {
            yaml.refuse(at + "/name", "a second parameter " + name, "each name once");
            return false;
        }
        return yaml.isSound();
    }

    List<Parameter> parameters() {
        return parameters;
    }

    /** The parameter of a name, in a file whose parameters are valid; null: none. */
    static @Nullable Parameter named(YamlConfig yaml, ParameterKeys said, String name) {
        for (int i = 0; i < said.parameters().size(); i++) {
            if (said.parameters().get(i).name().equals(name)) {
                return parameter(yaml, YamlConfig.child(LIST, i), said.parameters().get(i));
            }
        }
        return null;
    }

    private static @Nullable Parameter parameter(
            YamlConfig yaml, String at, ParameterKeys.Varied said) {
        Unit unit = said.unit();
        int kinds = (unit == null ? 0 : 1) + (said.words().isEmpty() ? 0 : 1);
        if (kinds + (said.text() ? 1 : 0) != 1) {
            yaml.refuse(
                    at,
                    kinds == 0 ? "neither unit nor words" : "more than one of unit, words and text",
                    "unit, default, min and max, or words, or text: true");
            return null;
        }
        try {
            if (said.text()) {
                return Parameter.text(said.name(), values(said), meaning(said));
            }
            return unit == null ? words(said) : number(yaml, at, said, unit);
        } catch (IllegalArgumentException | ScenarioException e) {
            String allowed =
                    said.text()
                            ? Parameter.TEXT
                            : unit == null ? "one of words, or a list of words" : range(said, unit);
            yaml.refuse(at + "/default", YamlConfig.quote(values(said)), allowed);
            return null;
        }
    }

    /** One value, or several, as {@code --set} has them. */
    private static String values(ParameterKeys.Varied said) {
        return String.join(",", said.defaults());
    }

    private static Parameter words(ParameterKeys.Varied said) throws ScenarioException {
        Set<String> all = new LinkedHashSet<>(said.words());
        boolean hasMechanisms = !said.mechanisms().isEmpty();
        if (hasMechanisms) {
            all.addAll(RateControlKey.alone());
        }
        List<String> words = List.copyOf(all);
        if (hasMechanisms && said.defaults().isEmpty()) {
            return Parameter.words(said.name(), words, meaning(said));
        }
        Parameter allowed = Parameter.word(said.name(), words, meaning(said));
        return said.defaults().isEmpty()
                ? allowed
                : new Parameter(
                        said.name(), null, allowed.parse(values(said)), 0, 0, words, meaning(said));
    }

    private static String meaning(ParameterKeys.Varied said) {
        return Objects.requireNonNullElse(said.meaning(), "not described");
    }

    private static @Nullable Parameter number(
            YamlConfig yaml, String at, ParameterKeys.Varied said, Unit unit) {
        for (String key : List.of("/default", "/min", "/max")) {
            if (!yaml.isGiven(at + key)) {
                yaml.refuse(at + key, "nothing", yaml.allowedAt(at + key));
                return null;
            }
        }
        Double min = value(yaml, at + "/min", said.min(), unit);
        Double max = value(yaml, at + "/max", said.max(), unit);
        if (min == null || max == null) {
            return null;
        }
        if (min > max) {
            yaml.refuse(at, "a range from " + range(said, unit), "min at most max");
            return null;
        }
        return Parameter.number(
                said.name(), unit, values(said), said.min(), said.max(), meaning(said));
    }

    private static String range(ParameterKeys.Varied said, Unit unit) {
        Double min = unit.parse(said.min());
        Double max = unit.parse(said.max());
        return min == null || max == null ? "" : unit.format(min) + " to " + unit.format(max);
    }

    /** With first defaults all must say something; with others they are left as they stand. */
    private void checkDerived(YamlConfig yaml) {
        Map<String, String> known = texts(defaults(), Run.ANY);
        for (int i = 0; i < said.let().size(); i++) {
            if (!known.containsKey(said.let().get(i).name())) {
                String at = YamlConfig.child(LET, i) + "/value";
                yaml.refuse(at, YamlConfig.quote(said.let().get(i).value()), yaml.allowedAt(at));
                return;
            }
        }
        for (int i = 0; i < said.require().size(); i++) {
            String that = said.require().get(i).that();
            if (Arithmetic.value(replaced(that, known)) == null) {
                String at = YamlConfig.child(REQUIRE, i) + "/that";
                yaml.refuse(at, YamlConfig.quote(that), yaml.allowedAt(at));
            }
        }
    }

    /**
     * Checks whether values fit together.
     *
     * @throws ScenarioException if not, with the sentence that the file has for it
     */
    void check(Values values) throws ScenarioException {
        Map<String, String> known = texts(values, Run.ANY);
        Map<String, String> shown = new LinkedHashMap<>(known);
        shown.putAll(values.texts());
        for (ParameterKeys.Required one : said.require()) {
            if (!holds(one, known)) {
                String sentence =
                        IN_BRACKETS
                                .matcher(one.otherwise())
                                .replaceAll(part ->
                                        Matcher.quoteReplacement(
                                                shown(replaced(part.group(1), known))));
                throw new ScenarioException(replaced(sentence, shown));
            }
        }
    }

    private static boolean holds(ParameterKeys.Required one, Map<String, String> known) {
        Double holds = Arithmetic.value(replaced(one.that(), known));
        return holds != null && holds != 0;
    }

    private static String shown(String arithmetic) {
        Object value = Arithmetic.said(arithmetic);
        return value instanceof Double number ? Unit.NUMBER.format(number) : String.valueOf(value);
    }

    private static @Nullable Double value(YamlConfig yaml, String at, String said, Unit unit) {
        Double value = unit.parse(said);
        if (value == null) {
            yaml.refuse(at, YamlConfig.quote(said), yaml.allowedAt(at));
        }
        return value;
    }

    /**
     * The file for each combination of its parameters' values.
     *
     * @param settings values by parameter, as for {@code --set}; others have their defaults
     * @param name name of the file in messages
     * @return files by the values of those parameters that have several values, or may have by
     *     default; without such parameters one file with an empty name
     * @throws ConfigException if it is not YAML
     * @throws ScenarioException if a setting is not allowed, or values do not go together
     */
    public Map<String, YamlConfig> all(
            Map<String, String> settings, String name, ConfigSchema schema)
            throws ScenarioException {
        List<String> known = parameters.stream().map(Parameter::name).toList();
        for (String setting : settings.keySet()) {
            if (!known.contains(setting)) {
                throw new ScenarioException(
                        name
                                + " has no parameter '"
                                + Words.shown(setting)
                                + "'"
                                + (known.isEmpty()
                                        ? ", nor any other"
                                        : ": allowed is " + String.join(", ", known)));
            }
        }
        Map<String, YamlConfig> all = new LinkedHashMap<>();
        Set<Parameter> varied = varied(settings);
        for (Values values : Values.all(parameters, given(settings, false))) {
            check(values);
            String text = with(values, Run.ANY);
            String run = named(values, varied);
            if (all.put(run, YamlConfig.expanded(text, name, schema, Arithmetic::said)) != null) {
                throw new ScenarioException(
                        "'"
                                + run
                                + "' would give two runs of "
                                + name
                                + ": allowed is each value once");
            }
        }
        return all;
    }

    /**
     * The names of all combinations that the file may have: all values of parameters with several
     * words, the chosen values of numbers. Empty if the only combination has no name.
     */
    public Set<String> names(Map<String, String> settings) throws ScenarioException {
        Set<String> names = new LinkedHashSet<>();
        Set<Parameter> varied = varied(settings);
        for (Values values : Values.all(parameters, given(settings, true))) {
            names.add(named(values, varied));
        }
        names.remove("");
        return names;
    }

    /** The names of all combinations without settings. */
    public Set<String> names() {
        try {
            return names(Map.of());
        } catch (ScenarioException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * The values of each parameter.
     *
     * @param isAll whether of words that may be several all are taken
     */
    private Map<String, List<Object>> given(Map<String, String> settings, boolean isAll)
            throws ScenarioException {
        Set<Parameter> varied = isAll ? varied(settings) : Set.of();
        Map<String, List<Object>> given = new LinkedHashMap<>();
        for (Parameter one : parameters) {
            boolean hasAll = one.unit() == null && varied.contains(one);
            given.put(one.name(), hasAll ? List.copyOf(one.words()) : values(one, settings));
        }
        return given;
    }

    private static List<Object> values(Parameter one, Map<String, String> settings)
            throws ScenarioException {
        String set = settings.get(one.name());
        return set == null ? one.defaults() : one.parse(set);
    }

    /** Parameters that have several values, by default or as they are set. */
    private Set<Parameter> varied(Map<String, String> settings) throws ScenarioException {
        Set<Parameter> varied = new LinkedHashSet<>();
        for (Parameter one : parameters) {
            if (one.defaults().size() > 1 || values(one, settings).size() > 1) {
                varied.add(one);
            }
        }
        return varied;
    }

    private static String named(Values values, Set<Parameter> varied) {
        return varied.stream().map(one -> values.text(one.name())).collect(Collectors.joining(" "));
    }

    /**
     * The file with its parameters at their first defaults.
     *
     * @param name name of the file in messages
     * @throws ConfigException if it is not YAML, or defaults do not go together
     */
    public YamlConfig withDefaults(String name, ConfigSchema schema) {
        try {
            Values values = defaults();
            check(values);
            return YamlConfig.expanded(with(values, Run.ANY), name, schema, Arithmetic::said);
        } catch (ScenarioException e) {
            Map<String, String> known = texts(defaults(), Run.ANY);
            String where =
                    IntStream.range(0, requireAt.size())
                            .filter(i -> !holds(said.require().get(i), known))
                            .mapToObj(requireAt::get)
                            .findFirst()
                            .orElse(name);
            throw new ConfigException(
                    where + ": the defaults do not fit together: " + Reason.of(e), e);
        }
    }

    private Values defaults() {
        return new Values(
                parameters, parameters.stream().map(p -> p.defaults().getFirst()).toList());
    }

    String withDefaults() {
        return with(defaults(), Run.ANY);
    }

    /** The file with its parameters at these values, for a run. */
    String with(Values values, Run run) {
        return replaced(text, texts(values, run));
    }

    /** The properties of a run that the file uses: the seed only if the file names it. */
    Run run(BedKind bed, long seed) {
        return new Run(bed, text.contains("$" + SEED) ? seed : Run.ANY.seed);
    }

    /** The text that replaces each name. */
    private Map<String, String> texts(Values values, Run run) {
        Map<String, String> texts = new LinkedHashMap<>();
        texts.put(Expectation.BED, run.bed.word());
        texts.put(SEED, Long.toString(run.seed));
        for (Parameter parameter : parameters) {
            texts.put(parameter.name(), inYaml(parameter, values));
        }
        for (ParameterKeys.Derived one : said.let()) {
            Object value = Arithmetic.said(replaced(one.value(), texts));
            boolean isText = one.unit().equals("text");
            boolean isWord = isText || one.unit().equals("word");
            int most = isText ? Parameter.MOST_OF_TEXT : MOST_OF_WORD;
            if (isWord && value instanceof String word && word.length() <= most) {
                texts.put(one.name(), word);
            } else if (!isWord && value instanceof Double number) {
                Unit unit = Unit.valueOf(one.unit().toUpperCase(Locale.ROOT));
                texts.put(one.name(), inYaml(unit, number));
            }
        }
        return texts;
    }

    private static String inYaml(Unit unit, double value) {
        double rounded = unit.isWhole() ? Math.rint(value) : value;
        return isBare(unit) ? Unit.NUMBER.format(rounded) : unit.format(rounded);
    }

    private static boolean isBare(Unit unit) {
        return unit == Unit.COUNT || unit == Unit.NUMBER;
    }

    /** Names of parameters and of what follows from them. */
    private List<String> words() {
        return Stream.concat(
                        parameters.stream().map(Parameter::name),
                        said.let().stream().map(ParameterKeys.Derived::name))
                .toList();
    }

    /** The same errors, with the most similar known parameter for each unknown one. */
    ConfigException withNearest(ConfigException mistakes) {
        if (mistakes.problems().isEmpty()) {
            return mistakes;
        }
        List<String> known = words();
        return new ConfigException(
                mistakes.problems().stream().map(one -> withNearest(one, known)).toList());
    }

    private static ConfigProblem withNearest(ConfigProblem problem, List<String> known) {
        Matcher use = USE.matcher(problem.found());
        String near = use.find() ? YamlConfig.nearest(use.group(1), known) : null;
        return near == null
                ? problem
                : new ConfigProblem(
                        problem.file(),
                        problem.line(),
                        problem.column(),
                        problem.path(),
                        problem.found(),
                        "$" + near + "? (or " + problem.allowed() + ")");
    }

    private static String inYaml(Parameter parameter, Values values) {
        Unit unit = parameter.unit();
        return unit != null && isBare(unit)
                ? Unit.NUMBER.format(values.number(parameter.name()))
                : values.text(parameter.name());
    }

    /** What is not known is left as it is, so that the reader shows it at its place. */
    private static String replaced(String text, Map<String, String> texts) {
        return USE.matcher(text)
                .replaceAll(use ->
                        Matcher.quoteReplacement(texts.getOrDefault(use.group(1), use.group())));
    }
}
