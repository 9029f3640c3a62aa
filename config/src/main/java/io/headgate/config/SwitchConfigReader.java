package io.headgate.config;

import java.nio.file.Path;

/**
 * Reads a switch configuration from YAML 1.2 (or JSON, which is YAML). Whatever is wrong is told in
 * one {@link ConfigException}, all of it at once; nothing else is thrown.
 */
public final class SwitchConfigReader {
    static final ConfigSchema SCHEMA =
            ConfigSchema.load(SwitchConfigReader.class, "headgate-switch.schema.json");

    private SwitchConfigReader() {}

    /**
     * Reads a file. Relative paths in it start where the file is.
     *
     * @throws ConfigException with everything that is wrong
     */
    public static SwitchConfig read(Path file) {
        return bind(YamlConfig.read(file, SCHEMA));
    }

    /**
     * Reads a text. Relative paths in it stay as they are.
     *
     * @param name what to call the text in messages, such as its file's name
     * @throws ConfigException with everything that is wrong
     */
    public static SwitchConfig read(String text, String name) {
        return bind(YamlConfig.read(text, name, SCHEMA));
    }

    private static SwitchConfig bind(YamlConfig yaml) {
        SwitchBinder binder = new SwitchBinder(yaml);
        SwitchConfig config = binder.bind();
        new SwitchChecks(yaml, config, binder).run();
        yaml.throwIfAny();
        return config;
    }
}
