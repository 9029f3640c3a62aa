package io.headgate.config.read;

import io.headgate.config.ConfigException;
import io.headgate.config.SwitchConfig;
import io.headgate.config.key.Known;
import io.headgate.config.key.Section;
import io.headgate.config.yaml.ConfigSchema;
import io.headgate.config.yaml.YamlConfig;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/**
 * Reads a switch configuration from YAML 1.2 (or JSON, which is YAML). One {@link ConfigException}
 * reports all problems at once; no other exception is thrown.
 */
public final class SwitchConfigReader {
    /** The schema of a file, with the mechanisms that are on the class path. */
    public static final ConfigSchema SCHEMA =
            Schemas.of(
                    SwitchConfig.class,
                    "switch",
                    "Headgate switch",
                    "One software switch: its ports, how it forwards, its memory and its threads. "
                            + Schemas.KEYWORDS,
                    "a mapping with at least name and ports, such as {name: s1, ports: [{name: p1,"
                            + " device: {afpacket: veth1}}]}",
                    // Only a host's default follows from flow control.
                    Map.of("scheduler", "strict"));

    private SwitchConfigReader() {}

    /**
     * Reads a file. Relative paths in it start where the file is.
     *
     * @throws ConfigException with everything that is wrong
     */
    public static SwitchConfig read(Path file) {
        return read(YamlConfig.read(file, SCHEMA));
    }

    /**
     * Reads a text. Relative paths in it stay as they are.
     *
     * @param name what to call the text in messages, such as its file's name
     * @throws ConfigException with everything that is wrong
     */
    public static SwitchConfig read(String text, String name) {
        return read(YamlConfig.read(text, name, SCHEMA));
    }

    static SwitchConfig read(YamlConfig yaml) {
        SwitchConfig config =
                Objects.requireNonNull(
                        Section.of(SwitchConfig.class).read(yaml.place(""), Known.NOTHING),
                        "a switch refuses nothing itself");
        new SwitchChecks(yaml, config).run();
        yaml.throwIfAny();
        return config;
    }
}
