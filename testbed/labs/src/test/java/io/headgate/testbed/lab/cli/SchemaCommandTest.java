package io.headgate.testbed.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class SchemaCommandTest {
    @ParameterizedTest
    @ValueSource(strings = {"switch", "host", "topology", "scenario", "lab"})
    void aSchemaIsWholeInOneFile(String kind) {
        StringWriter out = new StringWriter();
        CommandLine command = new CommandLine(new SchemaCommand());
        command.setOut(new PrintWriter(out, true));
        assertThat(command.execute(kind)).isZero();
        JsonNode schema = JsonMapper.shared().readTree(out.toString());
        assertThat(schema.path("$id").asString()).isEqualTo("urn:headgate:schema:" + kind);
        assertThat(schema.findValuesAsString("$ref"))
                .allSatisfy(place ->
                        assertThat(schema.at(place.substring(1)).isObject()).as(place).isTrue());
    }

    @Test
    void aKindThatThereIsNotGetsASentence() {
        String[] told = {""};
        new CommandLine(new SchemaCommand())
                .setExecutionExceptionHandler((failure, _, _) -> {
                    told[0] = String.valueOf(failure.getMessage());
                    return 2;
                })
                .execute("plot");
        assertThat(told[0])
                .isEqualTo(
                        "there is no kind of file 'plot'; allowed: switch, host, topology,"
                                + " scenario or lab");
    }
}
