package io.headgate.config.yaml;

import dev.harrel.jsonschema.ValidatorFactory;
import io.headgate.config.read.HostConfigReader;
import io.headgate.config.read.PortTrafficReader;
import io.headgate.config.read.SwitchConfigReader;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The schemas that come of records. */
final class ConfigSchemaTest {
    @Test
    void schemasOfFilesAreValidDraft202012Schemas() {
        for (ConfigSchema schema :
                List.of(
                        SwitchConfigReader.SCHEMA,
                        HostConfigReader.SCHEMA,
                        PortTrafficReader.SCHEMA)) {
            new ValidatorFactory()
                    .withJsonNodeFactory(new YamlJson.Factory())
                    .createValidator()
                    .registerSchema(URI.create("urn:test"), schema.text());
        }
    }
}
