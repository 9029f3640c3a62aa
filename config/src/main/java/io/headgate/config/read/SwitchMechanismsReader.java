package io.headgate.config.read;

import io.headgate.config.Mechanisms;
import io.headgate.config.key.Known;
import io.headgate.config.key.Section;
import io.headgate.config.yaml.ConfigSchema;
import io.headgate.config.yaml.YamlConfig;

/** Reads domain and services of all switches of a network, as a part of a file. */
public final class SwitchMechanismsReader {
    /**
     * Another file's schema may hold its keys as {@code "$ref":
     * "headgate-switches.schema.json#/properties/domain"}.
     */
    public static final ConfigSchema SCHEMA =
            Schemas.of(
                    Mechanisms.OfSwitches.class,
                    "switches",
                    "Headgate switches of a network",
                    "Domain and services of all switches of a network, in the words of a switch's file.",
                    "a mapping, such as {domain: {crossbar: {}}}");

    private SwitchMechanismsReader() {}

    /** Reads the keys of a mapping that may have others, too. */
    public static Mechanisms.OfSwitches bind(YamlConfig yaml, String at) {
        Mechanisms.OfSwitches read =
                Section.of(Mechanisms.OfSwitches.class).read(yaml.place(at), Known.NOTHING);
        return read == null ? Mechanisms.OfSwitches.NONE : read;
    }
}
