package io.headgate.hostagent.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.counter.NoticeCounter;
import io.headgate.dataplane.device.MemoryWire;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.engine.Duty;
import io.headgate.dataplane.engine.PolledHost;
import io.headgate.dataplane.frame.Cnm;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.random.NamedRandom;
import io.headgate.hostagent.card.CardSetup;
import io.headgate.hostagent.card.HostCard;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** 802.1Qau's messages that arrive at a host's card, with a priority tag or without, forged too. */
class CongestionMessagesTest {
    private static final int HOST = 0x0A00_0001;
    private static final long POINT = 0x1122_3344_5566_7788L;
    private static final int FEEDBACK = 42;

    private final HostCard card =
            new HostCard(
                    CardSetup.of("h1", 10_000_000_000L).withSlots(32, 32, 2048),
                    new PolledHost(1_000_000, 0));
    private final MemoryWire.FarEnd application = connect(HostCard.APP);
    private final MemoryWire.FarEnd wire = connect(HostCard.WIRE);
    private long nowNs;
    private long value;

    CongestionMessagesTest() {
        card.takeNotices(new HostNotices(this::notified, card.noticeCounters(), false));
    }

    private MemoryWire.FarEnd connect(int port) {
        MemoryWire link = new MemoryWire("m" + port, 256, 1518);
        PortDevice device = link.device(0, card.region());
        card.ingress(port).attach(device);
        card.egress(port).attach(device);
        return link.farEnd(1);
    }

    private NoticeCounter notified(
            long atNs, int etherType, long packet, int bytes, int kind, long origin, long said) {
        boolean isOurs =
                etherType == EtherType.IPV4
                        && bytes >= Ipv4.MIN_HEADER_BYTES + 8
                        && Ipv4.source(FrameRegion.MEMORY, packet) == HOST;
        if (!isOurs || kind != Cnm.KIND || origin != POINT) {
            return NoticeCounter.UNKNOWN_FLOW;
        }
        value = said;
        return NoticeCounter.OBEYED;
    }

    /**
     * A message about a datagram from the host.
     *
     * @param quoted number of bytes of the datagram that it quotes
     */
    private static byte[] message(boolean isTagged, int quoted, int source) {
        ByteBuffer frame = ByteBuffer.allocate(14 + (isTagged ? 4 : 0) + 24 + 64);
        frame.putShort((short) 0x0200).putInt(1).putShort((short) 0x0200).putInt(9);
        if (isTagged) {
            frame.putShort((short) EtherType.VLAN).putShort((short) (6 << 13));
        }
        frame.putShort((short) Cnm.ETHER_TYPE);
        frame.putShort((short) FEEDBACK).putLong(POINT).putShort((short) -100).putShort((short) 20);
        frame.putShort((short) (3 << 13)).putShort((short) 0x0200).putInt(2);
        frame.putShort((short) quoted).putShort((short) EtherType.IPV4);
        frame.putInt(0x4500_0400).putInt(0).putInt(64 << 24 | 17 << 16).putInt(source);
        frame.putInt(0x0A00_0002).putShort((short) 1_000).putShort((short) 7);
        return frame.array();
    }

    private long count(NoticeCounter which) {
        return card.counters().entries().stream()
                .filter(entry -> entry.label().equals(which.label()))
                .mapToLong(entry -> card.counters().value(entry))
                .sum();
    }

    private void arrives(byte[] frame) {
        wire.inject(frame);
        for (int i = 0; i < 5; i++, nowNs += 100) {
            for (Duty duty : card.duties()) {
                duty.doWork(nowNs);
            }
        }
    }

    private void arrives(byte[] frame, NoticeCounter as) {
        long before = count(as);
        arrives(frame);
        assertThat(count(as)).as("%s", as).isEqualTo(before + 1);
        assertThat(application.collect()).isNull();
    }

    @Test
    void theFlowThatIsQuotedIsToldTheFeedback() {
        arrives(message(true, 64, HOST), NoticeCounter.OBEYED);
        assertThat(value).isEqualTo(FEEDBACK);
        value = 0;
        arrives(message(false, 64, HOST), NoticeCounter.OBEYED);
        assertThat(value).isEqualTo(FEEDBACK);
        arrives(message(true, 30, HOST), NoticeCounter.OBEYED);
        arrives(message(true, 64, HOST + 1), NoticeCounter.UNKNOWN_FLOW);
    }

    @Test
    void whatDoesNotHoldTogetherIsMalformed() {
        arrives(message(true, 29, HOST), NoticeCounter.MALFORMED);
        arrives(message(true, 0, HOST), NoticeCounter.MALFORMED);
        arrives(message(true, 65, HOST), NoticeCounter.MALFORMED);
        arrives(message(true, 0xFFFF, HOST), NoticeCounter.MALFORMED);
        arrives(Arrays.copyOf(message(true, 64, HOST), 100), NoticeCounter.MALFORMED);
        byte[] later = message(false, 64, HOST);
        later[14] = 0x10;
        arrives(later, NoticeCounter.MALFORMED);
        byte[] other = message(false, 64, HOST);
        other[38] = 0x12;
        arrives(other, NoticeCounter.UNKNOWN_FLOW);
        assertThat(value).isZero();
    }

    @Test
    void whateverIsInOneItIsCountedOnceOrPassedOn() {
        NamedRandom random = NamedRandom.of(1, "h1", "harm");
        int consumed = 0;
        for (int i = 0; i < 3_000; i++) {
            byte[] frame = message(random.happens(0.5), random.nextInt(80), HOST);
            for (int damage = random.nextInt(4); damage > 0; damage--) {
                frame[12 + random.nextInt(frame.length - 12)] = (byte) random.nextInt(256);
            }
            arrives(Arrays.copyOf(frame, 60 + random.nextInt(frame.length - 59)));
            consumed += application.collect() == null ? 1 : 0;
        }
        long counted = Arrays.stream(NoticeCounter.values()).mapToLong(this::count).sum();
        long dropped =
                card.counters().entries().stream()
                        .filter(entry -> entry.label().startsWith("dropped."))
                        .mapToLong(entry -> card.counters().value(entry))
                        .sum();
        assertThat(counted).isEqualTo(consumed - dropped).isGreaterThan(1_000);
        assertThat(count(NoticeCounter.OBEYED)).isPositive();
    }
}
