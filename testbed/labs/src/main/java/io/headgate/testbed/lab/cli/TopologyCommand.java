package io.headgate.testbed.lab.cli;

import io.headgate.config.Reason;
import io.headgate.config.read.FileKind;
import io.headgate.control.cli.CommandFailure;
import io.headgate.control.cli.HeadgateCommand;
import io.headgate.control.report.Json;
import io.headgate.testbed.lab.own.OwnLabReader;
import io.headgate.testbed.scenario.file.ScenarioReader;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.topology.TopologyReader;
import io.headgate.testbed.topology.TopologyWriter;
import io.headgate.testbed.topology.picture.NetworkPicture;
import io.headgate.testbed.topology.picture.NetworkText;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code headgate topology FILE}: prints a network as text, and draws it. */
@Command(
        name = "topology",
        description = {
            "Shows the network of a file: nodes, ports, rates and addresses; with --svg also a"
                    + " picture.",
            "Example: headgate topology testbed/examples/topologies/incast.yaml --svg incast.svg"
        })
public final class TopologyCommand extends HeadgateCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "FILE",
            description = "A topology file, or a scenario or lab file with a topology.")
    private Path file;

    @Option(
            names = "--svg",
            paramLabel = "OUT",
            description =
                    "Also writes a picture to this file; -: only the picture, on standard output.")
    private @Nullable String svg;

    @Option(
            names = "--json",
            description =
                    "For programs: the topology with every node and link, in the form of a file.")
    private boolean json;

    @Override
    public Integer call() throws CommandFailure {
        NetworkPlan plan;
        try {
            plan = NetworkPlan.of(topology(), PlanOptions.virtual(1));
        } catch (IllegalArgumentException e) {
            throw CommandFailure.badInput(file + ": " + e.getMessage());
        }
        PrintWriter out = out();
        String to = svg;
        if (json) {
            if (to != null) {
                throw CommandFailure.badInput("--json and --svg cannot be combined");
            }
            print(Json.COMPACT.writeValueAsString(TopologyWriter.toMap(plan.topology())) + "\n");
            return 0;
        }
        if (to == null) {
            out.print(NetworkText.of(plan));
        } else if (to.equals("-")) {
            out.print(NetworkPicture.of(plan));
        } else {
            try {
                Files.writeString(Path.of(to), NetworkPicture.of(plan));
                out.print(NetworkText.of(plan));
                out.println();
                out.println("Drawn in " + to + " (SVG); a browser shows it.");
            } catch (IOException e) {
                throw new CommandFailure("cannot write " + to + ": " + Reason.of(e));
            }
        }
        out.flush();
        return 0;
    }

    private Topology topology() throws CommandFailure {
        FileKind kind = FileKind.of(file);
        if (kind == FileKind.LAB) {
            return OwnLabReader.read(file).topology();
        }
        if (kind != FileKind.SCENARIO) {
            return read(file, FileKind.TOPOLOGY, () -> TopologyReader.read(file));
        }
        try {
            String text = Files.readString(file);
            Path directory = file.toAbsolutePath().getParent();
            return ScenarioReader.topology(
                    directory == null
                            ? text
                            : ScenarioReader.withNamedFiles(text, file.toString(), directory),
                    file.toString());
        } catch (IOException e) {
            throw new CommandFailure("cannot read " + file + ": " + Reason.of(e));
        }
    }
}
