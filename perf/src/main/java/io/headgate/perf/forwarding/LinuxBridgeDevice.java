package io.headgate.perf.forwarding;

import io.headgate.control.cli.bench.BenchException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The kernel's bridge. It forwards within the softirq that receives, so receive packet steering
 * moves that softirq to the core on which the other devices forward.
 */
final class LinuxBridgeDevice extends DeviceUnderTest {
    private static final String BRIDGE = "br0";

    LinuxBridgeDevice(Setting setting) {
        super(setting, "Linux bridge", "kernel");
    }

    /** Why it cannot be measured here, if it cannot. */
    static Optional<String> whyNot() {
        return Commands.find("ip").isPresent()
                ? Optional.empty()
                : Optional.of("'ip' is not installed (Debian: apt-get install iproute2)");
    }

    @Override
    String version() {
        return "Linux " + System.getProperty("os.version");
    }

    @Override
    List<String> commands() {
        return setUp().stream().map(command -> String.join(" ", command)).toList();
    }

    private List<List<String>> setUp() {
        String netns = setting.netns();
        String mask = Long.toHexString(1L << setting.deviceCore());
        return List.of(
                Commands.words("ip -n %s link add %s type bridge".formatted(netns, BRIDGE)),
                Commands.words(
                        "ip -n %s link set %s master %s"
                                .formatted(netns, BenchNetwork.LEFT, BRIDGE)),
                Commands.words(
                        "ip -n %s link set %s master %s"
                                .formatted(netns, BenchNetwork.RIGHT, BRIDGE)),
                steering(netns, BenchNetwork.LEFT, mask),
                steering(netns, BenchNetwork.RIGHT, mask),
                Commands.words("ip -n %s link set %s up".formatted(netns, BRIDGE)));
    }

    private static List<String> steering(String netns, String interfaceName, String mask) {
        List<String> words =
                new ArrayList<>(Commands.words("ip netns exec %s sh -c".formatted(netns)));
        words.add("echo " + mask + " > /sys/class/net/" + interfaceName + "/queues/rx-0/rps_cpus");
        return words;
    }

    @Override
    void start() throws BenchException {
        for (List<String> command : setUp()) {
            Commands.run(command);
        }
    }
}
