package io.headgate.hostagent.card;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.read.PortTrafficReader;
import io.headgate.dataplane.device.MemoryWire;
import io.headgate.dataplane.engine.Duty;
import io.headgate.dataplane.engine.PolledHost;
import io.headgate.dataplane.frame.MacControl;
import io.headgate.dataplane.memory.DropReason;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A host's card: what passes it, and what waits. */
final class HostCardTest {
    private static final long RATE_BPS = 10_000_000_000L;
    private static final int PAUSED = 3;
    private static final int OTHER = 5;

    private final HostCard card =
            new HostCard(
                    CardSetup.of("h1", RATE_BPS)
                            .withWire(
                                    PortTrafficReader.read(
                                                    "{flow-control: pfc, lossless: [3, 5],"
                                                            + " buffers: {xoff: 20kB, xon: 10kB}}")
                                            .at(RATE_BPS, 1500, 1_000, 0)),
                    new PolledHost(1_000_000, 0));
    private final MemoryWire.FarEnd application = connect(HostCard.APP);
    private final MemoryWire.FarEnd wire = connect(HostCard.WIRE);
    private long nowNs;

    private MemoryWire.FarEnd connect(int port) {
        MemoryWire link = new MemoryWire("m" + port, 256, 1518);
        var device = link.device(0, card.region());
        card.ingress(port).attach(device);
        card.egress(port).attach(device);
        return link.farEnd(1);
    }

    private void run(long durationNs) {
        for (long endNs = nowNs + durationNs; nowNs < endNs; nowNs += 1_000) {
            for (Duty duty : card.duties()) {
                duty.doWork(nowNs);
            }
        }
    }

    /** A frame with a tag that carries a priority and no VLAN (IEEE 802.1Q 6.9). */
    private static byte[] tagged(int pcp) {
        ByteBuffer frame = ByteBuffer.allocate(64);
        frame.putShort((short) 0x0200).putInt(2).putShort((short) 0x0200).putInt(1);
        frame.putShort((short) 0x8100).putShort((short) (pcp << 13)).putShort((short) 0x88B6);
        return frame.array();
    }

    /** A PAUSE of 65,535 quanta, or a grant, if the receiver takes it for one. */
    private static byte[] linkControl(int type, int... tag) {
        ByteBuffer frame = ByteBuffer.allocate(64);
        frame.putShort((short) 0x0200).putInt(2).putShort((short) 0x0200).putInt(1);
        for (int word : tag) {
            frame.putShort((short) word);
        }
        frame.putShort((short) type).putShort((short) 1).putShort((short) -1);
        return frame.array();
    }

    private List<Integer> prioritiesOnTheWire() {
        List<Integer> priorities = new ArrayList<>();
        for (byte[] frame = wire.collect(); frame != null; frame = wire.collect()) {
            if (frame[12] == (byte) 0x81 && frame[13] == 0) {
                priorities.add((frame[14] & 0xFF) >> 5);
            }
        }
        return priorities;
    }

    @Test
    void framesOfAPausedTagWaitAndOthersLeave() {
        byte[] pause = new byte[MacControl.FRAME_BYTES];
        MacControl.writePfc(MemorySegment.ofArray(pause), 0, 0x0200_0000_0002L, 1 << PAUSED, 1000);
        assertThat(wire.inject(pause)).isTrue();
        run(5_000);
        for (int priority : new int[] {PAUSED, OTHER, 0, PAUSED}) {
            assertThat(application.inject(tagged(priority))).isTrue();
        }
        run(20_000);
        assertThat(prioritiesOnTheWire()).containsExactlyInAnyOrder(OTHER, 0);
        // 1,000 quanta of 512 bits at 10 Gb/s are 51.2 µs.
        run(40_000);
        assertThat(prioritiesOnTheWire()).containsExactly(PAUSED, PAUSED);
    }

    @Test
    void linkControlOfOthersPassesInNeitherDirection() {
        int sent = 0;
        for (MemoryWire.FarEnd end : List.of(application, wire)) {
            for (int type : new int[] {0x8808, 0x88B5}) {
                for (int[] tag : new int[][] {{}, {0x8100, 0xE000}, {0x8100, 20}}) {
                    assertThat(end.inject(linkControl(type, tag))).isTrue();
                    sent++;
                }
            }
            assertThat(end.inject(linkControl(0x88B6))).isTrue();
        }
        run(100_000);
        for (MemoryWire.FarEnd end : List.of(application, wire)) {
            assertThat(end.collect()).isEqualTo(linkControl(0x88B6));
            assertThat(end.collect()).isNull();
        }
        assertThat(dropped(DropReason.LINK_CONTROL_MISADDRESSED)).isEqualTo(sent);
    }

    private long dropped(DropReason reason) {
        return card.counters().entries().stream()
                .filter(entry -> entry.label().equals("drop." + reason))
                .mapToLong(card.counters()::value)
                .sum();
    }
}
