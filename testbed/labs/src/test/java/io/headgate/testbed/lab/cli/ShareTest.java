package io.headgate.testbed.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.read.HostConfigReader;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.config.yaml.ConfigSchema;
import io.headgate.testbed.lab.own.OwnLabReader;
import io.headgate.testbed.scenario.file.ScenarioReader;
import io.headgate.testbed.topology.TopologyReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShareTest {
    private static final Map<String, ConfigSchema> SCHEMAS =
            Map.of(
                    "switch", SwitchConfigReader.SCHEMA,
                    "host", HostConfigReader.SCHEMA,
                    "topology", TopologyReader.SCHEMA,
                    "scenario", ScenarioReader.SCHEMA,
                    "lab", OwnLabReader.SCHEMA);

    @TempDir private Path directory;

    @Test
    void shellsAndEditorsGetAllSchemasTheCompletionAndPages() throws Exception {
        for (String part : new String[] {"schema", "completion", "man/man1"}) {
            Files.createDirectories(directory.resolve(part));
        }
        assertThat(new Share(directory).write()).isZero();
        assertThat(directory.resolve("schema").toFile().list()).hasSameSizeAs(SCHEMAS.keySet());
        SCHEMAS.forEach((kind, schema) ->
                assertThat(directory.resolve("schema/headgate-" + kind + ".schema.json"))
                        .content()
                        .isEqualTo(schema.text() + "\n"));
        assertThat(directory.resolve("completion/headgate"))
                .content()
                .contains("complete -F _complete_headgate", "capture", "reproduce", "lab");
        assertThat(directory.resolve("man/man1/headgate-schema.1"))
                .content()
                .contains("Prints the JSON schema of a kind of files");
    }
}
