package io.headgate.control;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.DeviceConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.WorkerConfig;
import java.util.Arrays;
import java.util.List;

/** Configurations for tests. */
public final class TestConfigs {
    private TestConfigs() {}

    /** A bridge whose ports are in-memory wires of their names, far ends free. */
    public static SwitchConfig memory(String name, String... ports) {
        List<PortConfig> wires =
                Arrays.stream(ports)
                        .map(port -> ConfigDefaults.port(port, new DeviceConfig.Memory(port)))
                        .toList();
        return ConfigDefaults.bridge(name, wires).withSeed(7);
    }

    /** The same configuration with this number of workers. */
    public static SwitchConfig withWorkers(SwitchConfig config, int workers) {
        return config.withWorkers(
                config.workers().withLayout(WorkerConfig.Layout.COUNT).withCount(workers));
    }
}
