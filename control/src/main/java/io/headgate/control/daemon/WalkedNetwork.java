package io.headgate.control.daemon;

import io.headgate.control.link.LinkRow;
import io.headgate.control.link.PathWalk;
import io.headgate.control.report.Json;
import io.headgate.control.run.RunningSwitch.FdbEntry;
import io.headgate.control.run.RunningSwitch.Neighbour;
import io.headgate.control.run.RunningSwitch.Route;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Asks the switches that run here where they would send frames, over one connection each. */
public final class WalkedNetwork implements PathWalk.Network {
    private final Map<String, SwitchClient.Running> running = new LinkedHashMap<>();

    /**
     * @param bases directories of the running switches' directories, see {@link RunDirectory#bases}
     */
    public WalkedNetwork(List<Path> bases) {
        for (SwitchClient.Running one : SwitchClient.running(bases)) {
            if (one.mayAsk()) {
                running.put(one.name(), one);
            }
        }
    }

    @Override
    public List<String> names() {
        return List.copyOf(running.keySet());
    }

    @Override
    public PathWalk.@Nullable Node node(String name) {
        SwitchClient.Running one = running.get(name);
        if (one == null) {
            return null;
        }
        try (SwitchClient client = one.connect()) {
            Map<String, String> peers = new LinkedHashMap<>();
            client.ask("peers", Map.of())
                    .properties()
                    .forEach(peer -> peers.put(peer.getKey(), peer.getValue().asString()));
            List<LinkRow> links = Json.list(client.ask("links", Map.of()), LinkRow[].class);
            JsonNode routes = routes(client);
            return routes == null
                    ? new PathWalk.Node(
                            peers,
                            links,
                            null,
                            List.of(),
                            Json.list(client.ask("fdb", Map.of()), FdbEntry[].class))
                    : new PathWalk.Node(
                            peers,
                            links,
                            Json.list(routes, Route[].class),
                            Json.list(client.ask("neighbours", Map.of()), Neighbour[].class),
                            List.of());
        } catch (DaemonException e) {
            return null; // it ended meanwhile
        }
    }

    /** A switch's routes; null for a bridge, which refuses the request. */
    private static @Nullable JsonNode routes(SwitchClient client) {
        try {
            return client.ask("routes", Map.of());
        } catch (DaemonException e) {
            return null;
        }
    }
}
