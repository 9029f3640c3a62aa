package io.headgate.perf.forwarding;

import java.util.List;
import java.util.Optional;

/**
 * The kernel's bridge. It forwards within the softirq that receives, so receive packet steering
 * moves that to the core on which the others forward.
 */
final class LinuxBridgeDevice implements DeviceUnderTest {
    private static final String BRIDGE = "br0";

    private final Setting setting;

    LinuxBridgeDevice(Setting setting) {
        this.setting = setting;
    }

    /** Why it cannot be measured here, if it cannot. */
    static Optional<String> whyNot() {
        return Commands.find("ip").isPresent()
                ? Optional.empty()
                : Optional.of("'ip' is not installed (Debian: apt-get install iproute2)");
    }

    @Override
    public String name() {
        return "Linux bridge";
    }

    @Override
    public String attachment() {
        return "kernel";
    }

    @Override
    public String version() {
        return "Linux " + System.getProperty("os.version");
    }

    @Override
    public List<String> commands() {
        return setUp().stream().map(command -> String.join(" ", command)).toList();
    }

    private List<List<String>> setUp() {
        String netns = setting.netns();
        String mask = Long.toHexString(1L << setting.deviceCore());
        return List.of(
                List.of("ip", "-n", netns, "link", "add", BRIDGE, "type", "bridge"),
                List.of("ip", "-n", netns, "link", "set", BenchNetwork.LEFT, "master", BRIDGE),
                List.of("ip", "-n", netns, "link", "set", BenchNetwork.RIGHT, "master", BRIDGE),
                steering(netns, BenchNetwork.LEFT, mask),
                steering(netns, BenchNetwork.RIGHT, mask),
                List.of("ip", "-n", netns, "link", "set", BRIDGE, "up"));
    }

    private static List<String> steering(String netns, String interfaceName, String mask) {
        return List.of(
                "ip",
                "netns",
                "exec",
                netns,
                "sh",
                "-c",
                "echo " + mask + " > /sys/class/net/" + interfaceName + "/queues/rx-0/rps_cpus");
    }

    @Override
    public void start() throws BenchException {
        for (List<String> command : setUp()) {
            Commands.run(command);
        }
    }

    @Override
    public void run(boolean running) {}

    @Override
    public void close() {}
}
