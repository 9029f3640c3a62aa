package io.headgate.control.daemon;

import io.headgate.control.counters.CounterFile;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.pauses.PauseView;
import io.headgate.control.telemetry.SwitchNumbers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Looks up the switches that run here: their names behind the numbers in telemetry, and the far
 * ends of their ports.
 */
public final class TelemetryNetwork {
    private final List<Path> bases;
    private final PausedNetwork asked;

    /**
     * @param bases directories of the running switches' directories, see {@link RunDirectory#bases}
     */
    public TelemetryNetwork(List<Path> bases) {
        this.bases = List.copyOf(bases);
        this.asked = new PausedNetwork(bases);
    }

    /** Counters of all switches whose counters this user may read. */
    public SwitchNumbers numbers() {
        Map<String, CounterSnapshot> switches = new HashMap<>();
        for (Path base : bases) {
            for (String name : RunDirectory.names(base)) {
                try {
                    switches.put(
                            name,
                            CounterSnapshot.of(
                                    CounterFile.open(RunDirectory.counters(base, name))));
                } catch (IOException | IllegalArgumentException e) {
                    // It is just starting, or another user's: its number stays one.
                }
            }
        }
        return new SwitchNumbers(switches);
    }

    /** The far end of each port; empty for a switch that does not answer. */
    public Map<String, String> peers(String node) {
        PauseView view = asked.view(node);
        return view == null ? Map.of() : view.peers();
    }
}
