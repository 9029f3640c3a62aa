package io.headgate.config.read;

import io.headgate.config.ConfigException;
import io.headgate.config.HostConfig;
import io.headgate.config.key.Known;
import io.headgate.config.key.Section;
import io.headgate.config.yaml.ConfigSchema;
import io.headgate.config.yaml.YamlConfig;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Reads the configuration of a host agent from YAML 1.2 (or JSON, which is YAML). One {@link
 * ConfigException} reports all problems at once; no other exception is thrown.
 */
public final class HostConfigReader {
    /** The schema of a file, with the mechanisms that are on the class path. */
    public static final ConfigSchema SCHEMA =
            Schemas.of(
                    HostConfig.class,
                    "host",
                    "Headgate host agent",
                    "One process that gives network namespaces or virtual machines lossless network"
                            + " cards: for each host a TAP interface towards its applications and a"
                            + " device towards the switch. Keys of priorities and flow control are"
                            + " the same as at a switch's port, and their values must be the same"
                            + " as at the other end of the link.",
                    "a mapping with name and hosts, such as {name: hosts, hosts: [{name: h1, tap:"
                            + " {interface: eth0, netns: h1}, device: {afpacket: wire1}}]}");

    private HostConfigReader() {}

    /**
     * Reads a file.
     *
     * @throws ConfigException with everything that is wrong
     */
    public static HostConfig read(Path file) {
        return read(YamlConfig.read(file, SCHEMA));
    }

    /**
     * Reads a text.
     *
     * @param name what to call the text in messages, such as its file's name
     * @throws ConfigException with everything that is wrong
     */
    public static HostConfig read(String text, String name) {
        return read(YamlConfig.read(text, name, SCHEMA));
    }

    private static HostConfig read(YamlConfig yaml) {
        HostConfig config =
                Objects.requireNonNull(
                        Section.of(HostConfig.class).read(yaml.place(""), Known.NOTHING),
                        "a host agent refuses nothing itself");
        yaml.throwIfAny();
        return config;
    }
}
