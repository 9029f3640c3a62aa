package io.headgate.dataplane.device.linux;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.DeviceConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.engine.TestSwitch;
import io.headgate.dataplane.forwarding.SwitchAddresses;
import io.headgate.dataplane.runner.DeviceFactory;
import io.headgate.dataplane.runner.RealTimeSwitch;
import java.io.BufferedReader;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two Linux hosts in different networks, and the routing switch between them. */
@Tag("netns")
class RoutedHostsTest {
    /**
     * Sends ARP requests for the router by ever new senders, and packets by it to unused addresses,
     * 12,000 per second in all, until its reader is gone, 120 s at most. Reports the time at which
     * a table of neighbours of the default size would be full.
     */
    private static final String FLOOD =
            """
            import select, socket, sys, time
            router = bytes.fromhex(sys.argv[1])
            me = bytes.fromhex("020000000063")
            s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
            s.bind(("eth0", 0))
            def checked(header):
                total = sum(header[i] << 8 | header[i + 1] for i in range(0, 20, 2))
                total = (total & 0xffff) + (total >> 16)
                total = (total & 0xffff) + (total >> 16)
                return header[:10] + (total ^ 0xffff).to_bytes(2, "big") + header[12:]
            start, sent = time.monotonic(), 0
            while time.monotonic() - start < 120:
                for _ in range(60):
                    host = bytes((100 + sent // 250 % 120, 1 + sent % 250))
                    arp = bytes.fromhex("0001080006040001") + me + b"\\x0a\\x00" + host
                    arp += bytes(6) + b"\\x0a\\x00\\x00\\x01"
                    ip = bytes.fromhex("4500002e0000000009110000") + b"\\x0a\\x00\\x00\\x02"
                    ip += b"\\x0a\\x01" + host
                    s.send((b"\\xff" * 6 + me + b"\\x08\\x06" + arp).ljust(60, b"\\0"))
                    s.send((router + me + b"\\x08\\x00" + checked(ip)).ljust(60, b"\\0"))
                    sent += 1
                if 6000 <= sent < 6060:
                    print("flooding", flush=True)
                if select.select([sys.stdin], [], [], 0)[0]:
                    break
                time.sleep(max(0, start + sent / 6000 - time.monotonic()))
            print("sent", 2 * sent, flush=True)
            """;

    private static SwitchConfig config(String namespace) {
        return config(
                namespace,
                List.of(
                        List.of("10.0.0.1/24", "2001:db8::1/64"),
                        List.of("10.0.1.1/24", "2001:db8:1::1/64")));
    }

    private static SwitchConfig config(String namespace, List<List<String>> addressesByPort) {
        SwitchConfig memory = TestSwitch.routed(addressesByPort, List.of(), 1);
        List<PortConfig> ports = new ArrayList<>();
        for (PortConfig port : memory.ports()) {
            ports.add(port.withDevice(new DeviceConfig.AfPacket(port.name(), namespace, 64)));
        }
        return memory.withPorts(ports);
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

    /**
     * What ping printed, whether or not anything answered. It ends with the second answer, however
     * late a busy machine has it come, or with an error.
     */
    private static String ping(TestNetwork network, String host, String... arguments) {
        String command = "ping -n -c 2 -i 0.2 -w 60 " + String.join(" ", arguments) + " || true";
        return network.exec(host, "sh", "-c", command);
    }

    /** Requires answers to the first two requests. */
    private static void requireBoth(String said) {
        assertThat(said)
                .containsPattern("bytes from .*icmp_seq=1 ")
                .containsPattern("bytes from .*icmp_seq=2 ");
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
                    String said = ping(network, left, target);
                    requireBoth(said);
                    assertThat(said).contains("ttl=63");
                }
                for (String target : List.of("10.0.0.2", "2001:db8::2")) {
                    String said = ping(network, right, target);
                    requireBoth(said);
                    assertThat(said).contains("ttl=63");
                }
                for (String target : List.of("10.0.0.1", "10.0.1.1", "2001:db8:1::1")) {
                    String said = ping(network, left, target);
                    requireBoth(said);
                    assertThat(said).contains("ttl=64");
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

    /** RFC 6583: what h0 does must be nothing to h1 and h2. */
    @Test
    void floodByOneHostLeavesTheOthersTheirResolution() throws Exception {
        ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
        try (TestNetwork network = new TestNetwork()) {
            String namespace = network.namespace("s");
            List<List<String>> routed = new ArrayList<>();
            List<String> hosts = new ArrayList<>();
            for (int port = 0; port < 3; port++) {
                String host = network.namespace("h" + port);
                network.veth(host, "eth0", namespace, "p" + port, 1500);
                String network16 = "10." + port + ".0.";
                network.exec(host, "ip", "address", "add", network16 + "2/16", "dev", "eth0");
                network.exec(host, "ip", "route", "add", "default", "via", network16 + "1");
                routed.add(List.of(network16 + "1/16"));
                hosts.add(host);
            }
            try (RealTimeSwitch running =
                    new RealTimeSwitch(
                            config(namespace, routed),
                            bytes -> Arena.ofAuto().allocate(bytes, 128),
                            (duty, failure) -> failures.add(duty + ": " + failure))) {
                DeviceFactory devices = new DeviceFactory(running.engine().region());
                running.start();
                for (int port = 0; port < 3; port++) {
                    running.attach(port, devices.open(running.engine().config().ports().get(port)));
                }
                requireBoth(ping(network, hosts.get(2), "10.1.0.2"));
                String router = String.format("%012x", SwitchAddresses.mac("test", 0));
                Process flood =
                        network.start(hosts.get(0), TestNetwork.PYTHON, "-c", FLOOD, router);
                try (BufferedReader said = flood.inputReader(UTF_8)) {
                    assertThat(said.readLine()).isEqualTo("flooding");
                    requireBoth(ping(network, hosts.get(2), "10.1.0.2"));
                    for (int fresh = 71; fresh < 75; fresh++) {
                        String address = "10.1.0." + fresh;
                        network.exec(
                                hosts.get(1),
                                "ip",
                                "address",
                                "add",
                                address + "/16",
                                "dev",
                                "eth0");
                        requireBoth(ping(network, hosts.get(2), address));
                    }
                    flood.getOutputStream().close();
                    assertThat(said.readLine()).startsWith("sent ");
                } finally {
                    flood.destroy();
                }
                CounterDirectory counters = running.engine().counters();
                assertThat(TestSwitch.value(counters, "test", "neighbour.refused")).isPositive();
            }
        }
        assertThat(failures).isEmpty();
    }
}
