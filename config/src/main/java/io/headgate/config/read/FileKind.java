package io.headgate.config.read;

import io.headgate.config.ConfigException;
import io.headgate.config.yaml.ConfigSchema;
import io.headgate.config.yaml.YamlConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The kind of a YAML file, recognised by its keys. A file of another kind has keys that a command
 * does not know; its kind explains more than a message for each of them.
 */
public enum FileKind {
    SWITCH("a switch", "switch run -c", "runs it"),
    HOSTS("of hosts", "host run -c", "runs them"),
    SCENARIO("a scenario", "reproduce", "runs it"),
    LAB("a lab", "lab", "runs it"),
    TOPOLOGY("a topology", "topology", "shows it");

    private static final ConfigSchema ANY =
            ConfigSchema.of(
                    "any",
                    Map.of(
                            "$id",
                            "urn:headgate:schema:any-file",
                            "type",
                            "object",
                            "x-allowed",
                            "a mapping of keys, such as {name: t, builder: {single-switch:"
                                    + " {hosts: 4}}}"));

    /** Keys that labs do not have, or that few labs have without having a key of labs alone. */
    private static final List<String> OF_SCENARIOS =
            List.of(
                    "/title",
                    "/source",
                    "/claim",
                    "/parameters",
                    "/record",
                    "/expect",
                    "/beds",
                    "/scale",
                    "/plot");

    /** Keys that scenarios do not have. */
    private static final List<String> OF_LABS =
            List.of("/commands", "/capture", "/phases", "/traffic/0/protocol");

    /** Keys that both have: with no others a file may be either. */
    private static final List<String> OF_BOTH = List.of("/orders", "/reroute");

    private final String words;
    private final String command;
    private final String does;

    FileKind(String words, String command, String does) {
        this.words = words;
        this.command = command;
        this.does = does;
    }

    /**
     * The kind of a file; null if its keys do not tell.
     *
     * @throws ConfigException if it cannot be read, is not YAML, or not a mapping
     */
    public static @Nullable FileKind of(Path file) {
        return of(YamlConfig.read(file, ANY));
    }

    private static @Nullable FileKind of(YamlConfig yaml) {
        boolean isNetwork = yaml.has("/builder") || yaml.has("/switches");
        if (yaml.isList("/ports") && !isNetwork) {
            return SWITCH;
        }
        if (yaml.has("/topology")) {
            boolean isScenario =
                    OF_LABS.stream().noneMatch(yaml::has)
                            && (OF_SCENARIOS.stream().anyMatch(yaml::has)
                                    || yaml.has("/traffic/0/name"));
            return isScenario || isEither(yaml) ? SCENARIO : LAB;
        }
        if (isNetwork) {
            return TOPOLOGY;
        }
        return yaml.has("/hosts") ? HOSTS : null;
    }

    private static boolean isEither(YamlConfig yaml) {
        return OF_BOTH.stream().anyMatch(yaml::has)
                && Stream.concat(OF_SCENARIOS.stream(), OF_LABS.stream()).noneMatch(yaml::has);
    }

    /** The message about a file that is of another kind than this; null if it is not. */
    public @Nullable String refusal(Path file) {
        // A pipe is empty once it was read, or never ends.
        return Files.isRegularFile(file) ? refusal(() -> YamlConfig.read(file, ANY), file) : null;
    }

    /** The same for a text that was read from a file. */
    public @Nullable String refusal(String text, Path file) {
        return refusal(() -> YamlConfig.read(text, file.toString(), ANY), file);
    }

    private @Nullable String refusal(Supplier<YamlConfig> reader, Path file) {
        FileKind kind;
        try {
            YamlConfig yaml = reader.get();
            kind = this == LAB && isEither(yaml) ? LAB : of(yaml);
        } catch (ConfigException e) {
            return null;
        }
        return kind == null || kind == this
                ? null
                : "%s is %s; 'headgate %s %s' %s"
                        .formatted(file, kind.words, kind.command, file, kind.does);
    }
}
