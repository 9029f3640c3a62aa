package io.headgate.config.read;

import io.headgate.config.SwitchConfig;
import io.headgate.config.key.Section;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.resolver.ScalarResolver;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/**
 * Writes a configuration whole, defaults included, so that a report can carry it. {@link
 * SwitchConfigReader} reads what is written back to an equal value.
 */
public final class SwitchConfigs {
    private static final CoreSchema SCHEMA = new OneResolver();

    private SwitchConfigs() {}

    /** The configuration as block-style YAML, keys in the schema's order. */
    public static String toYaml(SwitchConfig config) {
        return toYaml(toMap(config));
    }

    /** The same of what {@link #toMap} answered. */
    public static String toYaml(Map<?, ?> config) {
        DumpSettings settings =
                DumpSettings.builder()
                        .setSchema(SCHEMA)
                        .setDefaultFlowStyle(FlowStyle.BLOCK)
                        .setDereferenceAliases(true)
                        .setSplitLines(false)
                        .build();
        return new Dump(settings).dumpToString(config);
    }

    /** The configuration as maps, lists, texts and numbers, in the shape of a file. */
    public static Map<String, Object> toMap(SwitchConfig config) {
        return Section.of(SwitchConfig.class).write(config);
    }

    /** The library's schema makes a resolver with all its patterns for each scalar, twice. */
    private static final class OneResolver extends CoreSchema {
        private final ScalarResolver resolver = super.getScalarResolver();

        @Override
        public ScalarResolver getScalarResolver() {
            return resolver;
        }
    }
}
