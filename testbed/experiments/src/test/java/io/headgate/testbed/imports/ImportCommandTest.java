package io.headgate.testbed.imports;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.imports.cli.ImportCommand;
import io.headgate.testbed.scenario.cli.ReproduceCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code headgate import}: the examples, one of each format, written, read back and run. */
class ImportCommandTest {
    @TempDir private Path directory;

    private String failure = "";

    private String run(Object command, String... words) {
        StringWriter out = new StringWriter();
        CommandLine line = new CommandLine(command);
        line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(out, true));
        line.setExecutionExceptionHandler((thrown, _, _) -> {
            failure = String.valueOf(thrown.getMessage());
            return 2;
        });
        failure = "";
        int code = line.execute(words);
        assertThat(code).as(out + failure).isEqualTo(failure.isEmpty() ? 0 : 2);
        return out.toString();
    }

    @Test
    void theExamplesBecomeScenariosThatRun() throws Exception {
        String out =
                run(
                        new ImportCommand(),
                        "examples/import/fabric.topo",
                        "examples/import/triggers.cm",
                        "--out",
                        directory.toString());
        assertThat(out)
                .contains("Written: " + directory.resolve("triggers.yaml"))
                .contains("Note: examples/import/fabric.topo: switches have no delay here")
                .contains("Run it: headgate reproduce " + directory.resolve("triggers.yaml"));
        assertThat(Files.readString(directory.resolve("triggers.yaml")))
                .startsWith(
                        "# Made by 'headgate import'.\n# - examples/import/fabric.topo: switches");
        run(
                new ImportCommand(),
                "examples/import/hpcc-topology.txt",
                "examples/import/hpcc-flows.txt",
                "--out",
                directory.toString());
        assertThat(directory.resolve("hpcc-flows-p3.csv")).exists();
        run(new ImportCommand(), "examples/import/allgather.goal", "--out", directory.toString());
        String json =
                run(
                        new ImportCommand(),
                        "examples/import/fabric.topo",
                        "--json",
                        "--out",
                        directory.toString());
        assertThat(json).contains("fabric.yaml\"").contains("\"notes\":[\"examples/import/fabric");
        String result = directory.resolve("result").toString();
        run(
                new ReproduceCommand(),
                directory.resolve("allgather.yaml").toString(),
                "--out",
                result);
        assertThat(Files.readString(directory.resolve("result/measures.csv")))
                .contains(",flows finished,flows,flows,8\n");
    }

    @Test
    void whatIsWrongIsASentence() throws Exception {
        Path broken = directory.resolve("b.cm");
        Files.writeString(broken, "Nodes 2\nConnections 1\n0->1 start 0 size ten\n");
        run(new ImportCommand(), broken.toString(), "--out", directory.toString());
        assertThat(failure)
                .isEqualTo(
                        broken
                                + ":3: size \"ten\"; allowed: a whole number from 0 to 1000000000000");
        run(new ImportCommand(), broken.toString(), "--as", "ns3");
        assertThat(failure).startsWith("the unknown format ns3; allowed: hpcc-topology, ");
        run(new ImportCommand(), directory.resolve("none").toString());
        assertThat(failure).startsWith("no file ");
        Files.write(broken, new byte[] {(byte) 0xff, 0, 1});
        run(new ImportCommand(), broken.toString());
        assertThat(failure).contains("is not text in UTF-8");
        assertThat(directory.resolve("b.yaml")).doesNotExist();
    }
}
