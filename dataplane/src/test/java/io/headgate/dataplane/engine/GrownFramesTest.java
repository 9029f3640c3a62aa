package io.headgate.dataplane.engine;

import static io.headgate.dataplane.engine.Packets.ARP;
import static io.headgate.dataplane.engine.Packets.BROADCAST;
import static io.headgate.dataplane.engine.Packets.ICMP;
import static io.headgate.dataplane.engine.Packets.IPV4;
import static io.headgate.dataplane.engine.Packets.UDP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.dataplane.forwarding.SwitchAddresses;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.queue.PriorityQueues;
import io.headgate.dataplane.queue.QueuesSetup;
import io.headgate.dataplane.queue.WireFormat;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Ports whose mechanisms add to frames take, count and send on what is longer than their MTU. */
final class GrownFramesTest {
    private static final long HOST = 0x0200_0000_0000L;

    private static SwitchConfig config(String keys, String... addresses) {
        StringBuilder text = new StringBuilder("{name: test, ");
        if (addresses.length > 0) {
            text.append("mode: routed, ");
        }
        text.append("defaults: {").append(keys).append("}, ports: [");
        for (int port = 0; port < 2; port++) {
            text.append("{name: p").append(port);
            if (addresses.length > 0) {
                text.append(", addresses: ").append(addresses[port]);
            }
            text.append(", device: {afpacket: v").append(port).append("}},");
        }
        return SwitchConfigReader.read(text.append("]}").toString(), "grown.yaml");
    }

    @Test
    void sharesFollowTheWeightsAlsoWithFramesThatGrew() {
        PortConfig port =
                config(
                                "mtu: 1000, scheduler: [1, 4, 1, 1, 1, 1, 1, 1], congestion: {grower: {bytes: 500}}")
                        .ports()
                        .getFirst();
        PriorityQueues queues =
                (PriorityQueues)
                        PortBehaviour.configured(port, ConfigDefaults.MEMORY, WireFormat.ETHERNET)
                                .queues()
                                .get();
        FrameRegion region = new FrameRegion(32, 512);
        for (int slot = 0; slot < 32; slot++) {
            Frame frame = region.frame(slot);
            frame.lengthBytes = 1522;
            frame.priority = slot % 2;
            queues.enqueue(frame);
        }
        int[] sent = new int[2];
        for (int frames = 0; frames < 10_000; frames++) {
            Frame frame = queues.dequeue();
            assertThat(frame).isNotNull();
            sent[frame.priority]++;
            queues.enqueue(frame);
        }
        assertThat(sent[1] / (double) sent[0]).isCloseTo(4, within(0.01));
        assertThat(QueuesSetup.of(port, ConfigDefaults.MEMORY, WireFormat.ETHERNET).mtuBytes())
                .isEqualTo(1500);
    }

    /** Frames of several segments in queues of a port that cuts them. */
    @Test
    void sharesFollowTheWeightsAlsoWithWholeSegments() {
        SwitchConfig config =
                SwitchConfigReader.read(
                        """
                        name: s1
                        defaults: {scheduler: [1, 4, 1, 1, 1, 1, 1, 1]}
                        ports:
                          - {name: p1, device: {afpacket: {interface: v1, gso: pass}}}
                          - {name: p2, device: {tap: t2}}
                        """,
                        "whole.yaml");
        PriorityQueues queues =
                (PriorityQueues)
                        PortBehaviour.configured(
                                        config.ports().get(1), config.memory(), WireFormat.ETHERNET)
                                .queues()
                                .get();
        FrameRegion region = new FrameRegion(32, 512);
        for (int slot = 0; slot < 32; slot++) {
            Frame frame = region.frame(slot);
            frame.priority = slot % 2;
            frame.lengthBytes = slot % 2 == 0 ? 120_000 : 1_500;
            queues.enqueue(frame);
        }
        long[] sentBytes = new long[2];
        for (int frames = 0; frames < 300_000; frames++) {
            Frame frame = queues.dequeue();
            assertThat(frame).isNotNull();
            sentBytes[frame.priority] += WireFormat.ETHERNET.wireBytes(frame.lengthBytes);
            queues.enqueue(frame);
        }
        assertThat(sentBytes[1] / (double) sentBytes[0]).isCloseTo(4, within(0.05));
    }

    @Test
    void howMuchFramesMayGrowIsFixedAtTheStart() {
        TestSwitch s = new TestSwitch(config("congestion: {grower: {bytes: 40}}"));
        for (int bytes : new int[] {41, 39}) {
            assertThatThrownBy(() -> s.set("p1.congestion.grower.bytes=" + bytes))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "port p1: its congestion points would make frames up to %d bytes longer"
                                    + " than its MTU, but slots, headroom and its device were set"
                                    + " up for 40 at the start of the switch: restart it with the"
                                    + " new configuration",
                            bytes);
        }
        s.set("p1.congestion.grower.enabled=false");
    }

    private static void inject(TestSwitch s, int port, byte[] frame) {
        assertThat(s.hosts.get(port).inject(frame)).isTrue();
        s.run(100_000);
    }

    private static void introduce(TestSwitch s, int port, String router) {
        byte[] ask = Packets.arp(1, HOST + port, "10.0." + port + ".2", 0, router);
        inject(s, port, Packets.ethernet(BROADCAST, HOST + port, ARP, ask));
        s.received();
    }

    private static byte[] packet(int ipBytes) {
        byte[] udp = Packets.udp(5, 7, new byte[ipBytes - 28]);
        return Packets.ipv4("10.0.0.2", "10.0.1.2", 9, UDP, 0, udp);
    }

    @Test
    void aRouterSendsOnWhatGrewAndSaysTheMtuWithoutThat() {
        TestSwitch s =
                new TestSwitch(config("congestion: {grower: {}}", "10.0.0.1/24", "10.0.1.1/24"));
        introduce(s, 0, "10.0.0.1");
        introduce(s, 1, "10.0.1.1");
        long router = SwitchAddresses.mac("test", 0);
        inject(s, 0, Packets.ethernet(router, HOST, IPV4, packet(1600)));
        assertThat(s.collect(1)).hasSize(1614);
        s =
                new TestSwitch(
                        TestSwitch.withMtu(
                                config("congestion: {grower: {}}", "10.0.0.1/24", "10.0.1.1/24"),
                                1,
                                1400));
        introduce(s, 0, "10.0.0.1");
        introduce(s, 1, "10.0.1.1");
        byte[] big = packet(1501);
        inject(s, 0, Packets.ethernet(router, HOST, IPV4, big));
        byte[] icmp = Packets.icmp(3, 4, 1400, Arrays.copyOf(big, 548));
        byte[] error = Packets.ipv4("10.0.0.1", "10.0.0.2", 64, ICMP, icmp);
        assertThat(s.collect(0)).isEqualTo(Packets.ethernet(HOST, router, IPV4, error));
    }

    /** What is for the switch itself has grown, too. */
    @Test
    void theSwitchAnswersAPingThatGrew() {
        TestSwitch s =
                new TestSwitch(
                        TestSwitch.withAddress(
                                config("congestion: {grower: {}}"), "10.0.0.254/24"));
        introduce(s, 0, "10.0.0.254");
        byte[] echo = Packets.icmp(8, 0, 1, new byte[1572]);
        byte[] ip = Packets.ipv4("10.0.0.2", "10.0.0.254", 64, ICMP, echo);
        inject(s, 0, Packets.ethernet(SwitchAddresses.mac("test", -1), HOST, IPV4, ip));
        assertThat(s.collect(0)).hasSize(1614);
    }
}
