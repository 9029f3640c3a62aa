package io.headgate.dataplane.device.linux;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.DeviceConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.engine.TestSwitch;
import io.headgate.dataplane.runner.DeviceFactory;
import io.headgate.dataplane.runner.RealTimeSwitch;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two Linux hosts in different networks, and the routing switch between them. */
@Tag("netns")
class RoutedHostsTest {
    private static SwitchConfig config(String namespace) {
        SwitchConfig memory =
                TestSwitch.routed(
                        List.of(
                                List.of("10.0.0.1/24", "2001:db8::1/64"),
                                List.of("10.0.1.1/24", "2001:db8:1::1/64")),
                        List.of(),
                        1);
        List<PortConfig> ports = new ArrayList<>();
        for (PortConfig port : memory.ports()) {
            ports.add(
                    new PortConfig(
                            port.name(),
                            new DeviceConfig.AfPacket(port.name(), namespace, 64),
                            port.rateBps(),
                            port.mtuBytes(),
                            port.vlan(),
                            port.queueLimitBytes(),
                            port.accountCapBytes(),
                            port.accountCapSlots(),
                            port.addresses()));
        }
        return new SwitchConfig(
                memory.name(),
                memory.mode(),
                memory.address(),
                ports,
                memory.bridge(),
                memory.routed(),
                memory.memory(),
                memory.workers(),
                memory.seed());
    }

    private static String host(TestNetwork network, int number, String switchNamespace) {
        String name = network.namespace("h" + number);
        network.veth(name, "eth0", switchNamespace, "p" + number, 1500);
        String on = "echo 0 > /proc/sys/net/ipv6/conf/";
        network.exec(name, "sh", "-c", on + "all/disable_ipv6; " + on + "eth0/disable_ipv6");
        String ipv4 = "10.0." + number + ".";
        String ipv6 = number == 0 ? "2001:db8::" : "2001:db8:1::";
        network.exec(name, "ip", "address", "add", ipv4 + "2/24", "dev", "eth0");
        network.exec(name, "ip", "address", "add", ipv6 + "2/64", "dev", "eth0", "nodad");
        network.exec(name, "ip", "route", "add", "default", "via", ipv4 + "1");
        network.exec(name, "ip", "-6", "route", "add", "default", "via", ipv6 + "1");
        return name;
    }

    /** What ping printed, whether or not anything answered. */
    private static String ping(TestNetwork network, String host, String... arguments) {
        String command = "ping -n -c 2 -i 0.2 -W 5 " + String.join(" ", arguments) + " || true";
        return network.exec(host, "sh", "-c", command);
    }

    @Test
    void hostsReachEachOtherAndSeeTheRouterOnTheWay() throws Exception {
        ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
        try (TestNetwork network = new TestNetwork()) {
            String namespace = network.namespace("s");
            String left = host(network, 0, namespace);
            String right = host(network, 1, namespace);
            try (RealTimeSwitch running =
                    new RealTimeSwitch(
                            config(namespace),
                            bytes -> Arena.ofAuto().allocate(bytes, 128),
                            (duty, failure) -> failures.add(duty + ": " + failure))) {
                DeviceFactory devices = new DeviceFactory(running.engine().region());
                running.start();
                for (int port = 0; port < 2; port++) {
                    running.attach(port, devices.open(running.engine().config().ports().get(port)));
                }
                for (String target : List.of("10.0.1.2", "2001:db8:1::2")) {
                    assertThat(ping(network, left, target)).contains(" 0% packet loss", "ttl=63");
                }
                for (String target : List.of("10.0.0.2", "2001:db8::2")) {
                    assertThat(ping(network, right, target)).contains(" 0% packet loss", "ttl=63");
                }
                for (String target : List.of("10.0.0.1", "10.0.1.1", "2001:db8:1::1")) {
                    assertThat(ping(network, left, target)).contains(" 0% packet loss", "ttl=64");
                }
                // What traceroute does: the first hop tells who it is.
                assertThat(ping(network, left, "-t 1", "10.0.1.2"))
                        .contains("From 10.0.0.1", "Time to live exceeded");
                assertThat(ping(network, left, "-t 1", "2001:db8:1::2"))
                        .contains("From 2001:db8::1", "Time exceeded: Hop limit");
                assertThat(ping(network, left, "172.16.0.1"))
                        .contains("From 10.0.0.1", "Destination Net Unreachable");
                assertThat(network.exec(left, "ip", "neigh", "show", "10.0.0.1"))
                        .contains("lladdr 02:af:d0:71:e5:01");
                assertThat(network.exec(left, "ip", "-6", "neigh", "show", "2001:db8::1"))
                        .contains("lladdr 02:af:d0:71:e5:01 router");
            }
        }
        assertThat(failures).isEmpty();
    }
}
