package io.headgate.testbed.scenario.file;

import io.headgate.config.ConfigException;
import io.headgate.config.ConfigProblem;
import io.headgate.config.yaml.ConfigSchema;
import io.headgate.config.yaml.YamlConfig;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.Unit;
import io.headgate.testbed.scenario.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parameters of a scenario file: {@code $name} is replaced by the parameter's value before the file
 * is read, so that anything may be varied.
 */
final class FileParameters {
    private static final Pattern USE = Pattern.compile("\\$([a-z][a-z0-9-]*)");

    /** What is known before anything is replaced: that part of the schema, and no other. */
    private static final ConfigSchema SCHEMA =
            ConfigSchema.load(FileParameters.class, "headgate-scenario-parameters.schema.json");

    private static final String LIST = "/parameters";

    private FileParameters() {}

    /**
     * Reads the parameters alone.
     *
     * @throws io.headgate.config.ConfigException if they, or the file as YAML, are wrong
     */
    static List<Parameter> read(String text, String file) {
        YamlConfig yaml = YamlConfig.read(text, file, SCHEMA);
        List<Parameter> parameters = new ArrayList<>();
        for (String at : yaml.items(LIST)) {
            String name = yaml.text(at + "/name", "");
            if (parameters.stream().anyMatch(known -> known.name().equals(name))) {
                yaml.refuse(at + "/name", "a second parameter " + name, "each name once");
            } else if (yaml.isSound()) {
                add(yaml, at, name, parameters);
            }
        }
        yaml.throwIfAny();
        return parameters;
    }

    private static void add(YamlConfig yaml, String at, String name, List<Parameter> into) {
        Unit unit = Unit.valueOf(yaml.text(at + "/unit", "").toUpperCase(Locale.ROOT));
        Double min = value(yaml, at + "/min", unit);
        Double max = value(yaml, at + "/max", unit);
        if (min == null || max == null) {
            return;
        }
        String range = unit.format(min) + " to " + unit.format(max);
        if (min > max) {
            yaml.refuse(at, "a range from " + range, "min at most max");
            return;
        }
        try {
            into.add(
                    Parameter.number(
                            name,
                            unit,
                            word(yaml, at + "/default"),
                            word(yaml, at + "/min"),
                            word(yaml, at + "/max"),
                            yaml.text(at + "/meaning", "not described")));
        } catch (IllegalArgumentException e) {
            yaml.refuse(at + "/default", YamlConfig.quote(word(yaml, at + "/default")), range);
        }
    }

    private static @Nullable Double value(YamlConfig yaml, String at, Unit unit) {
        Double value = unit.parse(word(yaml, at));
        if (value == null) {
            yaml.refuse(at, YamlConfig.quote(word(yaml, at)), yaml.allowedAt(at));
        }
        return value;
    }

    /** A number or a text, as written in the file. */
    private static String word(YamlConfig yaml, String at) {
        return String.valueOf(yaml.scalar(at));
    }

    /** The file with its parameters at their first defaults. */
    static String withDefaults(String text, List<Parameter> parameters) {
        return with(
                text,
                parameters,
                new Values(
                        parameters,
                        parameters.stream().map(p -> p.defaults().getFirst()).toList()));
    }

    /** The file with its parameters at these values. */
    static String with(String text, List<Parameter> parameters, Values values) {
        return replaced(
                text,
                name -> {
                    for (Parameter parameter : parameters) {
                        if (parameter.name().equals(name)) {
                            return inYaml(parameter, values);
                        }
                    }
                    // Left as it is, so that the reader shows it at its place.
                    return "$" + name;
                });
    }

    /** The same mistakes, with the parameter that each unknown one is like. */
    static ConfigException withNearest(ConfigException mistakes, List<Parameter> parameters) {
        if (mistakes.problems().isEmpty()) {
            return mistakes;
        }
        List<String> known = parameters.stream().map(Parameter::name).toList();
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
        boolean bare = parameter.unit() == Unit.COUNT || parameter.unit() == Unit.NUMBER;
        double number = values.number(parameter.name());
        return bare ? Unit.NUMBER.format(number) : values.text(parameter.name());
    }

    private static String replaced(String text, UnaryOperator<String> valueOf) {
        return USE.matcher(text)
                .replaceAll(use -> Matcher.quoteReplacement(valueOf.apply(use.group(1))));
    }
}
