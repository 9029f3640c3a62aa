package io.headgate.testbed.imports.cli;

import io.headgate.config.ConfigException;
import io.headgate.config.Reason;
import io.headgate.control.cli.CommandFailure;
import io.headgate.control.cli.HeadgateCommand;
import io.headgate.control.report.Json;
import io.headgate.testbed.imports.Format;
import io.headgate.testbed.imports.ImportWriter;
import io.headgate.testbed.imports.Imported;
import io.headgate.testbed.imports.SourceText;
import io.headgate.testbed.scenario.file.ScenarioReader;
import io.headgate.testbed.topology.TopologyReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code headgate import FILE...}: converts other simulators' files into Headgate's. */
@Command(
        name = "import",
        description = {
            "Writes other simulators' networks and flows as YAML and CSV: HPCC's topology and flow"
                    + " files, csg-htsim's .topo and .cm, GOAL as text. Lists everything that it"
                    + " could not convert.",
            "Example: headgate import testbed/examples/import/fabric.topo"
                    + " testbed/examples/import/triggers.cm --out imported"
        })
public final class ImportCommand extends HeadgateCommand implements Callable<Integer> {
    private static final int MOST_OF_NAME = 32;

    @Parameters(
            paramLabel = "FILE",
            arity = "1..2",
            description =
                    "A file with a network or with flows, or one of each, which become one"
                            + " scenario.")
    private List<Path> files;

    @Option(
            names = "--as",
            paramLabel = "FORMAT",
            description =
                    "The format of FILE: hpcc-topology, hpcc-flows, htsim-matrix, htsim-topology or"
                            + " goal; by default it is detected from the first lines.")
    private @Nullable String format;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = ".",
            description = "Directory of the written files. Default: ${DEFAULT-VALUE}")
    private Path out;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description =
                    "Name of the scenario and its files; by default the name of the last FILE.")
    private @Nullable String name;

    @Option(names = "--json", description = "Print files and notes as JSON.")
    private boolean json;

    @Override
    public Integer call() throws CommandFailure {
        String called = name();
        ImportWriter.Written written;
        boolean isScenario;
        try {
            Imported all = null;
            for (Path file : files) {
                SourceText text = SourceText.read(file);
                String as = format;
                Imported one = (as == null ? Format.of(text) : Format.named(as)).read(text);
                all = all == null ? one : all.with(one);
            }
            Imported found = Objects.requireNonNull(all);
            isScenario = !found.flows().isEmpty();
            written = ImportWriter.write(called, found);
            check(called, written.files(), isScenario);
        } catch (IllegalArgumentException e) {
            throw CommandFailure.badInput(Reason.of(e));
        }
        PrintWriter to = out();
        try {
            Files.createDirectories(out);
            write(written.files(), out);
        } catch (IOException e) {
            throw new CommandFailure("cannot write to " + out + ": " + Reason.of(e));
        }
        List<String> paths =
                written.files().keySet().stream()
                        .map(file -> out.resolve(file).toString())
                        .toList();
        if (json) {
            to.println(
                    Json.COMPACT.writeValueAsString(
                            Map.of("files", paths, "notes", written.notes())));
            to.flush();
            return 0;
        }
        paths.forEach(path -> to.println("Written: " + path));
        written.notes().forEach(note -> to.println("Note: " + note));
        to.println(
                "Run it: headgate "
                        + (isScenario ? "reproduce " : "topology ")
                        + out.resolve(called + ".yaml"));
        to.flush();
        return 0;
    }

    /** Reads what the files will have. */
    private static void check(String called, Map<String, String> files, boolean isScenario)
            throws CommandFailure {
        Path directory = null;
        try {
            directory = Files.createTempDirectory("headgate-import");
            write(files, directory);
            Path yaml = directory.resolve(called + ".yaml");
            if (isScenario) {
                String text = Files.readString(yaml);
                ScenarioReader.read(ScenarioReader.withNamedFiles(text, called, directory), called);
            } else {
                TopologyReader.read(yaml);
            }
        } catch (ConfigException e) {
            throw CommandFailure.badInput(
                    "the content of the files is not allowed here: " + Reason.of(e));
        } catch (IOException e) {
            throw new CommandFailure("cannot write to a temporary directory: " + Reason.of(e));
        } finally {
            remove(directory, files);
        }
    }

    private static void write(Map<String, String> files, Path directory) throws IOException {
        for (Map.Entry<String, String> file : files.entrySet()) {
            Files.writeString(directory.resolve(file.getKey()), file.getValue());
        }
    }

    private static void remove(@Nullable Path directory, Map<String, String> files) {
        if (directory == null) {
            return;
        }
        try {
            for (String file : files.keySet()) {
                Files.deleteIfExists(directory.resolve(file));
            }
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            directory.toFile().deleteOnExit();
        }
    }

    private String name() throws CommandFailure {
        String given = name;
        if (given != null) {
            if (!given.matches("[a-z0-9-]{1,32}")) {
                throw CommandFailure.badInput(
                        "the name "
                                + given
                                + "; allowed: 1 to 32 small letters, digits and hyphens");
            }
            return given;
        }
        String file = String.valueOf(files.getLast().getFileName());
        String bare = file.replaceFirst("\\.[^.]*$", "").toLowerCase(Locale.ROOT);
        String word = bare.replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
        return word.isEmpty()
                ? "imported"
                : word.substring(0, Math.min(MOST_OF_NAME, word.length()));
    }
}
