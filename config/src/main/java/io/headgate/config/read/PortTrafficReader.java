package io.headgate.config.read;

import io.headgate.config.ConfigException;
import io.headgate.config.PortTraffic;
import io.headgate.config.key.Known;
import io.headgate.config.yaml.ConfigSchema;
import io.headgate.config.yaml.YamlConfig;

/**
 * Reads the settings that all ports of a network have in common, as a text of their own or as a
 * part of a file.
 */
public final class PortTrafficReader {
    /** Another file's schema may hold it as {@code "$ref": "headgate-ports.schema.json"}. */
    public static final ConfigSchema SCHEMA =
            Schemas.of(
                    PortTraffic.End.class,
                    "ports",
                    "Headgate ports of a network",
                    "Settings of priorities and flow control for all ports of a network, of"
                            + " switches and of hosts, with the keys of a switch's port.",
                    "a mapping, such as {flow-control: pfc, classify: {trust: dscp}, buffers:"
                            + " {xoff: 800kB, xon: 770kB}}");

    private PortTrafficReader() {}

    /**
     * Reads a text, such as <code>{flow-control: pfc, buffers: {xoff: 800kB, xon: 770kB}}</code>.
     *
     * @throws ConfigException with everything that the schema does not allow
     */
    public static PortTraffic read(String yaml) {
        YamlConfig read = YamlConfig.read(yaml, "ports", SCHEMA);
        read.throwIfAny();
        return new PortTraffic.Keys().read(read.place(""), Known.NOTHING);
    }
}
