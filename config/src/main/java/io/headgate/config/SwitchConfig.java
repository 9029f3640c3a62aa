package io.headgate.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that decides how one switch behaves: the resolved configuration, defaults filled in. A
 * run's report carries this value whole, so that the run can be repeated from it.
 *
 * @param name the switch's name, 1 to 32 letters, digits, {@code -} or {@code _}
 * @param mode whether frames are bridged by MAC address or routed by IP address
 * @param address the switch's own address, needed to answer ping and to be a source of
 *     notifications; {@code null} where the switch has none
 * @param ports the ports in the order of their numbers, 1 to 128
 * @param seed the root of every seeded choice (ECMP hash, generators)
 */
public record SwitchConfig(
        String name,
        Mode mode,
        @Nullable InterfaceAddress address,
        List<PortConfig> ports,
        BridgeConfig bridge,
        RoutedConfig routed,
        MemoryConfig memory,
        WorkerConfig workers,
        long seed) {

    public SwitchConfig {
        ports = List.copyOf(ports);
    }

    /** How a switch chooses the egress of a frame. */
    public enum Mode {
        BRIDGE,
        ROUTED
    }
}
