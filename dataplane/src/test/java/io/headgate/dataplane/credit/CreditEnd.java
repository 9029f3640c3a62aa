package io.headgate.dataplane.credit;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.FlowControlConfig.Credits;
import io.headgate.dataplane.linkcontrol.PresentTime;
import io.headgate.dataplane.queue.Gate;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * One end of a link with credits, which a test drives by hand; the other end receives what it
 * sends.
 */
final class CreditEnd {
    static final int LANE = 3;
    static final int LANES = 1 << LANE;
    private static final long SOURCE = 0x0200_0000_0001L;

    final CreditRegister register = new CreditRegister();
    final CreditReceiver receiver;
    final CreditTransmitter transmitter;
    int heldBytes;
    int heldFrames;

    CreditEnd(Credits credits, int lanes, long digest) {
        receiver = new CreditReceiver(credits, lanes, digest, register, 1522);
        transmitter =
                new CreditTransmitter(credits, lanes, digest, register, PresentTime.OF_THE_CALL);
    }

    CreditEnd(Credits credits) {
        this(credits, LANES, 42);
    }

    byte[] call(long nowNs) {
        receiver.publish(nowNs);
        // A frame is written when it is due.
        transmitter.update(Math.max(nowNs, transmitter.deadlineNs()));
        byte[] frame = new byte[CreditTransmitter.MAX_FRAME_BYTES];
        int length = transmitter.write(nowNs, MemorySegment.ofArray(frame), 0, SOURCE);
        return Arrays.copyOf(frame, length);
    }

    void hear(long nowNs, byte[] frame) {
        receiver.receive(nowNs, MemorySegment.ofArray(frame), 0, frame.length);
        receiver.publish(nowNs);
        transmitter.update(nowNs);
    }

    boolean maySend(int lengthBytes) {
        return transmitter.room(0, LANE, lengthBytes) > 0;
    }

    void send(int lengthBytes) {
        transmitter.sent(LANE, transmitter.cost(lengthBytes));
    }

    void take(int lengthBytes) {
        receiver.arrived(LANE, Gate.blocks(lengthBytes, receiver.blockShift()));
        receiver.charged(LANE, 1, Gate.blocks(lengthBytes, receiver.blockShift()));
        heldBytes += lengthBytes;
        heldFrames++;
    }

    void forward(int lengthBytes) {
        receiver.released(LANE, 1, Gate.blocks(lengthBytes, receiver.blockShift()));
        heldBytes -= lengthBytes;
        heldFrames--;
    }

    static Credits credits(int scale, long bufferBytes, int bufferSlots) {
        return new Credits(Credits.Update.PERIODIC, 60_000, 0, scale, bufferBytes, bufferSlots);
    }

    static void bringUp(CreditEnd one, CreditEnd other) {
        for (int round = 0; round < 3; round++) {
            other.hear(0, one.call(0));
            one.hear(0, other.call(0));
        }
        assertThat(one.receiver.state()).isEqualTo(CreditRegister.UP);
        assertThat(other.receiver.state()).isEqualTo(CreditRegister.UP);
    }
}
