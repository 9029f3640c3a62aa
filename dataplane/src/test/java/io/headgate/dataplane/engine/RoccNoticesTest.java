package io.headgate.dataplane.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.SwitchConfig;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.dataplane.congestion.FairRate;
import io.headgate.dataplane.congestion.RoccConfig;
import io.headgate.dataplane.counter.CounterDirectory.Entry;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.CounterLookup;
import io.headgate.dataplane.frame.PfcFrame;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** RoCC's fair rates on the wire: notices of a switch, to the byte, while its queue is long. */
final class RoccNoticesTest {
    private static final long HOST = 0x0200_0000_0000L;
    private static final int TOS = 26 << 2;
    private static final int QUOTE = 64;
    private static final int MESSAGE = 14 + 20;
    private static final int PERIOD_NS = 100_000;

    private static TestSwitch bridge() {
        return bridge("10.0.0.254/24", "");
    }

    private static TestSwitch bridge(String address, String keys) {
        return bridge(address, keys, "rate: 10Gbps");
    }

    private static TestSwitch bridge(String address, String keys, String ports) {
        StringBuilder text =
                new StringBuilder(
                        "{name: s1, address: \"" + address + "\", defaults: {" + ports + ", ");
        text.append("queue-limit: 1MB, account-cap: 1MB, classify: {trust: dscp}, ");
        text.append("congestion: {rocc: {priorities: [3]").append(keys).append("}}}, ports: [");
        for (int port = 0; port < 3; port++) {
            text.append("{name: p").append(port).append(", device: {afpacket: v").append(port);
            text.append("}},");
        }
        SwitchConfig config = SwitchConfigReader.read(text.append("]}").toString(), "test.yaml");
        TestSwitch s = new TestSwitch(config);
        for (int port = 0; port < 3; port++) {
            byte[] hello = Packets.ethernet(HOST + 9, HOST + port, 0x88CC, new byte[60]);
            assertThat(s.hosts.get(port).inject(hello)).isTrue();
            s.run(5_000);
        }
        s.received();
        return s;
    }

    private static byte[] datagram(int flow) {
        byte[] udp = Packets.udp(1000 + flow, 7, new byte[1400]);
        byte[] ip = Packets.ipv4("10.0.0.1", "10.0.0.2", 64, Packets.UDP, udp);
        ip[1] = (byte) TOS;
        ip[10] = 0;
        ip[11] = 0;
        byte[] header = Packets.withChecksum(Arrays.copyOf(ip, 20), 10, 0);
        System.arraycopy(header, 0, ip, 0, 20);
        return Packets.ethernet(HOST + 1, HOST, Packets.IPV4, ip);
    }

    private static long counter(TestSwitch s, String label) {
        List<Entry> entries = s.engine.counters().entries();
        return s.engine.counters().value(CounterLookup.find(entries, Scope.EGRESS, "p1", label));
    }

    @Test
    void eachSourceIsToldTheRateAndTheNoticeQuotesItsFrame() {
        TestSwitch s = bridge();
        // 150 frames of two flows: at 10 Gb/s they take 180 us, longer than a period.
        for (int i = 0; i < 150; i++) {
            assertThat(s.hosts.get(0).inject(datagram(i % 2))).isTrue();
        }
        while (counter(s, "rocc.notices.p3") == 0) {
            s.run(1_000);
        }
        long kbps = counter(s, "rocc.rate.p3");
        assertThat(kbps).isBetween(100_000L, 10_000_000L);
        assertThat(counter(s, "rocc.flows.p3")).isEqualTo(2);
        s.run(20_000);
        Map<Integer, byte[]> notices = new HashMap<>();
        for (byte[] frame = s.hosts.get(0).collect();
                frame != null;
                frame = s.hosts.get(0).collect()) {
            notices.put(ByteBuffer.wrap(frame).getShort(MESSAGE + 40) - 1000, frame);
        }
        assertThat(notices).containsOnlyKeys(0, 1);
        notices.forEach(
                (flow, notice) -> assertThat(notice).isEqualTo(expected(flow, kbps, notice)));
        s.run(5 * PERIOD_NS);
        assertThat(counter(s, "rocc.flows.p3")).as("the queue is empty").isZero();
        assertThat(s.total("notices.refused")).isZero();
        s.assertAtRest();
    }

    @Test
    void noticesHaveATenthOfTheLinkAndEveryFlowHasItsPartOfThem() {
        // Each of 16 flows is notified every 10 us: 1.9 Gb/s, if nothing bounded it.
        int flows = 16;
        TestSwitch s = bridge("10.0.0.254/24", ", period: 10us", "rate: 1Gbps");
        int[] told = new int[flows];
        long wireBytes = 0;
        for (int i = 0; i < 1_000; i++) {
            assertThat(s.hosts.get(0).inject(datagram(i % flows))).isTrue();
            s.run(i < 100 ? 1_000 : 11_000);
            for (byte[] frame : notices(s, 0)) {
                told[ByteBuffer.wrap(frame).getShort(MESSAGE + 40) - 1000]++;
                wireBytes += frame.length + 24;
            }
        }
        long most = (64 << 10) + 125_000_000L / 10 * (100 + 900 * 11) / 1_000_000;
        assertThat(wireBytes).isBetween(most * 9 / 10, most);
        assertThat(counter(s, "rocc.notices.p3")).isGreaterThan(15_000);
        long sum = Arrays.stream(told).sum();
        assertThat(s.total("notices.limited")).isGreaterThan(14_000 - sum);
        assertThat(Arrays.stream(told).min().orElseThrow()).isGreaterThan((int) sum / flows / 2);
        s.run(5_000_000);
        s.received();
        s.assertAtRest();
    }

    private static List<byte[]> notices(TestSwitch s, int port) {
        List<byte[]> all = new ArrayList<>();
        for (byte[] frame = s.hosts.get(port).collect();
                frame != null;
                frame = s.hosts.get(port).collect()) {
            all.add(frame);
        }
        return all;
    }

    private static byte[] datagram6(int flow) {
        byte[] udp = Packets.udp(1000 + flow, 7, new byte[1400]);
        byte[] ip = Packets.ipv6("2001:db8::1", "2001:db8::2", 64, Packets.UDP, udp);
        ByteBuffer.wrap(ip).putInt(0, 6 << 28 | TOS << 20);
        return Packets.ethernet(HOST + 1, HOST, Packets.IPV6, ip);
    }

    @Test
    void sourcesOverIpv6AreToldOverIpv6() {
        TestSwitch s = bridge("2001:db8::fe/64", "");
        for (int i = 0; i < 150; i++) {
            assertThat(s.hosts.get(0).inject(datagram6(i % 2))).isTrue();
        }
        while (counter(s, "rocc.notices.p3") == 0) {
            s.run(1_000);
        }
        long kbps = counter(s, "rocc.rate.p3");
        s.run(20_000);
        List<byte[]> notices = notices(s, 0);
        assertThat(notices).hasSize(2);
        for (byte[] notice : notices) {
            int at = 14 + 40;
            int flow = ByteBuffer.wrap(notice).getShort(at + 20 + 40) - 1000;
            ByteBuffer message = ByteBuffer.allocate(20 + QUOTE);
            message.putInt(200 << 24);
            message.put((byte) 0x10).put((byte) 3).putShort((short) 10_000);
            message.putInt((int) (kbps / 10_000)).putInt(0x0000_0203);
            message.putInt(ByteBuffer.wrap(notice).getInt(at + 16));
            message.put(datagram6(flow), 14, QUOTE);
            byte[] icmp = Packets.icmpv6("2001:db8::fe", "2001:db8::1", message.array());
            byte[] ip = Packets.ipv6("2001:db8::fe", "2001:db8::1", 64, Packets.ICMPV6, icmp);
            ByteBuffer.wrap(ip).putInt(0, 6 << 28 | 48 << 22);
            assertThat(Arrays.copyOfRange(notice, 14, notice.length)).isEqualTo(ip);
        }
        s.run(5 * PERIOD_NS);
        assertThat(s.total("notices.unsent")).isZero();
        s.assertAtRest();
    }

    @Test
    void aHostThatWorksTheRateOutComesToTheSwitchesByWhatIsOnTheWire() {
        TestSwitch s = bridge("10.0.0.254/24", ", computed-by: host");
        int checked = 0;
        for (int round = 0; round < 8; round++) {
            for (int i = 0; i < 60; i++) {
                s.hosts.get(0).inject(datagram(i % 2));
            }
            long before = counter(s, "rocc.notices.p3");
            while (counter(s, "rocc.notices.p3") == before && s.nowNs % 1_000_000 != 999_000) {
                s.run(1_000);
            }
            long kbps = counter(s, "rocc.rate.p3");
            s.run(20_000);
            for (byte[] notice : notices(s, 0)) {
                ByteBuffer bytes = ByteBuffer.wrap(notice);
                assertThat(bytes.getShort(16) & 0xFFFF).as("packet").isEqualTo(20 + 84 + 48);
                assertThat(bytes.getShort(MESSAGE + 4)).isEqualTo((short) 0x1103);
                assertThat(bytes.getInt(MESSAGE + 8)).as("steps").isZero();
                long steps = FairRate.stepsAtHost(MemorySegment.ofArray(notice), MESSAGE + 84);
                assertThat(steps * 10_000).isEqualTo(kbps);
                checked++;
            }
        }
        assertThat(checked).isGreaterThan(4);
    }

    @ParameterizedTest
    @ValueSource(strings = {"switch", "host"})
    void aHundredFlowsOnEachOfTwoPortsLoseNoNoticeInAnyPeriodOf40Us(String computes) {
        StringBuilder text = new StringBuilder("{name: s1, address: 10.0.0.254/24, defaults: {");
        text.append("rate: 40Gbps, queue-limit: 1MB, account-cap: 1MB,");
        text.append(" classify: {trust: dscp}}, ports: [");
        for (int port = 0; port < 4; port++) {
            text.append("{name: p").append(port).append(", device: {afpacket: v").append(port);
            text.append("}");
            // From a fast link to a slow one: the queue has all flows for many periods.
            if (port % 2 == 1) {
                text.append(", rate: 1Gbps, congestion: {rocc: {priorities: [3], period: 40us, ");
                text.append("computed-by: ").append(computes).append("}}");
            }
            text.append("},");
        }
        SwitchConfig config = SwitchConfigReader.read(text.append("]}").toString(), "test.yaml");
        // What goes out in a step of the test's clock, a microsecond, is more than a frame.
        TestSwitch s = new TestSwitch(config, WorkerPlan.single(4), 1_000);
        for (int port = 0; port < 4; port++) {
            s.hosts.get(port).inject(Packets.ethernet(HOST + 9, HOST + port, 0x88CC, new byte[60]));
            s.run(5_000);
        }
        s.received();
        for (int i = 0; i < 300; i++) {
            byte[] frame = datagram(i % 100);
            assertThat(s.hosts.get(0).inject(frame)).isTrue();
            byte[] other = frame.clone();
            System.arraycopy(Packets.mac(HOST + 3), 0, other, 0, 6);
            System.arraycopy(Packets.mac(HOST + 2), 0, other, 6, 6);
            assertThat(s.hosts.get(2).inject(other)).isTrue();
        }
        // All are queued, at 40 Gb/s; then to where a period's notices have come.
        s.run(100_000);
        s.run(40_000 - s.nowNs % 40_000 + 39_000);
        s.received();
        // 30 periods are 102 frames' time: of each flow one is still there.
        for (int period = 0; period < 30; period++) {
            s.run(40_000);
            for (int port : new int[] {0, 2}) {
                assertThat(notices(s, port).size()).as("period %s", period).isEqualTo(100);
            }
            notices(s, 1);
            notices(s, 3);
        }
        for (String counter : List.of("limited", "refused", "unsent")) {
            assertThat(s.total("notices." + counter)).as(counter).isZero();
        }
    }

    @Test
    void periodsGoOnWhileTheQueueIsPaused() {
        TestSwitch s = bridge("10.0.0.254/24", "", "rate: 10Gbps, flow-control: pfc");
        byte[] pause =
                new PfcFrame(HOST + 1, 1 << 3, List.of(0, 0, 0, 65_535, 0, 0, 0, 0)).encode();
        assertThat(s.hosts.get(1).inject(pause)).isTrue();
        s.run(2_000);
        // 115 kB: 67 steps above the reference, which take 12 of the rate's each period.
        for (int i = 0; i < 80; i++) {
            assertThat(s.hosts.get(0).inject(datagram(0))).isTrue();
        }
        s.run(PERIOD_NS - s.nowNs % PERIOD_NS + PERIOD_NS + PERIOD_NS / 2);
        s.received();
        long kbps = counter(s, "rocc.rate.p3");
        for (int period = 0; period < 10; period++) {
            s.run(PERIOD_NS);
            assertThat(notices(s, 1)).as("paused").isEmpty();
            List<byte[]> told = notices(s, 0);
            told.removeIf(frame -> ByteBuffer.wrap(frame).getShort(12) != Packets.IPV4);
            assertThat(told).as("period %s", period).hasSize(1);
            long next = counter(s, "rocc.rate.p3");
            assertThat(next).isLessThan(kbps);
            kbps = next;
        }
    }

    @Test
    void turnedOffItsGaugesAreZeroAndTotalsStay() {
        TestSwitch s = bridge();
        for (int i = 0; i < 400; i++) {
            assertThat(s.hosts.get(0).inject(datagram(0))).isTrue();
        }
        s.run(2 * PERIOD_NS);
        long notices = counter(s, "rocc.notices.p3");
        assertThat(notices).isPositive();
        assertThat(counter(s, "rocc.queue.p3")).isPositive();
        s.set("p1.congestion.rocc.enabled=false");
        for (String gauge : List.of("rate", "queue", "flows")) {
            assertThat(counter(s, "rocc." + gauge + ".p3")).as(gauge).isZero();
        }
        s.run(2 * PERIOD_NS);
        assertThat(counter(s, "rocc.queue.p3")).isZero();
        assertThat(counter(s, "rocc.notices.p3")).isEqualTo(notices);
        s.set("p1.congestion.rocc.enabled=true");
        assertThat(counter(s, "rocc.rate.p3")).as("F begins again").isEqualTo(10_000_000);
        s.set("p1.congestion.rocc.priorities=[4]");
        assertThat(counter(s, "rocc.rate.p3")).as("not watched any more").isZero();
        assertThat(counter(s, "rocc.rate.p4")).isEqualTo(10_000_000);
        assertThat(counter(s, "rocc.notices.p3")).isEqualTo(notices);
    }

    @Test
    void aChangeOfAnotherKeyMakesNoStepMore() {
        TestSwitch s = bridge();
        for (int i = 0; i < 400; i++) {
            assertThat(s.hosts.get(0).inject(datagram(0))).isTrue();
        }
        s.run(PERIOD_NS - s.nowNs % PERIOD_NS + PERIOD_NS / 2);
        s.received();
        for (int i = 0; i < 8; i++) {
            s.set("p1.congestion.rocc.alpha=0." + (2 + i % 2));
            s.run(2_000);
        }
        assertThat(notices(s, 0)).as("within a period").isEmpty();
        assertThat(s.engine.config().ports().get(1).mechanisms().get(RoccConfig.class))
                .extracting(RoccConfig::alpha)
                .isEqualTo(0.3);
        s.run(PERIOD_NS);
        assertThat(notices(s, 0)).hasSize(1);
    }

    /** All of it but the sequence, which numbers a period's notices in any order. */
    private static byte[] expected(int flow, long kbps, byte[] notice) {
        int sequence = ByteBuffer.wrap(notice).getInt(MESSAGE + 16);
        assertThat(sequence).isBetween(0, 1);
        ByteBuffer message = ByteBuffer.allocate(20 + QUOTE);
        message.putInt(253 << 24);
        // Version 1, no flags; priority 3; steps of 10,000 kb/s, and how many of them.
        message.put((byte) 0x10).put((byte) 3).putShort((short) 10_000);
        message.putInt((int) (kbps / 10_000));
        // No switch number: its address says it. The second port, queue 3.
        message.putInt(0x0000_0203).putInt(sequence);
        message.put(datagram(flow), 14, QUOTE);
        byte[] icmp = Packets.withChecksum(message.array(), 2, 0);
        byte[] ip = Packets.ipv4("10.0.0.254", "10.0.0.1", 64, Packets.ICMP, icmp);
        ip[1] = (byte) (48 << 2);
        ip[10] = 0;
        ip[11] = 0;
        System.arraycopy(Packets.withChecksum(Arrays.copyOf(ip, 20), 10, 0), 0, ip, 0, 20);
        byte[] source = Arrays.copyOfRange(notice, 6, 12);
        byte[] frame = Packets.ethernet(HOST, 0, Packets.IPV4, ip);
        System.arraycopy(source, 0, frame, 6, 6);
        return frame;
    }
}
