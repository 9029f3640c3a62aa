package io.headgate.control.daemon;

import io.headgate.control.pauses.PauseTrace;
import io.headgate.control.pauses.PauseView;
import io.headgate.control.report.Json;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Asks the switches that run here for their pauses, through their control sockets. Asks each switch
 * once, since a second answer could contradict the first.
 */
public final class PausedNetwork implements PauseTrace.Network {
    private final List<Path> bases;
    private final Map<String, PauseView> views = new HashMap<>();

    /**
     * @param bases directories of the running switches' directories, see {@link RunDirectory#bases}
     */
    public PausedNetwork(List<Path> bases) {
        this.bases = List.copyOf(bases);
    }

    @Override
    public @Nullable PauseView view(String name) {
        PauseView known = views.get(name);
        if (known != null) {
            return known;
        }
        try {
            PauseView view =
                    Json.COMPACT.treeToValue(
                            SwitchClient.choose(bases, name).ask("pauses", Map.of()),
                            PauseView.class);
            views.put(name, view);
            return view;
        } catch (DaemonException e) {
            return null;
        }
    }
}
