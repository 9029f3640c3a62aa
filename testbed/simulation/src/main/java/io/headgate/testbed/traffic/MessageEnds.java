package io.headgate.testbed.traffic;

import io.headgate.hostagent.rate.HopEcho;
import io.headgate.hostagent.rdma.Requester;
import io.headgate.hostagent.rdma.Responder;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.frame.TrafficHeader;
import io.headgate.testbed.traffic.spec.FlowSpec;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The two ends of a flow that is a reliable connection, as hosts have them on a real card, and its
 * messages: all except the last have the shape's size. Each is posted when all before it have been
 * sent, so a flow that is stopped ends with a whole message. The sending host changes the sender's
 * end, the receiving host the receiver's.
 *
 * <p>A packet carries a {@link TrafficHeader} as its first bytes: a message whose last packet has
 * no room for one is longer by the header's size.
 */
final class MessageEnds {
    private static final long PS_PER_NS = 1000;

    final Requester requester;
    final Responder responder;
    private final Supplier<FlowCounts> counts;
    private final FrameShape shape;
    private final int mtuBytes;
    private long leftBytes;

    /**
     * @param counts the sender's current counters; it may join another part before the run starts
     * @param windowFrames maximum number of packets in flight, until the requester gets another
     *     limit
     * @param ackEvery as {@link Requester.Settings#ackEvery}
     * @param echo how the receiver's responses report the packets' path; null: they do not
     */
    MessageEnds(
            Supplier<FlowCounts> counts,
            FrameShape shape,
            long sizeBytes,
            int windowFrames,
            int ackEvery,
            @Nullable HopEcho echo,
            long timeoutPs) {
        this.counts = counts;
        this.shape = shape;
        this.mtuBytes = shape.segmentation().maxSegmentBytes();
        this.leftBytes = sizeBytes;
        Requester.Settings settings =
                new Requester.Settings(
                        mtuBytes,
                        0,
                        ackEvery,
                        Math.max(1, timeoutPs / PS_PER_NS),
                        Requester.Settings.FOR_EVER);
        int reordering = shape.messages().reordering();
        int repairWindow = reordering == 0 ? 0 : repairWindow(windowFrames);
        this.requester =
                new Requester(
                        settings,
                        (nowNs, bytes, startedNs) ->
                                counts.get().completed(nowNs, bytes, startedNs),
                        repairWindow,
                        reordering);
        requester.window(0, windowFrames);
        this.responder =
                new Responder(mtuBytes, 0, (nowNs, bytes, startedNs) -> {}, echo, repairWindow);
    }

    /** As many packets as may be under way, as a power of two. */
    private static int repairWindow(int windowFrames) {
        return Math.max(Long.SIZE, Integer.highestOneBit(2 * windowFrames - 1));
    }

    /** Number of packets of a flow of this size; {@link Long#MAX_VALUE} for one without end. */
    static long packets(FrameShape shape, long sizeBytes) {
        if (sizeBytes == FlowSpec.UNLIMITED) {
            return Long.MAX_VALUE;
        }
        int mtuBytes = shape.segmentation().maxSegmentBytes();
        int each = shape.messages().bytes();
        long rest = sizeBytes % each;
        return sizeBytes / each * Requester.packets(lengthened(each, mtuBytes), mtuBytes)
                + (rest == 0 ? 0 : Requester.packets(lengthened(rest, mtuBytes), mtuBytes));
    }

    /** Bytes of the last packet of a flow of that size. */
    static int lastPacketBytes(FrameShape shape, long sizeBytes) {
        int mtuBytes = shape.segmentation().maxSegmentBytes();
        int each = shape.messages().bytes();
        long rest = sizeBytes % each;
        long last = lengthened(rest == 0 ? each : rest, mtuBytes);
        return (int) (last - (Requester.packets(last, mtuBytes) - 1) * mtuBytes);
    }

    private static long lengthened(long bytes, int mtuBytes) {
        long last = bytes - (Requester.packets(bytes, mtuBytes) - 1) * mtuBytes;
        return bytes + Math.max(0, TrafficHeader.BYTES - last);
    }

    /** Gives a kept connection its next message; all before it must have been sent. */
    void carry(long bytes) {
        leftBytes = bytes;
    }

    boolean isBetweenMessages() {
        return requester.hasSentAll();
    }

    /** Sends the next packet, of the current message or a new one. */
    void send(long nowNs) {
        if (requester.next() == requester.highest() && requester.hasSentAll()) {
            long bytes = Math.min(leftBytes, shape.messages().bytes());
            if (leftBytes != FlowSpec.UNLIMITED) {
                leftBytes -= bytes;
            }
            requester.post(shape.messages().verb(), lengthened(bytes, mtuBytes));
        }
        requester.send(nowNs);
        if (requester.isRepeated()) {
            counts.get().packetsRepeated++;
        }
    }
}
