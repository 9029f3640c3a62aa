package io.headgate.hostagent.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.counter.NoticeCounter;
import io.headgate.dataplane.device.MemoryWire;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.engine.Duty;
import io.headgate.dataplane.engine.PolledHost;
import io.headgate.dataplane.frame.Cnp;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.hostagent.card.CardSetup;
import io.headgate.hostagent.card.HostCard;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

/** Congestion notification packets that arrive at a host's card, forged and damaged ones too. */
class CongestionPacketsTest {
    private static final long LINE_BPS = 40_000_000_000L;
    private static final long INTERVAL_NS = 50_000;
    private static final int HOST = 0x0A00_0001;
    private static final int PEER = 0x0A00_0002;
    private static final int QUEUE_PAIR = 0x118;

    /** As it was captured from a ConnectX-4 Lx, from its Ethernet header to its ICRC. */
    private static final String CAPTURED =
            "e41d2dab2bc27cfe90643b32080045c2003c718c4000401191610a0011010a001201000012b7002800"
                    + "008100ffff40000118"
                    + "00".repeat(20)
                    + "82fd002a";

    private final HostCard card =
            new HostCard(
                    CardSetup.of("h1", LINE_BPS).withSlots(32, 32, 2048),
                    new PolledHost(1_000_000, 0));
    private final MemoryWire.FarEnd application = connect(HostCard.APP);
    private final MemoryWire.FarEnd wire = connect(HostCard.WIRE);
    private final DcqcnReaction flow =
            new DcqcnReaction(DcqcnConfig.of(DcqcnConfig.Parameters.PUBLISHED));
    private final NoticeLimit limit = new NoticeLimit(INTERVAL_NS);
    private long nowNs;

    /** One flow, of one queue pair, to one peer. */
    private final class OneFlow implements NotifiedFlows {
        @Override
        public NoticeCounter notified(
                long atNs,
                int etherType,
                long packet,
                int bytes,
                int kind,
                long origin,
                long value) {
            return NoticeCounter.UNKNOWN_FLOW;
        }

        @Override
        public NoticeCounter congested(
                long atNs, int etherType, long packet, int queuePair, long origin, long value) {
            MemorySegment memory = FrameRegion.MEMORY;
            boolean isIts =
                    etherType == EtherType.IPV4
                            && queuePair == QUEUE_PAIR
                            && Ipv4.source(memory, packet) == PEER
                            && Ipv4.destination(memory, packet) == HOST;
            return isIts
                    ? limit.give(flow, atNs, Cnp.KIND, origin, value)
                    : NoticeCounter.UNKNOWN_FLOW;
        }
    }

    private MemoryWire.FarEnd connect(int port) {
        MemoryWire link = new MemoryWire("m" + port, 256, 1518);
        PortDevice device = link.device(0, card.region());
        card.ingress(port).attach(device);
        card.egress(port).attach(device);
        return link.farEnd(1);
    }

    private void listen() {
        flow.begin(0, LINE_BPS, 1038);
        card.takeNotices(new HostNotices(new OneFlow(), card.noticeCounters(), true));
    }

    private void run() {
        for (int i = 0; i < 5; i++, nowNs += 100) {
            for (Duty duty : card.duties()) {
                duty.doWork(nowNs);
            }
        }
    }

    private static byte[] packet(int from, int to, int queuePair, int says) {
        byte[] frame = new byte[Ethernet.HEADER_BYTES + Cnp.IPV4_BYTES];
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(frame.length);
            Wire.put16(memory, Ethernet.ETHER_TYPE_OFFSET, EtherType.IPV4);
            Cnp.writeIpv4(memory, Ethernet.HEADER_BYTES, from, to, 0xC123, queuePair, says, 0);
            MemorySegment.copy(memory, 0, MemorySegment.ofArray(frame), 0, frame.length);
        }
        return frame;
    }

    private static byte[] forFlow() {
        return packet(PEER, HOST, QUEUE_PAIR, Cnp.CONGESTED);
    }

    private long all() {
        return Arrays.stream(NoticeCounter.values()).mapToLong(this::count).sum();
    }

    private long count(NoticeCounter which) {
        return card.counters().entries().stream()
                .filter(entry -> entry.label().equals(which.label()))
                .mapToLong(entry -> card.counters().value(entry))
                .sum();
    }

    private void arrives(byte[] frame, NoticeCounter as) {
        long before = count(as);
        long beforeAll = all();
        wire.inject(frame);
        run();
        assertThat(count(as)).as("%s", as).isEqualTo(before + 1);
        assertThat(all()).isEqualTo(beforeAll + 1);
        assertThat(application.collect()).isNull();
    }

    @Test
    void oursIsTheCapturedOneButForItsFieldsOfIpAndItsPort() {
        byte[] captured = HexFormat.of().parseHex(CAPTURED);
        byte[] ours = packet(0x0A00_1101, 0x0A00_1201, QUEUE_PAIR, Cnp.CONGESTED);
        int udp = Ethernet.HEADER_BYTES + Ipv4.MIN_HEADER_BYTES;
        assertThat(Arrays.copyOfRange(ours, udp + 2, ours.length - 4))
                .isEqualTo(Arrays.copyOfRange(captured, udp + 2, captured.length - 4));
        assertThat(ours).hasSameSizeAs(captured);
    }

    @Test
    void aCapturedOneIsUnderstood() {
        listen();
        arrives(HexFormat.of().parseHex(CAPTURED), NoticeCounter.UNKNOWN_FLOW);
    }

    @Test
    void aFlowObeysThoseAboutIt() {
        listen();
        arrives(forFlow(), NoticeCounter.OBEYED);
        assertThat(flow.rateBps()).isEqualTo(LINE_BPS / 2);
        arrives(packet(PEER, HOST, QUEUE_PAIR, Cnp.UNDETERMINED), NoticeCounter.OBEYED);
        assertThat(flow.rateBps()).isEqualTo(LINE_BPS / 2);
        assertThat(flow.targetBps).isEqualTo(LINE_BPS / 2.0);
    }

    @Test
    void aForgedOneAboutAnotherFlowOrOfAnotherSourceChangesNothing() {
        listen();
        arrives(packet(PEER, HOST, QUEUE_PAIR + 1, Cnp.CONGESTED), NoticeCounter.UNKNOWN_FLOW);
        arrives(packet(PEER + 1, HOST, QUEUE_PAIR, Cnp.CONGESTED), NoticeCounter.UNKNOWN_FLOW);
        arrives(packet(PEER, HOST + 1, QUEUE_PAIR, Cnp.CONGESTED), NoticeCounter.UNKNOWN_FLOW);
        arrives(packet(PEER, HOST, QUEUE_PAIR, 0), NoticeCounter.IGNORED);
        byte[] damaged = forFlow();
        damaged[60] ^= 1;
        arrives(damaged, NoticeCounter.CHECKSUM);
        // Without its zeros and its ICRC.
        byte[] cut = Arrays.copyOf(forFlow(), 60);
        cut[17] = Ipv4.MIN_HEADER_BYTES + 20;
        cut[39] = 20;
        arrives(cut, NoticeCounter.MALFORMED);
        assertThat(flow.rateBps()).isEqualTo(LINE_BPS);
    }

    @Test
    void repeatedOnesAreTakenTwiceInAnIntervalAndAFloodOfThemStopsNoFlow() {
        listen();
        arrives(forFlow(), NoticeCounter.OBEYED);
        arrives(forFlow(), NoticeCounter.OBEYED);
        assertThat(flow.rateBps()).isEqualTo(LINE_BPS / 4);
        for (int i = 0; i < 50; i++) {
            arrives(forFlow(), NoticeCounter.EXCESS);
        }
        assertThat(flow.rateBps()).isEqualTo(LINE_BPS / 4);
        for (int i = 0; i < 2_000; i++) {
            nowNs += INTERVAL_NS / 2;
            wire.inject(forFlow());
            run();
        }
        assertThat(flow.rateBps()).isEqualTo(100_000_000);
        for (int i = 0; i < 20_000 && flow.deadlineNs() != Long.MAX_VALUE; i++) {
            flow.tick(flow.deadlineNs());
        }
        assertThat(flow.rateBps()).as("after the last forgery").isEqualTo(LINE_BPS);
    }

    @Test
    void whoeverTakesNoneLeavesThemToTheApplication() {
        card.takeNotices(new HostNotices(new OneFlow(), card.noticeCounters(), false));
        wire.inject(forFlow());
        run();
        assertThat(application.collect()).isEqualTo(forFlow());
    }

    @Test
    void whateverIsInOneItIsCountedOnceOrPassedOn() {
        listen();
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(1);
        int consumed = 0;
        for (int i = 0; i < 5_000; i++) {
            byte[] frame = packet(PEER, HOST, QUEUE_PAIR + random.nextInt(2), random.nextInt(256));
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
}
