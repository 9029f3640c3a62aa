package io.headgate.control;

import io.headgate.config.DeviceConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.SwitchConfigReader;
import io.headgate.config.WorkerConfig;
import java.util.ArrayList;
import java.util.List;

/** Configurations for tests. */
public final class TestConfigs {
    private TestConfigs() {}

    /** A bridge whose ports stand on in-memory wires of their names, far ends free. */
    public static SwitchConfig memory(String name, String... ports) {
        StringBuilder yaml = new StringBuilder("{name: " + name + ", seed: 7, ports: [");
        for (String port : ports) {
            yaml.append("{name: " + port + ", device: {afpacket: " + port + "}}, ");
        }
        SwitchConfig config = SwitchConfigReader.read(yaml + "]}", "test");
        List<PortConfig> replaced = new ArrayList<>();
        for (PortConfig port : config.ports()) {
            replaced.add(
                    new PortConfig(
                            port.name(),
                            new DeviceConfig.Memory(port.name()),
                            port.rateBps(),
                            port.mtuBytes(),
                            port.vlan(),
                            port.queueLimitBytes(),
                            port.accountCapBytes(),
                            port.accountCapSlots(),
                            port.addresses()));
        }
        return with(config, replaced, config.workers());
    }

    /** The same with so many workers. */
    public static SwitchConfig withWorkers(SwitchConfig config, int workers) {
        WorkerConfig how =
                new WorkerConfig(
                        WorkerConfig.Layout.COUNT,
                        workers,
                        config.workers().idle(),
                        config.workers().cores(),
                        config.workers().stallThresholdNs());
        return with(config, config.ports(), how);
    }

    private static SwitchConfig with(
            SwitchConfig config, List<PortConfig> ports, WorkerConfig workers) {
        return new SwitchConfig(
                config.name(),
                config.mode(),
                config.address(),
                ports,
                config.bridge(),
                config.routed(),
                config.memory(),
                workers,
                config.seed());
    }
}
