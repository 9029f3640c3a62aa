package io.headgate.testbed.swarm.draw;

import io.headgate.hostagent.rdma.Verb;
import io.headgate.testbed.traffic.frame.FrameShape;
import java.util.List;

/**
 * Draws which of the flows with acknowledgements are reliable connections (RoCEv2), the messages
 * that they carry, and which of them retransmit only lost packets. Their rate, window and priority
 * stay the same.
 */
final class ReliableDrawer {
    static final String NAME = "reliable";

    private static final int LEAST_FRAME_BYTES = 160;
    private static final int LONGEST_MESSAGE_BYTES = 65_536;
    private static final int MOST_REORDERING = 64;

    private final Draw draw;
    private final Draw repair;
    private final boolean isDrawn;

    ReliableDrawer(long seed, boolean isNeeded) {
        this.draw = new Draw(seed, NAME);
        this.repair = new Draw(seed, "repair");
        this.isDrawn = draw.chance(0.35) || isNeeded;
    }

    /** Returns the drawn flows; many of those with a window send messages. */
    List<Stream> reliable(List<Stream> streams) {
        return isDrawn ? streams.stream().map(this::reliable).toList() : streams;
    }

    private Stream reliable(Stream stream) {
        Verb verb = draw.oneOf(Verb.SEND, Verb.WRITE);
        int bytes = (int) draw.magnitude(1, LONGEST_MESSAGE_BYTES);
        boolean isChosen = draw.chance(0.7);
        int reordering = repair.chance(0.4) ? (int) repair.magnitude(1, MOST_REORDERING) : 0;
        FrameShape plain = stream.shape();
        int frameBytes = plain.frameLengthBytes(plain.segmentation().maxSegmentBytes());
        if (!isChosen || !stream.isWindowed() || frameBytes < LEAST_FRAME_BYTES) {
            return stream;
        }
        int untagged = plain.vlan() == FrameShape.UNTAGGED ? frameBytes : frameBytes - 4;
        if (untagged < LEAST_FRAME_BYTES) {
            return stream;
        }
        FrameShape.Acknowledgement answer = plain.acknowledgement();
        FrameShape shape =
                FrameShape.messages(
                                untagged, new FrameShape.Messages(verb, bytes, false, reordering))
                        .withPriority(plain.priority(), plain.dscp())
                        .withAcknowledgement(answer.priority(), answer.dscp())
                        .withEcn(plain.ecn());
        return stream.withShape(
                plain.vlan() == FrameShape.UNTAGGED ? shape : shape.withVlan(plain.vlan()));
    }
}
