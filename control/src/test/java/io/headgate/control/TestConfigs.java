package io.headgate.control;

import io.headgate.config.DeviceConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.SwitchConfigReader;
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
        return new SwitchConfig(
                config.name(),
                config.mode(),
                config.address(),
                replaced,
                config.bridge(),
                config.routed(),
                config.memory(),
                config.workers(),
                config.seed());
    }
}
