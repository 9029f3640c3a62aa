package io.headgate.dataplane.device.linux;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.DeviceConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.counter.DropCounters;
import io.headgate.dataplane.engine.TestSwitch;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.runner.DeviceFactory;
import io.headgate.dataplane.runner.RealTimeSwitch;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A host at a veth and one at a TAP, and the switch between them, whose ports have faults. */
@Tag("netns")
class FaultsOnRealFramesTest {
    private static final long MS = 1_000_000;
    private static final int PINGS = 200;
    private static final int ATTEMPTS = 3;
    private static final String LOST = DropCounters.LABEL_PREFIX + DropReason.FAULT_INJECTED;
    private static final Pattern REPLY = Pattern.compile("icmp_seq=(\\d+) .*time=([0-9.]+) ms");
    private static final Pattern RECEIVED = Pattern.compile("(\\d+) received");

    private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();

    private static DeviceConfig.Faults faults(
            DeviceConfig.OneWay receive, DeviceConfig.@Nullable OneWay transmit) {
        return new DeviceConfig.Faults(receive, 0, 0, 500, 3, transmit);
    }

    private static DeviceConfig afPacket(String netns) {
        return new DeviceConfig.AfPacket("p0", netns, 256);
    }

    private static DeviceConfig afXdp(String netns, DeviceConfig.XdpTransmit transmit) {
        return new DeviceConfig.AfXdp("p0", netns, 0, DeviceConfig.XdpMode.GENERIC, transmit, 256);
    }

    private static SwitchConfig config(
            DeviceConfig left, String right, DeviceConfig.Faults faults) {
        SwitchConfig bridge = TestSwitch.bridge(2);
        List<PortConfig> ports = new ArrayList<>();
        for (PortConfig port : bridge.ports()) {
            DeviceConfig device =
                    ports.isEmpty() ? left : new DeviceConfig.Tap("eth0", right, true);
            ports.add(port.withDevice(new DeviceConfig.Faulty(device, faults)));
        }
        return bridge.withPorts(ports);
    }

    /** What ping says of numbered requests, all of whose losses the switch has counted. */
    private String ping(Function<String, DeviceConfig> device, DeviceConfig.Faults faults)
            throws Exception {
        try (TestNetwork network = new TestNetwork()) {
            String at = network.namespace("s");
            String left = network.namespace("l");
            String right = network.namespace("r");
            network.veth(left, "eth0", at, "p0", 1500);
            // AF_XDP does not see tags that are outside their frame.
            network.exec(
                    left,
                    "ethtool",
                    "-K",
                    "eth0",
                    "txvlan",
                    "off",
                    "tx-vlan-stag-hw-insert",
                    "off");
            try (RealTimeSwitch running =
                    new RealTimeSwitch(
                            config(device.apply(at), right, faults),
                            bytes -> Arena.ofAuto().allocate(bytes, 128),
                            (duty, failure) -> failures.add(duty + ": " + failure))) {
                DeviceFactory devices = new DeviceFactory(running);
                running.start();
                for (int port = 0; port < 2; port++) {
                    running.attach(port, devices.open(running.engine().config().ports().get(port)));
                }
                address(network, left, "10.9.0.1", right);
                address(network, right, "10.9.0.2", left);
                await(running, 2, "device.up");
                String said;
                long lost = 0;
                int attempts = 0;
                do {
                    said =
                            network.exec(
                                    left,
                                    "sh",
                                    "-c",
                                    "ping -n -c " + PINGS + " -i 0.005 -W 2 10.9.0.2 || true");
                    lost += last(said) - received(said);
                } while (last(said) <= PINGS / 2 && ++attempts < ATTEMPTS);
                // What follows the last answer may come after ping has ended on a busy machine.
                assertThat(last(said)).as(said).isGreaterThan(PINGS / 2);
                // Each request or its reply: none is lost twice, and nothing else loses any.
                await(running, lost, LOST, "faults.corrupted");
                if (faults.receive().repeatProbability() > 0) {
                    await(running, 1, "faults.corrupted");
                    await(running, 1, "faults.late");
                    await(running, 1, "faults.repeated");
                }
                return said;
            }
        } finally {
            assertThat(failures).isEmpty();
        }
    }

    private static void await(RealTimeSwitch running, long least, String... labels)
            throws InterruptedException {
        long untilNs = System.nanoTime() + 60_000 * MS;
        while (Stream.of(labels)
                        .mapToLong(label -> TestSwitch.total(running.engine().counters(), label))
                        .sum()
                < least) {
            assertThat(System.nanoTime())
                    .as("%s is %d or more within a minute", List.of(labels), least)
                    .isLessThan(untilNs);
            Thread.sleep(1);
        }
    }

    /** With the other's address known, since requests for it would be lost, too. */
    private static void address(TestNetwork network, String at, String address, String other) {
        network.exec(at, "ip", "address", "add", address + "/24", "dev", "eth0");
        String mac = network.exec(other, "cat", "/sys/class/net/eth0/address").strip();
        String far = address.endsWith("1") ? "10.9.0.2" : "10.9.0.1";
        network.exec(at, "ip", "neigh", "replace", far, "lladdr", mac, "dev", "eth0");
    }

    /** Number of the last request that was answered. */
    private static int last(String said) {
        return REPLY.matcher(said)
                .results()
                .mapToInt(reply -> Integer.parseInt(reply.group(1)))
                .max()
                .orElse(0);
    }

    private static int received(String said) {
        Matcher count = RECEIVED.matcher(said);
        assertThat(count.find()).as(said).isTrue();
        return Integer.parseInt(count.group(1));
    }

    @Test
    void pingTakesAtLeastAllFourDelaysAndKeepsItsOrder() throws Exception {
        DeviceConfig.OneWay late = new DeviceConfig.OneWay(0, 0, 10 * MS, 2 * MS, 0, 0, 0);
        String said = ping(FaultsOnRealFramesTest::afPacket, faults(late, late));
        Matcher replies = REPLY.matcher(said);
        List<Integer> order = new ArrayList<>();
        while (replies.find()) {
            order.add(Integer.parseInt(replies.group(1)));
            assertThat(Double.parseDouble(replies.group(2))).as(said).isGreaterThanOrEqualTo(40);
        }
        assertThat(order).as(said).isSorted().doesNotHaveDuplicates().hasSize(received(said));
        // Of delay alone nothing is lost.
        assertThat(order).hasSize(last(said));
    }

    @ParameterizedTest
    @EnumSource(names = {"COPY", "AUTO"})
    void everyFaultIsCounted(DeviceConfig.XdpTransmit transmit) throws Exception {
        DeviceConfig.OneWay lossy = new DeviceConfig.OneWay(0.1, 0.02, 0, 0, 0.1, MS, 0.1);
        String said = ping(at -> afXdp(at, transmit), faults(lossy, null));
        // A quarter of 200, give or take four times 6.
        assertThat(last(said) - received(said)).as(said).isBetween(20, 76);
    }
}
