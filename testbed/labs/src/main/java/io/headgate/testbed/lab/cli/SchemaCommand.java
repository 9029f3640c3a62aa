package io.headgate.testbed.lab.cli;

import io.headgate.config.key.Text;
import io.headgate.config.read.HostConfigReader;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.config.yaml.ConfigSchema;
import io.headgate.control.cli.CommandFailure;
import io.headgate.control.cli.HeadgateCommand;
import io.headgate.testbed.lab.own.OwnLabReader;
import io.headgate.testbed.scenario.file.ScenarioReader;
import io.headgate.testbed.topology.TopologyReader;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code headgate schema KIND}: prints the schema of a kind of file, for editors. */
@Command(
        name = "schema",
        description = {
            "Prints the JSON schema of a kind of files; editors use it to complete and check them.",
            "Example: headgate schema topology >topology.schema.json"
        })
public final class SchemaCommand extends HeadgateCommand implements Callable<Integer> {
    static final List<String> KINDS = List.of("switch", "host", "topology", "scenario", "lab");

    @Parameters(paramLabel = "KIND", description = "switch, host, topology, scenario or lab.")
    private String kind;

    @Override
    public Integer call() throws CommandFailure {
        ConfigSchema schema = schema();
        if (schema == null) {
            throw CommandFailure.badInput(
                    "there is no kind of file '%s'; allowed: %s"
                            .formatted(Text.shorten(kind), Text.either(KINDS)));
        }
        print(schema.text() + "\n");
        return 0;
    }

    private @Nullable ConfigSchema schema() {
        return switch (kind) {
            case "switch" -> SwitchConfigReader.SCHEMA;
            case "host" -> HostConfigReader.SCHEMA;
            case "topology" -> TopologyReader.SCHEMA;
            case "scenario" -> ScenarioReader.SCHEMA;
            case "lab" -> OwnLabReader.SCHEMA;
            default -> null;
        };
    }
}
