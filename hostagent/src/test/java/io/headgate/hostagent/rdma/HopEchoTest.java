package io.headgate.hostagent.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.RdmaCounter;
import io.headgate.dataplane.frame.Aeth;
import io.headgate.dataplane.frame.Bth;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.Icrc;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.HopRecord;
import io.headgate.dataplane.memory.HopRecords;
import io.headgate.hostagent.rate.HopEcho;
import io.headgate.hostagent.rate.RateControl;
import io.headgate.hostagent.rate.RateControlMechanism;
import io.headgate.hostagent.rate.RateControls;
import io.headgate.hostagent.rate.Sample;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What telemetry says to a receiver of a packet's way comes back with the acknowledgement. */
class HopEchoTest {
    private static final MemorySegment MEMORY = FrameRegion.MEMORY;
    private static final int BTH =
            Ethernet.HEADER_BYTES + RocePacket.IP_TO_BTH_BYTES; // from the frame's first byte

    /** Configuration of a control that notes what it is shown. */
    record None() {}

    private final class Noting implements RateControlMechanism<None>, RateControl {
        @Override
        public String name() {
            return "noting";
        }

        @Override
        public String says() {
            return "Notes what it is shown.";
        }

        @Override
        public Class<None> configuration() {
            return None.class;
        }

        @Override
        public HopEcho hopEcho(None configuration) {
            return HopEcho.WHOLE;
        }

        @Override
        public RateControl control(None configuration) {
            return this;
        }

        @Override
        public void begin(long nowNs, long lineRateBps, int frameBytes) {
            // Nothing to note.
        }

        @Override
        public void acknowledged(long nowNs, Sample sample) {
            StringBuilder text = new StringBuilder(sample.hops() + " back, there");
            HopRecords there = sample.echoed();
            for (int hop = 0; hop < there.hops(); hop++) {
                text.append(
                        " %d %d %d %d;"
                                .formatted(
                                        there.hop(hop).queueBytes,
                                        there.hop(hop).sentBytes,
                                        there.hop(hop).timeNs,
                                        there.hop(hop).rateBps));
            }
            shown.add(text.toString());
        }

        @Override
        public long rateBps() {
            return 10_000_000_000L;
        }
    }

    private final List<String> shown = new ArrayList<>();
    private final FrameRegion region = new FrameRegion(1, 2048);
    private final Frame frame = region.frame(0);
    private final CounterBlock counters = new RdmaHosts.Host().card.hostCounters();
    private final QueuePair sender = pair(2, 3, new Noting());
    private final QueuePair receiver = pair(3, 2, new Noting());

    private QueuePair pair(int own, int peer, Noting control) {
        RateControls<None> rates = new RateControls<>(control, new None());
        return new QueuePair(
                0,
                new Path(1, 2, 0x0A00_0001, 0x0A00_0002, 50_000, 0),
                new QueuePair.Peer(own, 0, QueuePair.firstAddress(), own << 8, 1_000),
                new QueuePair.Peer(peer, 0, QueuePair.firstAddress(), peer << 8, 1_000),
                new Requester(
                        new Requester.Settings(1_000, 0, 1, 1_000_000, 1),
                        MessageListener.NONE,
                        0,
                        0),
                new Responder(1_000, 0, MessageListener.NONE, rates.hopEcho(), 0),
                Arena.ofAuto().allocate(1_000),
                rates,
                10_000_000_000L,
                1_514,
                counters);
    }

    private void carry(QueuePair to, int bodyBytes, @Nullable HopRecords hops) {
        to.arrived(1_000, frame.dataOffset + BTH, bodyBytes, 0, frame.lengthBytes, hops);
    }

    private int bodyBytes() {
        long ip = frame.dataOffset + Ethernet.HEADER_BYTES;
        int behind = Ipv4.totalBytes(MEMORY, ip) - RocePacket.IP_TO_BTH_BYTES - Bth.HEADER_BYTES;
        return behind - Icrc.BYTES - Bth.padBytes(MEMORY, frame.dataOffset + BTH);
    }

    private void send(@Nullable HopRecords hops) {
        sender.requester().post(Verb.WRITE, 100);
        sender.sendInto(frame, 0);
        carry(receiver, bodyBytes(), hops);
    }

    private void answer() {
        receiver.answerInto(frame);
        assertThat(
                        Icrc.verify(
                                MEMORY,
                                frame.dataOffset + Ethernet.HEADER_BYTES,
                                frame.lengthBytes - Ethernet.HEADER_BYTES))
                .isTrue();
        carry(sender, bodyBytes(), null);
    }

    private static HopRecords hops(int count, long rateBps) {
        HopRecords hops = new HopRecords();
        for (int hop = 0; hop < count; hop++) {
            hops.add(100 + hop, 1L << 40, 3L << 40, rateBps);
        }
        return hops;
    }

    @Test
    void anAcknowledgementTellsOfTheLastPacketsWayOnce() {
        send(hops(1, 0));
        HopRecords last = hops(2, 400_000_000_000L);
        send(last);
        send(null);
        last.clear();
        answer();
        assertThat(shown)
                .containsExactly(
                        "0 back, there 100 1099511627776 3298534883328 400000000000;"
                                + " 101 1099511627776 3298534883328 400000000000;");
        send(new HopRecords());
        answer();
        assertThat(shown).last().isEqualTo("0 back, there");
        assertThat(counters.get(RdmaCounter.MALFORMED)).isZero();
    }

    @Test
    void portsBeyondTheFifthAreLeftOutAndValuesBeyondAFieldAreItsLargest() {
        HopRecords hops = hops(4, 0);
        hops.add(1L << 50, 0, 0, 1L << 62);
        hops.add(7, 7, 7, 7);
        send(hops);
        answer();
        assertThat(shown).singleElement().asString().endsWith("; 4294967295 0 0 1677721500000;");
        assertThat(shown.getFirst().split(";")).hasSize(5);
    }

    @Test
    void theEchoSaysWhichPortItIsAndHowManyBitsOfItsCountsAreSaid() {
        HopRecords hops = hops(1, 0);
        HopRecord sent = hops.hop(0);
        sent.node = 0xFF_FFFE;
        sent.egressPort = 64;
        sent.timeBits = 24;
        sent.sentBits = 27;
        send(hops);
        receiver.answerInto(frame);
        HopRecords read = new HopRecords();
        long at = frame.dataOffset + BTH + Bth.HEADER_BYTES + Aeth.HEADER_BYTES;
        assertThat(HopEcho.WHOLE.read(MEMORY, at, 28, read)).isTrue();
        assertThat(read.hop(0).isOfPort(sent)).isTrue();
        hops = hops(1, 0);
        send(hops);
        receiver.answerInto(frame);
        read.clear();
        assertThat(HopEcho.WHOLE.read(MEMORY, at, 28, read)).isTrue();
        assertThat(read.hop(0).node).isEqualTo(HopRecord.UNKNOWN);
        assertThat(read.hop(0).egressPort).isEqualTo(HopRecord.UNKNOWN);
        Wire.put8(MEMORY, at + 3, 0); // no bits of time
        read.clear();
        assertThat(HopEcho.WHOLE.read(MEMORY, at, 28, read)).isFalse();
    }

    @Test
    void whatMakesNoSenseBehindAnAcknowledgementIsCountedAndTheAcknowledgementCounts() {
        send(hops(2, 1));
        receiver.answerInto(frame);
        carry(sender, bodyBytes() - 4, null);
        assertThat(shown).containsExactly("0 back, there");
        assertThat(counters.get(RdmaCounter.MALFORMED)).isEqualTo(1);
        assertThat(counters.get(RdmaCounter.ACKS_RECEIVED)).isEqualTo(1);
        send(null);
        receiver.answerInto(frame);
        carry(sender, 4 + 6 * 28, null);
        assertThat(shown).hasSize(2).last().isEqualTo("0 back, there");
        assertThat(counters.get(RdmaCounter.MALFORMED)).isEqualTo(2);
    }
}
