package io.headgate.testbed.scenario.report;

import io.headgate.config.ConfigException;
import io.headgate.control.report.Json;
import io.headgate.control.report.Picture;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Labels;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.TopologyReader;
import io.headgate.testbed.topology.picture.NetworkPicture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Draws the networks of a result, with the use of their links by its runs. */
final class NetworkPictures {
    /** Most pictures, which a reader can still compare; the others' loads are in the JSON. */
    private static final int MOST = 4;

    /** Larger networks get one picture only. */
    private static final int LARGE_LINKS = 100;

    private static final String NAME = "network-";

    /** Pattern of its files' names, since the result does not list them. */
    static final String FILES = NAME + "[0-9]*.svg";

    private NetworkPictures() {}

    /**
     * Draws the first run of each parameter value into a directory, up to a maximum; omits runs
     * whose loads do not match the links of their network.
     */
    static List<Picture> write(Result result, Path directory) throws IOException {
        List<Picture> pictures = new ArrayList<>();
        Set<Object> drawn = new HashSet<>();
        int most = MOST;
        for (CellResult run : result.results()) {
            Outcome outcome = run.outcome();
            if (outcome == null
                    || outcome.links().isEmpty()
                    || pictures.size() >= most
                    || !drawn.add(run.cell().values())) {
                continue;
            }
            NetworkPlan plan = plan(outcome);
            if (plan == null || plan.links().size() != outcome.links().size()) {
                continue;
            }
            most = plan.links().size() > LARGE_LINKS ? 1 : MOST;
            String svg = NetworkPicture.of(plan, outcome.links());
            String name = NAME + run.cell().index();
            Files.writeString(directory.resolve(name + ".svg"), svg);
            String label = Labels.of(result.results(), run);
            String file = ResultFiles.FIGURES + "/" + name + ".svg";
            pictures.add(
                    new Picture(
                            name,
                            svg,
                            file,
                            Picture.Kind.NETWORK,
                            label.isEmpty()
                                    ? "The network, and how its links were used."
                                    : "How links were used with " + label + "."));
        }
        return pictures;
    }

    /**
     * The plan of the network that was run, which the configuration holds in the form of a topology
     * file; JSON is YAML, too. Null if there is no topology, or if another version of Headgate
     * wrote one that this version cannot read: such a result lacks only a picture.
     */
    private static @Nullable NetworkPlan plan(Outcome outcome) {
        Object topology = outcome.configuration().get("topology");
        if (topology == null) {
            return null;
        }
        String text = Json.INDENTED.writeValueAsString(topology);
        try {
            return NetworkPlan.of(
                    TopologyReader.read(text, "the result's topology"), PlanOptions.virtual(1));
        } catch (ConfigException | IllegalArgumentException e) {
            return null;
        }
    }
}
