package io.headgate.hostagent.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.counter.NoticeCounter;
import io.headgate.dataplane.device.MemoryWire;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.engine.Duty;
import io.headgate.dataplane.engine.PolledHost;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.Icmp;
import io.headgate.dataplane.frame.IpProtocol;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Ipv6;
import io.headgate.dataplane.frame.Notice;
import io.headgate.dataplane.frame.Udp;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.hostagent.card.CardSetup;
import io.headgate.hostagent.card.HostCard;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

/** Notices that arrive at a host's card, for flows that wait in a {@link FlowShaper}. */
class HostNoticesTest {
    private static final long LINE_BPS = 10_000_000_000L;
    private static final long PERIOD_NS = 100_000;
    private static final int HOST = 0x0A00_0001;
    private static final int PEER = 0x0A00_0002;
    private static final int SWITCH = 0x0A00_00FE;
    private static final int FLOW_PORT = 5001;
    private static final int KIND = 0x1003;

    private static final int ICMP_V4 = Ethernet.HEADER_BYTES + Ipv4.MIN_HEADER_BYTES;
    private static final int ICMP_V6 = Ethernet.HEADER_BYTES + Ipv6.HEADER_BYTES;

    /** Obeys rates up to the line's; doubles its own after a time, as long as it is lower. */
    private static final class Follower implements RateControl {
        private long lineBps;
        private long rateBps;
        private long dueNs = Long.MAX_VALUE;
        private long lastOrigin;
        private int lastKind;

        @Override
        public void begin(long nowNs, long lineRateBps, int frameBytes) {
            lineBps = lineRateBps;
            rateBps = lineRateBps;
        }

        @Override
        public boolean notified(long nowNs, int kind, long origin, long value) {
            if (value <= 0 || value > lineBps) {
                return false;
            }
            rateBps = value;
            dueNs = nowNs + PERIOD_NS;
            lastKind = kind;
            lastOrigin = origin;
            return true;
        }

        @Override
        public int tick(long nowNs) {
            rateBps = Math.min(2 * rateBps, lineBps);
            dueNs = rateBps == lineBps ? Long.MAX_VALUE : nowNs + PERIOD_NS;
            return 1;
        }

        @Override
        public long deadlineNs() {
            return dueNs;
        }

        @Override
        public long rateBps() {
            return rateBps;
        }
    }

    private final HostCard card =
            new HostCard(
                    CardSetup.of("h1", LINE_BPS).withSlots(32, 32, 2048),
                    new PolledHost(1_000_000, 0));
    private final List<Follower> controls = new ArrayList<>();
    private final FlowShaper shaper =
            new FlowShaper(this::control, PERIOD_NS, 2, LINE_BPS, 1514, 256);
    private final MemoryWire.FarEnd application = connect(HostCard.APP);
    private final MemoryWire.FarEnd wire = connect(HostCard.WIRE);
    private final FrameRegion region = new FrameRegion(600, 2048);
    private int slot;
    private long nowNs;

    private RateControl control() {
        Follower control = new Follower();
        controls.add(control);
        return control;
    }

    private MemoryWire.FarEnd connect(int port) {
        MemoryWire link = new MemoryWire("m" + port, 256, 1518);
        PortDevice device = link.device(0, card.region());
        card.ingress(port).attach(device);
        card.egress(port).attach(device);
        return link.farEnd(1);
    }

    private void run() {
        for (int i = 0; i < 5; i++, nowNs += 1_000) {
            for (Duty duty : card.duties()) {
                duty.doWork(nowNs);
            }
        }
    }

    private void listen() {
        card.takeNotices(new HostNotices(shaper, card.noticeCounters(), false));
    }

    private long counted(NoticeCounter counter) {
        return card.noticeCounters().get(counter);
    }

    private long all() {
        return Arrays.stream(NoticeCounter.values()).mapToLong(this::counted).sum();
    }

    /** What the host has sent of a flow to a port. */
    private void send(boolean isIpv4, int port) {
        Frame frame = region.frame(slot++);
        byte[] packet = packet(isIpv4, HOST, port);
        long at = frame.dataOffset;
        Ethernet.etherType(FrameRegion.MEMORY, at, isIpv4 ? EtherType.IPV4 : EtherType.IPV6);
        MemorySegment.copy(
                MemorySegment.ofArray(packet),
                0,
                FrameRegion.MEMORY,
                at + Ethernet.HEADER_BYTES,
                packet.length);
        frame.lengthBytes = Ethernet.HEADER_BYTES + packet.length;
        frame.storedBytes = frame.lengthBytes;
        shaper.take(nowNs, 1, frame);
    }

    private static byte[] packet(boolean isIpv4, int from, int port) {
        byte[] bytes = new byte[100];
        MemorySegment to = MemorySegment.ofArray(bytes);
        int udp = isIpv4 ? Ipv4.MIN_HEADER_BYTES : Ipv6.HEADER_BYTES;
        if (isIpv4) {
            Ipv4.write(to, 0, 0, bytes.length, 64, IpProtocol.UDP, from, PEER);
            Ipv4.writeChecksum(to, 0);
        } else {
            Ipv6.write(to, 0, 0, bytes.length - udp, IpProtocol.UDP, 64);
            Ipv6.source(to, 0, 1, from);
            Ipv6.destination(to, 0, 1, PEER);
        }
        Udp.write(to, udp, 1000, port, bytes.length - udp);
        return bytes;
    }

    private static byte[] notice(boolean isIpv4, long value, int quoted, byte[] about) {
        return notice(isIpv4, SWITCH, 7, value, quoted, about);
    }

    private static byte[] notice(
            boolean isIpv4, int from, int point, long value, int quoted, byte[] about) {
        int icmp = isIpv4 ? ICMP_V4 : ICMP_V6;
        byte[] bytes = new byte[icmp + Notice.QUOTE_OFFSET + quoted];
        MemorySegment to = MemorySegment.ofArray(bytes);
        Ethernet.destination(to, 0, 0x0200_0000_0001L);
        Ethernet.source(to, 0, 0x0200_0000_0002L);
        Ethernet.etherType(to, 0, isIpv4 ? EtherType.IPV4 : EtherType.IPV6);
        long ip = Ethernet.HEADER_BYTES;
        int total = bytes.length - Ethernet.HEADER_BYTES;
        if (isIpv4) {
            Ipv4.write(to, ip, 48 << 2, total, 64, IpProtocol.ICMP, from, HOST);
            Ipv4.writeChecksum(to, ip);
        } else {
            Ipv6.write(to, ip, 48 << 2, total - Ipv6.HEADER_BYTES, IpProtocol.ICMPV6, 64);
            Ipv6.source(to, ip, 1, from);
            Ipv6.destination(to, ip, 1, HOST);
        }
        bytes[icmp] = (byte) (isIpv4 ? Notice.TYPE_V4 : Notice.TYPE_V6);
        Wire.put64(to, icmp + Notice.FIRST_OFFSET, Notice.first(KIND, value));
        Wire.put64(to, icmp + Notice.SECOND_OFFSET, Notice.second(point, 0));
        System.arraycopy(about, 0, bytes, icmp + Notice.QUOTE_OFFSET, quoted);
        return sealed(isIpv4, bytes);
    }

    private static byte[] sealed(boolean isIpv4, byte[] bytes) {
        MemorySegment to = MemorySegment.ofArray(bytes);
        if (isIpv4) {
            Icmp.writeChecksumIpv4(to, ICMP_V4, bytes.length - ICMP_V4);
        } else {
            Icmp.writeChecksumIpv6(to, Ethernet.HEADER_BYTES, ICMP_V6, bytes.length - ICMP_V6);
        }
        return bytes;
    }

    private void arrives(byte[] frame, NoticeCounter as) {
        long before = counted(as);
        long allBefore = all();
        assertThat(wire.inject(frame)).isTrue();
        run();
        assertThat(counted(as)).as(as.label()).isEqualTo(before + 1);
        assertThat(all()).isEqualTo(allBefore + 1);
        assertThat(application.collect()).as("consumed").isNull();
    }

    @Test
    void aFlowObeysANoticeAboutItAndRecoversByItself() {
        listen();
        for (boolean isIpv4 : new boolean[] {true, false}) {
            send(isIpv4, FLOW_PORT);
            send(isIpv4, FLOW_PORT + 1);
            Follower control = controls.get(controls.size() - 2);
            byte[] about = packet(isIpv4, HOST, FLOW_PORT);
            long atNs = nowNs;
            arrives(notice(isIpv4, LINE_BPS / 4, 64, about), NoticeCounter.OBEYED);
            assertThat(control.rateBps()).isEqualTo(LINE_BPS / 4);
            assertThat(control.lastKind).isEqualTo(KIND);
            assertThat(controls.getLast().rateBps()).as("the other flow").isEqualTo(LINE_BPS);
            assertThat(shaper.tickNs()).isEqualTo(atNs + PERIOD_NS);
            assertThat(shaper.tick(atNs + PERIOD_NS - 1)).isZero();
            assertThat(shaper.tick(atNs + PERIOD_NS)).isEqualTo(1);
            assertThat(control.rateBps()).isEqualTo(LINE_BPS / 2);
            assertThat(shaper.tickNs()).isEqualTo(atNs + 2 * PERIOD_NS);
            shaper.tick(atNs + 2 * PERIOD_NS);
            assertThat(control.rateBps()).isEqualTo(LINE_BPS);
            assertThat(shaper.tickNs()).isEqualTo(Long.MAX_VALUE);
            nowNs = atNs + 3 * PERIOD_NS;
        }
    }

    @Test
    void aNoticeThatLeavesTheRateToTheHostIsWorkedOut() {
        listen();
        send(true, FLOW_PORT);
        byte[] plain = notice(true, 0, 64, packet(true, HOST, FLOW_PORT));
        byte[] whole = Arrays.copyOf(plain, plain.length + Notice.DETAIL_BYTES);
        MemorySegment to = MemorySegment.ofArray(whole);
        Wire.put16(to, ICMP_V4 + Notice.FIRST_OFFSET, 0x1103);
        int at = ICMP_V4 + Notice.DETAILS_OFFSET;
        Wire.put64(to, at, 80L << 16);
        // Twice the reference, as it was; alpha is 0.5.
        int[] words = {200, 200, 100, 300, 400, 10, 1_000, 1 << 15, 1 << 16, 600};
        for (int i = 0; i < words.length; i++) {
            Wire.put32(to, at + 8 + 4 * i, words[i]);
        }
        Wire.put16(to, Ethernet.HEADER_BYTES + Ipv4.TOTAL_LENGTH_OFFSET, whole.length - 14);
        Ipv4.writeChecksum(to, Ethernet.HEADER_BYTES);
        arrives(sealed(true, whole), NoticeCounter.OBEYED);
        // 80 steps of 1,000: gains are an eighth, and it is 80 - 100 / 2 / 8.
        assertThat(controls.getFirst().rateBps()).isEqualTo(74);
        byte[] cut = plain.clone();
        Wire.put16(MemorySegment.ofArray(cut), ICMP_V4 + Notice.FIRST_OFFSET, 0x1103);
        arrives(sealed(true, cut), NoticeCounter.MALFORMED);
    }

    @Test
    void congestionPointsAreToldApartByAddressAndNumber() {
        listen();
        send(true, FLOW_PORT);
        byte[] about = packet(true, HOST, FLOW_PORT);
        List<Long> origins = new ArrayList<>();
        for (int from : new int[] {SWITCH, SWITCH - 1}) {
            for (int point : new int[] {1, 2}) {
                arrives(notice(true, from, point, 1_000_000, 64, about), NoticeCounter.OBEYED);
                origins.add(controls.getFirst().lastOrigin);
            }
        }
        assertThat(origins).doesNotHaveDuplicates();
    }

    @Test
    void whoeverTakesNoneLeavesNoticesToTheApplication() {
        byte[] notice = notice(true, 1_000_000, 64, packet(true, HOST, FLOW_PORT));
        assertThat(wire.inject(notice)).isTrue();
        run();
        assertThat(application.collect()).isEqualTo(notice);
        assertThat(all()).isZero();
    }

    @Test
    void otherIcmpGoesToTheApplication() {
        listen();
        byte[] other = notice(true, 1_000_000, 64, packet(true, HOST, FLOW_PORT));
        other[ICMP_V4] = 3; // unreachable
        assertThat(wire.inject(sealed(true, other))).isTrue();
        run();
        assertThat(application.collect()).isEqualTo(other);
        assertThat(all()).isZero();
    }

    @Test
    void whatIsCutShortOrQuotesNoPacketIsIgnored() {
        listen();
        for (boolean isIpv4 : new boolean[] {true, false}) {
            send(isIpv4, FLOW_PORT);
            byte[] about = packet(isIpv4, HOST, FLOW_PORT);
            int least = (isIpv4 ? Ipv4.MIN_HEADER_BYTES : Ipv6.HEADER_BYTES) + 8;
            arrives(notice(isIpv4, 1_000_000, 0, about), NoticeCounter.MALFORMED);
            arrives(notice(isIpv4, 1_000_000, least - 1, about), NoticeCounter.MALFORMED);
            byte[] version = about.clone();
            version[0] = (byte) (isIpv4 ? 0x65 : 0x45);
            arrives(notice(isIpv4, 1_000_000, 64, version), NoticeCounter.MALFORMED);
            arrives(notice(isIpv4, 1_000_000, least, about), NoticeCounter.OBEYED);
        }
        byte[] header = packet(true, HOST, FLOW_PORT);
        for (int words : new int[] {0, 4, 15}) {
            header[0] = (byte) (0x40 | words);
            arrives(notice(true, 1_000_000, 64, header), NoticeCounter.MALFORMED);
        }
        // A message of its type and no more.
        byte[] type = Arrays.copyOf(notice(true, 1_000_000, 64, header), ICMP_V4 + 8);
        MemorySegment to = MemorySegment.ofArray(type);
        Wire.put16(to, Ethernet.HEADER_BYTES + Ipv4.TOTAL_LENGTH_OFFSET, 28);
        Ipv4.writeChecksum(to, Ethernet.HEADER_BYTES);
        arrives(sealed(true, type), NoticeCounter.MALFORMED);
    }

    @Test
    void aWrongChecksumIsIgnored() {
        listen();
        for (boolean isIpv4 : new boolean[] {true, false}) {
            send(isIpv4, FLOW_PORT);
            byte[] notice = notice(isIpv4, 1_000_000, 64, packet(isIpv4, HOST, FLOW_PORT));
            notice[(isIpv4 ? ICMP_V4 : ICMP_V6) + Notice.FIRST_OFFSET + 7] ^= 1;
            arrives(notice, NoticeCounter.CHECKSUM);
        }
        assertThat(controls).allMatch(control -> control.rateBps() == LINE_BPS);
    }

    @Test
    void flowsThatAreNotThisHostsAreIgnored() {
        listen();
        for (boolean isIpv4 : new boolean[] {true, false}) {
            send(isIpv4, FLOW_PORT);
            byte[] otherPort = packet(isIpv4, HOST, FLOW_PORT + 1);
            arrives(notice(isIpv4, 1_000_000, 64, otherPort), NoticeCounter.UNKNOWN_FLOW);
            byte[] otherSource = packet(isIpv4, HOST + 9, FLOW_PORT);
            arrives(notice(isIpv4, 1_000_000, 64, otherSource), NoticeCounter.UNKNOWN_FLOW);
        }
        assertThat(controls).allMatch(control -> control.rateBps() == LINE_BPS);
        assertThat(shaper.flows()).isEqualTo(2);
    }

    @Test
    void aRateOfZeroOrAboveTheLinesIsIgnored() {
        listen();
        send(true, FLOW_PORT);
        byte[] about = packet(true, HOST, FLOW_PORT);
        arrives(notice(true, 0, 64, about), NoticeCounter.IGNORED);
        arrives(notice(true, LINE_BPS + 1, 64, about), NoticeCounter.IGNORED);
        assertThat(controls.getFirst().rateBps()).isEqualTo(LINE_BPS);
    }

    @Test
    void moreThanTwoOfOnePointInAPeriodAreIgnored() {
        listen();
        send(true, FLOW_PORT);
        byte[] about = packet(true, HOST, FLOW_PORT);
        arrives(notice(true, 1_000_000, 64, about), NoticeCounter.OBEYED);
        arrives(notice(true, 2_000_000, 64, about), NoticeCounter.OBEYED);
        arrives(notice(true, 3_000_000, 64, about), NoticeCounter.EXCESS);
        assertThat(controls.getFirst().rateBps()).isEqualTo(2_000_000);
        for (int point = 1; point < NoticeLimit.POINTS; point++) {
            arrives(notice(true, SWITCH, 7 + point, 4_000_000, 64, about), NoticeCounter.OBEYED);
        }
        arrives(notice(true, SWITCH, 99, 5_000_000, 64, about), NoticeCounter.EXCESS);
        nowNs += PERIOD_NS;
        arrives(notice(true, 6_000_000, 64, about), NoticeCounter.OBEYED);
        assertThat(controls.getFirst().rateBps()).isEqualTo(6_000_000);
    }

    @Test
    void whateverIsInAFrameItIsCountedOnceOrPassedOn() {
        listen();
        send(true, FLOW_PORT);
        send(false, FLOW_PORT);
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(1);
        int consumed = 0;
        for (int i = 0; i < 5_000; i++) {
            boolean isIpv4 = random.nextBoolean();
            byte[] about = packet(isIpv4, HOST, FLOW_PORT);
            byte[] frame = notice(isIpv4, random.nextLong() >>> 16, random.nextInt(65), about);
            for (int damage = random.nextInt(4); damage > 0; damage--) {
                frame[12 + random.nextInt(frame.length - 12)] = (byte) random.nextInt();
            }
            if (random.nextInt(4) == 0) {
                frame = Arrays.copyOf(frame, 14 + random.nextInt(frame.length - 13));
            }
            wire.inject(frame);
            run();
            consumed += application.collect() == null ? 1 : 0;
        }
        long dropped =
                card.counters().entries().stream()
                        .filter(entry -> entry.label().startsWith("dropped."))
                        .mapToLong(entry -> card.counters().value(entry))
                        .sum();
        assertThat(all()).isEqualTo(consumed - dropped);
        assertThat(all()).isGreaterThan(1_000);
    }

    @Test
    void aFlowWhoseControlHasLearnedSomethingIsNotForgotten() {
        listen();
        send(true, FLOW_PORT);
        arrives(
                notice(true, LINE_BPS / 4, 64, packet(true, HOST, FLOW_PORT)),
                NoticeCounter.OBEYED);
        for (int flow = 1; flow < 256; flow++) {
            send(true, FLOW_PORT + flow);
        }
        Frame[] batch = new Frame[512];
        assertThat(shaper.release(nowNs, batch, 0, 512)).isEqualTo(256);
        nowNs += 50_000;
        // The oldest flow is passed over, since its control waits for a time of its own.
        send(true, 9_000);
        assertThat(controls).hasSize(257);
        arrives(
                notice(true, LINE_BPS / 8, 64, packet(true, HOST, FLOW_PORT)),
                NoticeCounter.OBEYED);
        assertThat(controls.getFirst().rateBps()).isEqualTo(LINE_BPS / 8);
    }
}
