package io.headgate.testbed.datacenter;

import io.headgate.config.BridgeConfig;
import io.headgate.config.ConfigDefaults;
import io.headgate.config.DeviceConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.TrafficConfig;
import java.util.ArrayList;
import java.util.List;

/** Configurations of the switch under test: the defaults, except for what a test needs. */
final class BedConfig {
    private static final long STATION = 0x0268_6800_0000L;
    private static final int VLAN = 1;

    private BedConfig() {}

    /** Address of the station behind a port, to which no host's kernel answers. */
    static long station(int port) {
        return STATION + port;
    }

    static String portName(int port) {
        return "p" + port;
    }

    /**
     * A switch whose ports have a rate; it knows the stations behind them.
     *
     * @param netns where its ports' interfaces are
     */
    static SwitchConfig of(String netns, long rateBps, TrafficConfig.Trust trust, long seed) {
        List<PortConfig> ports = new ArrayList<>();
        List<BridgeConfig.StaticEntry> stations = new ArrayList<>();
        for (int port = 1; port <= SwitchBed.PORTS; port++) {
            ports.add(port(netns, port, rateBps, trust));
            stations.add(new BridgeConfig.StaticEntry(station(port), VLAN, portName(port)));
        }
        return ConfigDefaults.bridge("datacenter", ports)
                .withBridge(ConfigDefaults.BRIDGE.withStaticEntries(stations))
                .withSeed(seed);
    }

    private static PortConfig port(
            String netns, int number, long rateBps, TrafficConfig.Trust trust) {
        PortConfig port =
                ConfigDefaults.port(
                        portName(number),
                        new DeviceConfig.AfPacket(
                                portName(number), netns, ConfigDefaults.AF_PACKET_RING_FRAMES));
        TrafficConfig traffic = port.traffic();
        return port.withRateBps(rateBps)
                .withTraffic(traffic.withClassify(traffic.classify().withTrust(trust)));
    }
}
