package io.headgate.dataplane.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Frames of several segments before a device that takes single ones. */
class SegmentCutterTest {
    private final FrameRegion region = WholeFrame.region(8);
    private final Narrow narrow = new Narrow();
    private final SegmentCutter cutter = new SegmentCutter(narrow);

    /** Takes a few frames a call, and refuses some. */
    private static final class Narrow implements PortDevice {
        final List<byte[]> sent = new ArrayList<>();
        final TransmitStatus status = new TransmitStatus();
        int room;
        int refused = -1;

        @Override
        public DeviceInfo info() {
            return new DeviceInfo("narrow", "n", 0, 1518, "", false);
        }

        @Override
        public int receive(long nowNs, FreeList free, Frame[] batch, int limit) {
            return 0;
        }

        @Override
        public int transmit(Frame[] batch, int from, int count) {
            int taken = Math.min(room, count);
            for (int i = from; i < from + taken; i++) {
                if (sent.size() == refused) {
                    status.refuse(1, batch[i].lengthBytes);
                }
                assertThat(batch[i].lengthBytes).isEqualTo(batch[i].storedBytes);
                sent.add(WholeFrame.bytes(batch[i]));
            }
            room -= taken;
            return taken;
        }

        @Override
        public TransmitStatus transmitStatus() {
            return status;
        }

        @Override
        public boolean isUp() {
            return true;
        }

        @Override
        public void readReceiveDrops(DropTotals totals) {}

        @Override
        public void readTransmitDrops(DropTotals totals) {}

        @Override
        public boolean armReceive() {
            return false;
        }

        @Override
        public void close() {}
    }

    private Frame whole(int slot, int payloadBytes) {
        Frame frame = region.frame(slot);
        WholeFrame.ipv4(payloadBytes, 1_000).into(frame);
        frame.packetId = 100L + slot;
        return frame;
    }

    private Frame single(int slot) {
        Frame frame = region.frame(slot);
        WholeFrame.ipv4(500, 1_000).write(frame);
        WholeFrame.take(frame);
        frame.packetId = 100L + slot;
        return frame;
    }

    private long[] whole() {
        DropTotals totals = new DropTotals();
        cutter.readTransmitDrops(totals);
        return new long[] {totals.wholeFrames(), totals.wholeSegments()};
    }

    @Test
    void segmentsLeaveInOrderHoweverFewTheDeviceTakes() {
        Frame[] batch = {single(0), whole(1, 10_000), whole(2, 64_000), single(3)};
        List<byte[]> expected = new ArrayList<>();
        expected.add(WholeFrame.bytes(batch[0]));
        expected.addAll(WholeFrame.segments(batch[1]));
        expected.addAll(WholeFrame.segments(batch[2]));
        expected.add(WholeFrame.bytes(batch[3]));
        int taken = 0;
        for (int call = 0; taken < batch.length && call < 1_000; call++) {
            narrow.room = 3;
            taken += cutter.transmit(batch, taken, batch.length - taken);
        }
        assertThat(narrow.sent).containsExactlyElementsOf(expected);
        assertThat(whole()).containsExactly(2, 74);
        assertThat(cutter.transmitStatus().refusedFrames()).isZero();
    }

    @Test
    void frameInPlaceOfOneThatWasTakenInPartLeavesWhole() {
        narrow.room = 4;
        assertThat(cutter.transmit(new Frame[] {whole(1, 10_000)}, 0, 1)).isZero();
        narrow.sent.clear();
        narrow.room = 100;
        Frame next = whole(1, 5_000);
        next.packetId++;
        assertThat(cutter.transmit(new Frame[] {next}, 0, 1)).isEqualTo(1);
        assertThat(narrow.sent).containsExactlyElementsOf(WholeFrame.segments(next));
    }

    @Test
    void frameOfWhichAnythingIsRefusedIsOneThatIs() {
        narrow.room = 100;
        narrow.refused = 3;
        Frame[] batch = {whole(1, 10_000), single(2)};
        assertThat(cutter.transmit(batch, 0, 2)).isEqualTo(2);
        assertThat(cutter.transmitStatus().refusedFrames()).isEqualTo(1);
        assertThat(cutter.transmitStatus().refusedBytes()).isEqualTo(batch[0].lengthBytes);
        assertThat(whole()).containsExactly(0, 0);
        narrow.refused = narrow.sent.size();
        assertThat(cutter.transmit(batch, 1, 1)).isEqualTo(1);
        assertThat(cutter.transmitStatus().refusedFrames()).isEqualTo(2);
    }
}
