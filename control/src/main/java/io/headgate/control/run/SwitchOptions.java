package io.headgate.control.run;

import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Options for running a switch that are not part of its configuration.
 *
 * @param warmUp whether the engine is warmed up before devices are opened
 * @param supervise whether devices that vanish are opened again when they return
 * @param counterFile file in which the counters are mapped for other processes; null: in memory
 *     only
 * @param log takes lines for a person, without their ends; called by several threads
 */
public record SwitchOptions(
        boolean warmUp, boolean supervise, @Nullable Path counterFile, Consumer<String> log) {

    /** Warm-up, supervision, counters in memory, lines discarded. */
    public static final SwitchOptions DEFAULT = new SwitchOptions(true, true, null, line -> {});

    public SwitchOptions withLog(Consumer<String> newLog) {
        return new SwitchOptions(warmUp, supervise, counterFile, newLog);
    }

    public SwitchOptions withCounterFile(Path file) {
        return new SwitchOptions(warmUp, supervise, file, log);
    }

    public SwitchOptions cold() {
        return new SwitchOptions(false, supervise, counterFile, log);
    }
}
