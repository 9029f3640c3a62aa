package io.headgate.testbed.scenario.file;

import io.headgate.config.ConfigException;
import io.headgate.config.yaml.YamlConfig;
import io.headgate.config.yaml.YamlInsert;
import io.headgate.control.report.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Adds the files of flows and of sizes that a scenario names to its text, under {@value #KEY}, so
 * that a result, a sweep's task on another machine and a later reader all have them.
 */
final class NamedFiles {
    /** The top-level key that has their texts by their names. */
    static final String KEY = "files";

    private static final long MAX_BYTES = 3 << 20;
    private static final int MOST_OF_PART = 4000;

    private NamedFiles() {}

    /**
     * Adds the texts of the files that a scenario names to its text, unless it already has them.
     *
     * @param directory directory to which names are relative
     * @throws ConfigException if an existing file cannot be used
     */
    static String in(String text, String name, Path directory) {
        FileParameters parameters;
        YamlConfig yaml;
        try {
            parameters = FileParameters.read(text, name);
            yaml =
                    YamlConfig.expanded(
                            parameters.withDefaults(),
                            name,
                            ScenarioReader.SCHEMA,
                            Arithmetic::said);
        } catch (ConfigException e) {
            return text; // the reader says what is wrong, at its place
        }
        Set<String> named = new LinkedHashSet<>();
        ScenarioFile said = ScenarioFile.of(yaml, name);
        if (!yaml.isSound()) {
            return text; // as above: with all other mistakes
        }
        for (TrafficEntry one : said.traffic()) {
            if (one.flows() != null) {
                named.add(one.flows());
            }
            if (one.arrivals() != null && one.arrivals().cdf() instanceof String cdf) {
                named.add(cdf);
            }
        }
        if (named.isEmpty()) {
            return text;
        }
        // A parameter may say which file: the others of its words are wanted, too.
        parameters.parameters().stream()
                .filter(one -> one.words().stream().anyMatch(named::contains))
                .forEach(one -> named.addAll(one.words()));
        Map<String, Object> texts = new LinkedHashMap<>();
        for (String file : named) {
            if (!said.files().containsKey(file)) {
                String found = read(file, directory, yaml);
                if (found != null) {
                    texts.put(file, parts(found));
                }
            }
        }
        yaml.throwIfAny();
        return texts.isEmpty()
                ? text
                : YamlInsert.into(text, KEY, texts, Json.COMPACT::writeValueAsString);
    }

    private static @Nullable String read(String file, Path directory, YamlConfig yaml) {
        try {
            Path path = directory.resolve(file);
            if (!Files.isRegularFile(path)) {
                return null; // the reader refuses it at its place
            }
            if (Files.size(path) > MAX_BYTES) {
                yaml.refuse(
                        "/traffic",
                        "the file " + YamlConfig.quote(file) + " of " + Files.size(path) + " bytes",
                        "at most " + MAX_BYTES + " bytes");
                return null;
            }
            return Files.readString(path);
        } catch (IOException | InvalidPathException e) {
            yaml.refuse(
                    "/traffic",
                    "the file " + YamlConfig.quote(file) + ", which cannot be read as UTF-8",
                    "a text of lines with commas");
            return null;
        }
    }

    /** A text in parts that YAML's reader takes. */
    private static Object parts(String text) {
        if (text.length() <= MOST_OF_PART) {
            return text;
        }
        List<String> parts = new ArrayList<>();
        int from = 0;
        while (from < text.length()) {
            int to = Math.min(text.length(), from + MOST_OF_PART);
            to -= to < text.length() && Character.isHighSurrogate(text.charAt(to - 1)) ? 1 : 0;
            parts.add(text.substring(from, to));
            from = to;
        }
        return parts;
    }

    /** The text of a file, stored whole or in parts; empty if there is no text under its name. */
    static String text(ScenarioFile said, String file) {
        Object found = said.files().get(file);
        Stream<?> parts =
                found instanceof List<?> several ? several.stream() : Stream.ofNullable(found);
        return parts.filter(String.class::isInstance)
                .map(String.class::cast)
                .collect(Collectors.joining());
    }
}
