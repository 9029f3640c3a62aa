package io.headgate.config.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.ConfigException;
import io.headgate.config.DeviceConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class SwitchConfigReaderTest {
    private static final String P1 = "ports: [{name: p1, device: {tap: t1}}]\n";

    @TempDir Path directory;

    @Test
    void smallestFileGetsEveryDefault() {
        SwitchConfig config =
                read(
                        """
                        name: s1
                        ports:
                          - {name: p1, device: {afpacket: veth1}}
                          - {name: p2, device: {afxdp: veth2}}
                        """);

        assertThat(config)
                .isEqualTo(
                        ConfigDefaults.bridge(
                                "s1",
                                List.of(
                                        ConfigDefaults.port(
                                                "p1",
                                                new DeviceConfig.AfPacket("veth1", null, 2048)),
                                        ConfigDefaults.port(
                                                "p2",
                                                new DeviceConfig.AfXdp(
                                                        "veth2",
                                                        null,
                                                        0,
                                                        DeviceConfig.XdpMode.AUTO,
                                                        DeviceConfig.XdpTransmit.AUTO,
                                                        1024)))));
        assertThat(config.ports().get(0).accountCapSlots()).isEqualTo(504);
        assertThat(config.ports().get(1).accountCapSlots()).isEqualTo(384);
    }

    @Test
    void portsOwnValueWinsOverDefaults() {
        SwitchConfig config =
                read(
                        """
                        name: s1
                        defaults: {rate: 10Gbps, mtu: 9000, vlan: {trunk: [10, 20-22], native: 5}}
                        memory: {slot: 16KiB}
                        ports:
                          - {name: p1, device: {tap: t1}}
                          - {name: p2, device: {tap: t2}, rate: 2.5Gbps, mtu: 1500, vlan: 7}
                        """);

        assertThat(config.ports().get(0).rateBps()).isEqualTo(10_000_000_000L);
        assertThat(config.ports().get(0).mtuBytes()).isEqualTo(9000);
        assertThat(config.ports().get(0).vlan())
                .isEqualTo(
                        new PortConfig.VlanConfig(
                                PortConfig.VlanConfig.Mode.TRUNK, 5, List.of(10, 20, 21, 22)));
        assertThat(config.ports().get(1).rateBps()).isEqualTo(2_500_000_000L);
        assertThat(config.ports().get(1).vlan().nativeVlan()).isEqualTo(7);
    }

    @Test
    void slotsGrowWithTheCapsThatAreGiven() {
        SwitchConfig config = read("name: s1\ndefaults: {account-cap-slots: 1000}\n" + P1);

        assertThat(config.memory().slotsPerPort()).isEqualTo(8192);
    }

    @Test
    void endpointsMayNameTheirUdpPort() {
        SwitchConfig config =
                read(
                        """
                        name: s1
                        ports:
                          - name: p1
                            device:
                              vxlan: {local: "[2001:db8::1]:4790", remote: "2001:db8::2", vni: 7}
                          - name: p2
                            device:
                              vxlan: {local: 192.0.2.1, remote: 192.0.2.2, vni: 7, netns: u1}
                        """);

        DeviceConfig.Vxlan vxlan = (DeviceConfig.Vxlan) config.ports().get(0).device();
        assertThat(vxlan.local()).isEqualTo(new InetSocketAddress("2001:db8::1", 4790));
        assertThat(vxlan.remote()).isEqualTo(new InetSocketAddress("2001:db8::2", 4789));
        assertThat(vxlan.netns()).isNull();
        DeviceConfig.Vxlan inside = (DeviceConfig.Vxlan) config.ports().get(1).device();
        assertThat(inside.netns()).isEqualTo("u1");
    }

    @Test
    void relativePathsStartAtTheFile() throws IOException {
        Path file = directory.resolve("s1.yaml");
        Files.writeString(
                file, "name: s1\nports: [{name: p1, device: {pcap-file: {input: a/in.pcap}}}]\n");

        SwitchConfig config = SwitchConfigReader.read(file);

        assertThat(config.ports().get(0).device())
                .isEqualTo(
                        new DeviceConfig.PcapFile(
                                directory.toAbsolutePath().resolve("a/in.pcap"),
                                null,
                                DeviceConfig.PcapFile.Timing.RECORDED));
    }

    @Test
    void allProblemsAreToldInTheOrderOfTheFile() {
        ConfigException e =
                refuse(
                        """
                        name: s1
                        ports:
                          - {name: p1, device: {tap: t1}, rate: 10 furlongs}
                          - {name: p1, device: {tap: t1}, mtu: 20}
                          - {nam: p3, device: {tip: t3}}
                        memory: {slot: 3KiB}
                        """);

        assertThat(e.getMessage().lines())
                .containsExactly(
                        "s1.yaml:3:41: ports[0].rate: found \"10 furlongs\"; allowed: a rate such"
                                + " as 10Gbps, 100Mbps, from 1Mbps to 400Gbps",
                        "s1.yaml:4:12: ports[1].name: found \"p1\", the name of ports[0] too;"
                                + " allowed: a name that no other port has, such as p2",
                        "s1.yaml:4:24: ports[1].device: found interface t1, which ports[0] has"
                                + " too; allowed: a device of its own for each port",
                        "s1.yaml:4:40: ports[1].mtu: found 20; allowed: a whole number of bytes"
                                + " from 576 to 9000, such as 1500",
                        "s1.yaml:5:5: ports[2].name: found nothing; allowed: 1 to 15 letters,"
                                + " digits, ., - or _, such as p1",
                        "s1.yaml:5:6: ports[2].nam: found the unknown key \"nam\"; allowed: name?"
                                + " (one of name, device, rate, mtu, vlan, queue-limit, account-cap,"
                                + " account-cap-slots, classify, lossless, scheduler, priority-rates,"
                                + " flow-control, link, buffers, pause, credits, watchdog,"
                                + " congestion, detour, link-control, queues, threshold, addresses)",
                        "s1.yaml:5:24: ports[2].device.tip: found the unknown kind of device"
                                + " \"tip\"; allowed: tap? (one of afpacket, afxdp, memory, pcap,"
                                + " pcap-file, tap, virtual, vxlan, faults; those of a jar"
                                + " need --plugins DIR)",
                        "s1.yaml:6:16: memory.slot: found \"3KiB\"; allowed: 2KiB, 4KiB,"
                                + " 16KiB or 68KiB; also 512B or 1KiB with payload: elided");
    }

    /** A file, and what its one problem must say: line, path, found, allowed. */
    record Case(String text, int line, String path, String found, String allowed) {}

    private static Case at(int line, String path, String found, String allowed, String text) {
        return new Case(text, line, path, found, allowed);
    }

    private static Case port(String path, String found, String allowed, String settings) {
        return at(
                2,
                "ports[0]" + path,
                found,
                allowed,
                "name: s1\nports: [{name: p1, " + settings + "}]\n");
    }

    private static Case tap(String path, String found, String allowed, String settings) {
        return port(path, found, allowed, "device: {tap: t1}, " + settings);
    }

    private static Case top(String path, String found, String allowed, String settings) {
        return at(3, path, found, allowed, "name: s1\n" + P1 + settings + "\n");
    }

    private static Case routed(String path, String found, String allowed, String routed) {
        return at(
                5,
                path,
                found,
                allowed,
                """
                name: s1
                mode: routed
                ports: [{name: p1, device: {tap: t1}, addresses: [10.0.1.1/24, "2001:db8::1/64"]}
                  , {name: p2, device: {tap: t2}, addresses: 10.0.2.1/24}]
                """
                        + routed
                        + "\n");
    }

    static Stream<Case> shapes() {
        return Stream.of(
                at(1, "name", "\"a b\"", "such as s1", "name: a b\n" + P1),
                at(1, "name", "nothing", "such as s1", "name:\n" + P1),
                at(1, "name", "12 (text only in quotes)", "such as s1", "name: 12\n" + P1),
                at(1, "name", "nothing", "such as s1", P1),
                at(1, "ports", "nothing", "a list of 1 to 128 ports", "name: s1\n"),
                at(2, "ports", "an empty list", "a list of 1 to 128", "name: s1\nports: []\n"),
                at(2, "ports", "a mapping", "a list of 1 to 128", "name: s1\nports: {p1: 1}\n"),
                at(2, "ports[0]", "\"p1\"", "such as {name: p1", "name: s1\nports: [p1]\n"),
                top("mode", "\"hub\"", "bridge or routed", "mode: hub"),
                top("seed", "\"x\"", "64 bits", "seed: x"),
                top("seed", "1.5", "64 bits", "seed: 1.5"),
                top("seed", "9223372036854775808", "64 bits", "seed: 9223372036854775808"),
                top("address", "\"10.0.0.1\"", "10.0.0.1/24", "address: 10.0.0.1"),
                top("address", "\"10.0.0.999/24\"", "10.0.0.1/24", "address: 10.0.0.999/24"),
                top("address", "\"10.0.0.1/33\"", "10.0.0.1/24", "address: 10.0.0.1/33"),
                top("address", "10.0.0.0/24, which", "10.0.1.1/24", "address: 10.0.0.0/24"),
                top("address", "10.0.0.255/24, which", "machine", "address: 10.0.0.255/24"),
                top("address", "ff02::1/64, which", "machine", "address: \"ff02::1/64\""),
                top(
                        "address",
                        "\"::ffff:10.0.0.1/24\"",
                        "IPv4 or IPv6",
                        "address: \"::ffff:10.0.0.1/24\""),
                top("colour", "the unknown key \"colour\"", "name, mode,", "colour: red"),
                top("bridg", "the unknown key \"bridg\"", "bridge? (one of", "bridg: {}"),
                top("bridge", "a list of 1", "a mapping, such as {ageing: 300s}", "bridge: [1]"),
                top(
                        "defaults.name",
                        "the unknown key \"name\"",
                        "rate, mtu",
                        "defaults: {name: x}"),
                top("defaults.mtu", "10", "576 to 9000", "defaults: {mtu: 10}"));
    }

    static Stream<Case> units() {
        return Stream.of(
                tap(".rate", "1000 without a unit", "10Gbps", "rate: 1000"),
                tap(".rate", "\"999kbps\"", "from 1Mbps to 400Gbps", "rate: 999kbps"),
                tap(".rate", "\"401Gbps\"", "from 1Mbps to 400Gbps", "rate: 401Gbps"),
                tap(".rate", "\"-1Gbps\"", "from 1Mbps to 400Gbps", "rate: -1Gbps"),
                tap(".rate", "\"10GB\"", "from 1Mbps to 400Gbps", "rate: 10GB"),
                tap(".rate", "\"1000000.5bps\"", "from 1Mbps", "rate: 1000000.5bps"),
                tap(
                        ".rate",
                        "\"9999999999999999999999999999999999999999…\"",
                        "Mbps",
                        "rate: " + "9".repeat(400) + "Gbps"),
                tap(".mtu", "\"1500B\"", "a whole number of bytes", "mtu: 1500B"),
                tap(".queue-limit", "800000 without a unit", "800kB", "queue-limit: 800000"),
                tap(".queue-limit", "1kB", "at least one frame", "queue-limit: 1kB"),
                tap(".account-cap", "1kB", "at least one frame", "account-cap: 1kB"),
                tap(".account-cap-slots", "0", "from 1 to", "account-cap-slots: 0"),
                top("bridge.ageing", "300 without a unit", "300s", "bridge: {ageing: 300}"),
                top("bridge.ageing", "\"5ms\"", "from 1s", "bridge: {ageing: 5ms}"),
                top("bridge.fdb-entries", "8", "from 16", "bridge: {fdb-entries: 8}"),
                top("bridge.flood-limit", "10 without", "10k/s", "bridge: {flood-limit: 10}"),
                top("bridge.move-limit", "\"2M/s\"", "to 1M/s", "bridge: {move-limit: 2M/s}"),
                routed("routed.neighbour-timeout", "5", "60s", "routed: {neighbour-timeout: 5}"),
                top("memory.slot", "2048 without a unit", "2KiB", "memory: {slot: 2048}"),
                top("memory.slots-per-port", "100", "128", "memory: {slots-per-port: 100}"),
                top("memory.reuse", "\"random\"", "lifo or fifo", "memory: {reuse: random}"),
                top("workers.layout", "\"many\"", "auto, single", "workers: {layout: many}"),
                top("workers.layout", "0", "from 1 to 128", "workers: {layout: 0}"),
                top("workers.idle", "\"park\"", "busy-spin", "workers: {idle: park}"),
                top("workers.cores", "a list of 2", "different", "workers: {cores: [1, 1]}"),
                top("workers.cores[1]", "-1", "0 to 4095", "workers: {cores: [0, -1]}"),
                top(
                        "workers.cores",
                        "2 cores with layout: single",
                        "as there are workers to pin, which is 1",
                        "workers: {layout: single, cores: [0, 1]}"),
                top(
                        "workers.cores",
                        "3 cores with layout: 2",
                        "which is 2",
                        "workers: {layout: 2, cores: [0, 1, 2]}"),
                top(
                        "workers.stall-threshold",
                        "\"1ns\"",
                        "1us",
                        "workers: {stall-threshold: 1ns}"));
    }

    static Stream<Case> devices() {
        String pair = "name: s1\nports: [{name: p1, device: {memory: m}},\n";
        return Stream.of(
                port(".device", "nothing", "{afpacket: veth1}", "mtu: 1500"),
                port(".device", "\"veth1\"", "{afpacket: veth1}", "device: veth1"),
                port(".device", "an empty mapping", "one of afpacket", "device: {}"),
                port(".device", "\"tap and pcap\"", "one of afpacket", "device: {tap: a, pcap: b}"),
                port(
                        ".device.tap",
                        "\"sixteen-letters1\"",
                        "1 to 15",
                        "device: {tap: sixteen-letters1}"),
                port(".device.tap", "\"a/b\"", "1 to 15", "device: {tap: a/b}"),
                port(".device.tap", "\"..\"", "1 to 15", "device: {tap: ..}"),
                port(".device.tap", "nothing", "1 to 15", "device: {tap: }"),
                port(".device.tap.interface", "nothing", "veth1", "device: {tap: {create: true}}"),
                port(
                        ".device.tap.interface",
                        "\"a b\"",
                        "veth1",
                        "device: {tap: {interface: a b}}"),
                port(
                        ".device.tap.netns",
                        "\"a/b\"",
                        "ip netns",
                        "device: {tap: {interface: a, netns: a/b}}"),
                port(
                        ".device.tap.create",
                        "\"yes\"",
                        "true or false",
                        "device: {tap: {interface: a, create: yes}}"),
                port(
                        ".device.afxdp.queue",
                        "-1",
                        "0 to 1023",
                        "device: {afxdp: {interface: a, queue: -1}}"),
                port(
                        ".device.afxdp.mode",
                        "\"drv\"",
                        "native",
                        "device: {afxdp: {interface: a, mode: drv}}"),
                port(
                        ".device.afpacket.ring",
                        "1000",
                        "power of two",
                        "device: {afpacket: {interface: a, ring: 1000}}"),
                port(
                        ".device.afpacket.queue",
                        "the unknown key",
                        "ring",
                        "device: {afpacket: {interface: a, queue: 0}}"),
                port(".device.pcap-file", "an empty mapping", "input", "device: {pcap-file: {}}"),
                port(
                        ".device.pcap-file",
                        "neither input nor output",
                        "input",
                        "device: {pcap-file: {timing: fast}}"),
                port(
                        ".device.pcap-file.output",
                        "the input file",
                        "another",
                        "device: {pcap-file: {input: a, output: a}}"),
                port(
                        ".device.pcap-file.input",
                        "\"a\\u0000\"",
                        "a path",
                        "device: {pcap-file: {input: \"a\\0\"}}"),
                port(
                        ".device.vxlan.vni",
                        "nothing",
                        "16777215",
                        "device: {vxlan: {local: 192.0.2.1, remote: 192.0.2.2}}"),
                port(
                        ".device.vxlan.vni",
                        "0",
                        "16777215",
                        "device: {vxlan: {local: 192.0.2.1, remote: 192.0.2.2, vni: 0}}"),
                port(
                        ".device.vxlan.vni",
                        "16777216",
                        "16777215",
                        "device: {vxlan: {local: 192.0.2.1, remote: 192.0.2.2, vni: 16777216}}"),
                port(
                        ".device.vxlan.local",
                        "\"host.example\"",
                        "192.0.2.1",
                        "device: {vxlan: {local: host.example, remote: 192.0.2.2, vni: 1}}"),
                port(
                        ".device.vxlan.local",
                        "\"192.0.2.1:99999\"",
                        "UDP port",
                        "device: {vxlan: {local: 192.0.2.1:99999, remote: 192.0.2.2, vni: 1}}"),
                port(
                        ".device.vxlan.local",
                        "fe80::1, a link-local address",
                        "fd00::1",
                        "device: {vxlan: {local: \"fe80::1\", remote: \"fd00::2\", vni: 1}}"),
                port(
                        ".device.vxlan.remote",
                        "fe80::2, a link-local address",
                        "fd00::1",
                        "device: {vxlan: {local: \"fd00::1\", remote: \"fe80::2\", vni: 1}}"),
                port(
                        ".device.vxlan.remote",
                        "239.1.1.1",
                        "one peer",
                        "device: {vxlan: {local: 192.0.2.1, remote: 239.1.1.1, vni: 1}}"),
                port(
                        ".device.vxlan.remote",
                        "2001:db8::1",
                        "family",
                        "device: {vxlan: {local: 192.0.2.1, remote: \"2001:db8::1\", vni: 1}}"),
                port(
                        ".device.vxlan.remote",
                        "the local",
                        "another machine",
                        "device: {vxlan: {local: 192.0.2.1, remote: 192.0.2.1, vni: 1}}"),
                port(".device.memory", "pair \"m\" with 1 end", "two ports", "device: {memory: m}"),
                at(
                        3,
                        "ports[1].device",
                        "VXLAN 7 from 192.0.2.1 to 192.0.2.2:4790 in namespace n, which"
                                + " ports[0] has too",
                        "of its own",
                        """
                        name: s1
                        ports: [{name: p1, device: {vxlan: {local: 192.0.2.1, remote: "192.0.2.2:4790", vni: 7, netns: n}}},
                        {name: p2, device: {vxlan: {local: 192.0.2.1, remote: "192.0.2.2:4790", vni: 7, netns: n}}}]
                        """),
                at(
                        3,
                        "ports[1].device",
                        "interface a in namespace n, which ports[0]",
                        "of its own",
                        """
                        name: s1
                        ports: [{name: p1, device: {tap: {interface: a, netns: n}}},
                        {name: p2, device: {pcap: {interface: a, netns: n}}}]
                        """),
                at(
                        3,
                        "ports[1].name",
                        "\"p1\", the name of ports[0]",
                        "no other port",
                        pair + "{name: p1, device: {memory: m}}]\n"),
                port(
                        ".mtu",
                        "1800 with slots of 2KiB",
                        "at most 1706, or memory: {slot: 4KiB}",
                        "device: {tap: t1}, mtu: 1800"),
                port(
                        ".mtu",
                        "9000 with slots of 2KiB",
                        "{slot: 16KiB}",
                        "device: {tap: t1}, mtu: 9000"),
                port(".mtu", "3900 with afxdp", "at most 3754", "device: {afxdp: t1}, mtu: 3900"),
                at(
                        3,
                        "memory.slot",
                        "16KiB with afxdp on port p1",
                        "at most 4KiB",
                        """
                        name: s1
                        ports: [{name: p1, device: {afxdp: x}}]
                        memory: {slot: 16KiB}
                        """));
    }

    static Stream<Case> forwarding() {
        return Stream.of(
                tap(".vlan", "0", "1 to 4094", "vlan: 0"),
                tap(".vlan", "4095", "1 to 4094", "vlan: 4095"),
                tap(".vlan.trunk", "\"some\"", "all, or a list", "vlan: {trunk: some}"),
                tap(".vlan.trunk", "nothing", "all, or a list", "vlan: {native: 1}"),
                tap(".vlan.trunk[0]", "4095", "20-29", "vlan: {trunk: [4095]}"),
                tap(".vlan.trunk[0]", "\"29-20\"", "20-29", "vlan: {trunk: [29-20]}"),
                tap(".vlan.trunk[1]", "VLAN 10 a second", "once", "vlan: {trunk: [10, 9-11]}"),
                tap(".vlan.native", "\"any\"", "or none", "vlan: {trunk: all, native: any}"),
                tap(
                        ".addresses",
                        "addresses in bridge mode",
                        "mode: routed",
                        "addresses: 10.0.0.1/24"),
                at(
                        2,
                        "ports[0].addresses",
                        "nothing in routed mode",
                        "10.0.1.1/24",
                        "name: s1\n" + P1 + "mode: routed\n"),
                at(
                        2,
                        "ports[0].vlan",
                        "a VLAN in routed mode",
                        "mode: bridge",
                        "name: s1\n"
                                + "ports: [{name: p1, device: {tap: t}, vlan: 2, addresses:"
                                + " 10.0.0.1/24}]\n"
                                + "mode: routed\n"),
                at(
                        3,
                        "defaults.vlan",
                        "a VLAN in routed mode",
                        "mode: bridge",
                        """
                        name: s1
                        ports: [{name: p1, device: {tap: t}, addresses: 10.0.0.1/24}]
                        defaults: {vlan: 2}
                        mode: routed
                        """),
                at(
                        3,
                        "ports[1].addresses",
                        "10.0.1.1/32, whose network has no address for another machine",
                        "/24, or /31 between two routers",
                        """
                        name: s1
                        ports: [{name: p1, device: {tap: a}, addresses: [10.0.0.1/24, 10.9.0.1/32]},
                        {name: p2, device: {tap: b}, addresses: 10.0.1.1/32}]
                        mode: routed
                        """),
                at(
                        2,
                        "ports[0].addresses[1]",
                        "2001:db8::1/128, whose network has no address for another machine",
                        "/64, or /127 between two routers",
                        """
                        name: s1
                        ports: [{name: p1, device: {tap: a}, addresses: [10.0.0.1/24, 2001:db8::1/128]}]
                        mode: routed
                        """),
                at(
                        2,
                        "ports[0].addresses",
                        "fe80::1/64, a link-local address",
                        "made from its MAC address",
                        """
                        name: s1
                        ports: [{name: p1, device: {tap: a}, addresses: "fe80::1/64"}]
                        mode: routed
                        """),
                at(
                        3,
                        "ports[1].addresses",
                        "10.0.0.129/25, whose network overlaps",
                        "of its own",
                        """
                        name: s1
                        ports: [{name: p1, device: {tap: a}, addresses: 10.0.0.1/24},
                        {name: p2, device: {tap: b}, addresses: 10.0.0.129/25}]
                        mode: routed
                        """),
                top(
                        "bridge.static[0].mac",
                        "\"2:0:0:0:0:1\"",
                        "six bytes",
                        "bridge: {static: [{mac: \"2:0:0:0:0:1\", port: p1}]}"),
                top(
                        "bridge.static[0].mac",
                        "01:00:5e:00:00:01",
                        "unicast",
                        "bridge: {static: [{mac: \"01:00:5E:00:00:01\", port: p1}]}"),
                top(
                        "bridge.static[0].mac",
                        "00:00:00:00:00:00",
                        "unicast",
                        "bridge: {static: [{mac: \"00:00:00:00:00:00\", port: p1}]}"),
                top(
                        "bridge.static[0].port",
                        "\"p2\"",
                        "the name of a port",
                        "bridge: {static: [{mac: \"02:00:00:00:00:01\", port: p2}]}"),
                top(
                        "bridge.static[0].vlan",
                        "VLAN 9, which port p1 does not carry",
                        "a VLAN of the port",
                        "bridge: {static: [{mac: \"02:00:00:00:00:01\", port: p1, vlan: 9}]}"),
                top(
                        "bridge.static[0].vlan",
                        "0",
                        "1 to 4094",
                        "bridge: {static: [{mac: \"02:00:00:00:00:01\", port: p1, vlan: 0}]}"),
                top(
                        "bridge.static[1]",
                        "02:00:00:00:00:01 in VLAN 1 a second time",
                        "once",
                        "bridge: {static: [{mac: \"02:00:00:00:00:01\", port: p1}, {mac:"
                                + " \"02:00:00:00:00:01\", port: p1}]}"),
                top("routed", "mode: bridge", "mode: routed", "routed: {neighbour-timeout: 5s}"),
                routed("bridge", "mode: routed", "mode: bridge", "bridge: {ageing: 10s}"),
                routed(
                        "routed.routes[0].via",
                        "nothing",
                        "an address",
                        "routed: {routes: [{prefix: 10.9.0.0/16}]}"),
                routed(
                        "routed.routes[0].via",
                        "\"p1\"",
                        "an address",
                        "routed: {routes: [{prefix: 10.9.0.0/16, via: p1}]}"),
                routed(
                        "routed.routes[0].prefix",
                        "10.9.0.1/16 with bits behind",
                        "10.9.0.0/16",
                        "routed: {routes: [{prefix: 10.9.0.1/16, via: 10.0.1.2}]}"),
                routed(
                        "routed.routes[0].via",
                        "10.0.3.2",
                        "network of one of the ports",
                        "routed: {routes: [{prefix: 10.9.0.0/16, via: 10.0.3.2}]}"),
                routed(
                        "routed.routes[0].via",
                        "10.0.1.1, an address of the switch",
                        "neighbour",
                        "routed: {routes: [{prefix: 10.9.0.0/16, via: 10.0.1.1}]}"),
                routed(
                        "routed.routes[0].via",
                        "2001:db8::2",
                        "family",
                        "routed: {routes: [{prefix: 10.9.0.0/16, via: \"2001:db8::2\"}]}"),
                routed(
                        "routed.routes[0].via[1]",
                        "10.0.1.2 a second time",
                        "once",
                        "routed: {routes: [{prefix: 10.9.0.0/16, via: [10.0.1.2, 10.0.1.2]}]}"),
                routed(
                        "routed.routes[1].prefix",
                        "10.9.0.0/16 a second time",
                        "one route",
                        "routed: {routes: [{prefix: 10.9.0.0/16, via: 10.0.1.2}, {prefix:"
                                + " 10.9.0.0/16, via: 10.0.2.2}]}"),
                routed(
                        "routed.neighbours[0].address",
                        "10.0.3.2",
                        "network of one of the ports",
                        "routed: {neighbours: [{address: 10.0.3.2, mac: \"02:00:00:00:00:01\"}]}"),
                routed(
                        "routed.neighbours[0].address",
                        "10.0.1.1, an address of the switch",
                        "neighbour",
                        "routed: {neighbours: [{address: 10.0.1.1, mac: \"02:00:00:00:00:01\"}]}"),
                routed(
                        "routed.neighbours[1].address",
                        "10.0.1.2 a second time",
                        "once",
                        "routed: {neighbours: [{address: 10.0.1.2, mac: \"02:00:00:00:00:01\"},"
                                + " {address: 10.0.1.2, mac: \"02:00:00:00:00:01\"}]}"),
                routed(
                        "routed.neighbours[0].mac",
                        "ff:ff:ff:ff:ff:ff",
                        "unicast",
                        "routed: {neighbours: [{address: 10.0.1.2, mac: \"ff:ff:ff:ff:ff:ff\"}]}"),
                routed(
                        "routed.neighbour-entries",
                        "3",
                        "16 to 65536",
                        "routed: {neighbour-entries: 3}"),
                top(
                        "memory.payload",
                        "elided with a device",
                        "virtual as the device",
                        "memory: {payload: elided}"),
                top("memory.slot", "512B with whole", "payload: elided", "memory: {slot: 512B}"),
                at(
                        4,
                        "defaults.account-cap-slots",
                        "1 account of 200 slots and a ring of 64, which is 264, with 128",
                        "at most 64 here, or memory: {slots-per-port: 264}",
                        """
                        name: s1
                        ports: [{name: p1, device: {virtual: h1-s1}}]
                        memory: {slots-per-port: 128}
                        defaults: {account-cap-slots: 200}
                        """),
                at(
                        5,
                        "memory.slots-per-port",
                        "32 ports with 1048576 slots of 2048 bytes, which is 33,554,432 slots and"
                                + " 64.0 GiB",
                        "at most 16,000,000 slots and 64 GiB in all",
                        "name: s1\nports: [\n"
                                + IntStream.rangeClosed(1, 32)
                                        .mapToObj(p ->
                                                "{name: p" + p + ", device: {tap: t" + p + "}}")
                                        .collect(Collectors.joining(", "))
                                + "\n]\nmemory: {slots-per-port: 1048576}\n"),
                at(
                        3,
                        "memory.slots-per-port",
                        "8 accounts of 1 slots and a ring of 1024, which is 1032, with 512",
                        "slots-per-port: 1032",
                        """
                        name: s1
                        ports: [{name: p1, device: {afxdp: x}}]
                        memory: {slots-per-port: 512}
                        """),
                top(
                        "defaults.account-cap-slots",
                        "8 accounts of 600",
                        "at most 504 here",
                        "defaults: {account-cap-slots: 600}\nmemory: {slots-per-port: 4096}"));
    }

    static Stream<Case> hostileFiles() {
        String laughs = "a: &a [x]\nb: [*a, *a]\n";
        return Stream.of(
                at(0, "", "nothing", "a mapping with at least name and ports", ""),
                at(0, "", "nothing", "a mapping with at least name and ports", "# only words\n"),
                at(0, "", "nothing", "a mapping with at least name and ports", "---\n...\n"),
                at(1, "", "\"hello\"", "a mapping with at least", "hello\n"),
                at(1, "", "an empty list", "a mapping with at least", "[]\n"),
                at(2, "", "broken YAML", "YAML 1.2", "name: [s1\n"),
                at(1, "", "a value nested in 32 others", "less nesting", "[".repeat(100_000)),
                at(1, "", "a value nested in 32 others", "less nesting", "{a: ".repeat(10_000)),
                at(
                        3,
                        "",
                        "a second document",
                        "one document",
                        "name: s1\n" + P1 + "---\nname: s2\n"),
                at(
                        3,
                        "",
                        "the key \"name\" a second time",
                        "line 1",
                        "name: s1\n" + P1 + "name: s2\n"),
                at(1, "", "an anchor (&)", "defaults:", laughs),
                at(
                        1,
                        "",
                        "the tag \"!!javax.script.ScriptEngineManager\"",
                        "without tags",
                        "name: !!javax.script.ScriptEngineManager s1\n" + P1),
                at(
                        1,
                        "",
                        "a value of 5000 characters",
                        "at most 4096",
                        "name: " + "x".repeat(5000) + "\n" + P1),
                at(1, "", "the character U+0007", "printable", "name: s\u0007\n" + P1),
                at(1, "", "a list of 1 as a key", "a word", "{[a]: b, name: s1}\n" + P1),
                at(0, "", "more than 4 MiB", "at most 4 MiB", "#".repeat((4 << 20) + 1)));
    }

    @ParameterizedTest
    @MethodSource({"shapes", "units", "devices", "forwarding", "hostileFiles"})
    void everyProblemHasPathLineAndWhatIsAllowed(Case expected) {
        ConfigException e = refuse(expected.text());

        assertThat(e.problems())
                .as("%s", e.getMessage())
                .anySatisfy(problem -> {
                    assertThat(problem.line()).isEqualTo(expected.line());
                    assertThat(problem.path()).isEqualTo(expected.path());
                    assertThat(problem.found()).contains(expected.found());
                    assertThat(problem.allowed()).contains(expected.allowed());
                });
    }

    @ParameterizedTest
    @MethodSource({"shapes", "units", "devices"})
    void oneMistakeIsOneProblem(Case expected) {
        assertThat(refuse(expected.text()).problems()).hasSize(1);
    }

    @Test
    void filesThatAreNoneAreRefusedInOneSentence() throws IOException {
        Path latin1 = directory.resolve("latin1.yaml");
        Files.write(latin1, "name: s1\n# \u00e9\n".getBytes(StandardCharsets.ISO_8859_1));
        Path huge = directory.resolve("huge.yaml");
        Files.write(huge, new byte[(4 << 20) + 1]);

        assertThat(refuse(directory))
                .isEqualTo(directory + ": found a directory; allowed: a YAML file");
        assertThat(refuse(directory.resolve("none.yaml"))).contains("found no such file");
        assertThat(refuse(latin1))
                .isEqualTo(
                        latin1
                                + ":2:3: found the byte 0xe9, which is not UTF-8; allowed: text in"
                                + " UTF-8");
        assertThat(refuse(huge))
                .isEqualTo(huge + ": found more than 4 MiB; allowed: at most 4 MiB");
    }

    @Test
    void foreignTextCannotMoveTheTerminal() {
        ConfigException e = refuse("name: \"\\e[2J\\u202e\"\n" + P1);

        assertThat(e.getMessage()).contains("\"\\u001b[2J\\u202e\"");
    }

    @Test
    void aThousandProblemsAreCutToAHundred() {
        ConfigException e = refuse("name: s1\nports:\n" + "  - {nam: x}\n".repeat(64));

        assertThat(e.problems()).hasSize(101);
        assertThat(e.problems().get(100).found()).isEqualTo("92 more problems");
    }

    private static SwitchConfig read(String text) {
        return SwitchConfigReader.read(text, "s1.yaml");
    }

    private static ConfigException refuse(String text) {
        ConfigException e = catchThrowableOfType(ConfigException.class, () -> read(text));
        assertThat(e)
                .as("refused: %s", text.substring(0, Math.min(200, text.length())))
                .isNotNull();
        return e;
    }

    private static String refuse(Path file) {
        ConfigException e =
                catchThrowableOfType(ConfigException.class, () -> SwitchConfigReader.read(file));
        assertThat(e).as("refused: %s", file).isNotNull();
        return String.valueOf(e.getMessage());
    }

    @Test
    void anIpv6AddressNeedsAnMtuOf1280() {
        String routed =
                "{name: s1, mode: routed, ports: [{name: p1, device: {afpacket: v1}, mtu: %d,"
                        + " addresses: [%s]}]}";
        String bridge =
                "{name: s1, address: %s, ports: [{name: p1, device: {afpacket: v1}},"
                        + " {name: p2, device: {afpacket: v2}, mtu: %d}]}";
        assertThatThrownBy(() ->
                        SwitchConfigReader.read(
                                routed.formatted(1279, "10.0.0.1/24, \"fd00::1/64\""), "t"))
                .hasMessageContaining(
                        "ports[0].mtu: found 1279 with the IPv6 address fd00::1/64; allowed: at"
                                + " least 1280");
        assertThatThrownBy(() ->
                        SwitchConfigReader.read(bridge.formatted("\"fd00::1/64\"", 1000), "t"))
                .hasMessageContaining("ports[1].mtu: found 1000 with the IPv6 address fd00::1/64");
        for (String good :
                List.of(
                        routed.formatted(1280, "\"fd00::1/64\""),
                        routed.formatted(576, "10.0.0.1/24"),
                        bridge.formatted("10.0.0.1/24", 1000))) {
            assertThat(SwitchConfigReader.read(good, "t").name()).isEqualTo("s1");
        }
    }

    @Test
    void aCardThatReadsSlotsItselfSendsNoXdpFrames() {
        assertThatThrownBy(() -> afXdp("{interface: v, mode: zero-copy, transmit: xdp}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(
                        "ports[0].device.afxdp.transmit: found xdp with mode zero-copy, in which"
                                + " the card reads the slots itself; allowed: auto or copy with"
                                + " it");
        assertThatThrownBy(() -> afXdp("{interface: v, transmit: live}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("found \"live\"; allowed: auto, xdp or copy");
        assertThat(afXdp("{interface: v}").sharesSlots()).isTrue();
        assertThat(afXdp("{interface: v, transmit: copy}").sharesSlots()).isFalse();
        assertThat(afXdp("{interface: v, mode: zero-copy}").sharesSlots()).isFalse();
    }

    private static DeviceConfig afXdp(String afxdp) throws ConfigException {
        return SwitchConfigReader.read(
                        "name: s1\nports:\n  - {name: p1, device: {afxdp: " + afxdp + "}}\n",
                        "test.yaml")
                .ports()
                .getFirst()
                .device();
    }
}
