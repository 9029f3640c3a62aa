package io.headgate.testbed.traffic.frame;

import io.headgate.config.Withers;
import io.headgate.dataplane.frame.Aeth;
import io.headgate.dataplane.frame.Bth;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.Ipv4;
import io.headgate.dataplane.frame.RcOpcode;
import io.headgate.dataplane.frame.Reth;
import io.headgate.dataplane.frame.Udp;
import io.headgate.dataplane.frame.Vlan;
import io.headgate.hostagent.rdma.Verb;

/**
 * The format of a flow's frames: UDP over IPv4, or RoCEv2 in it, followed by a {@link
 * TrafficHeader}. Only the headers are stored; payload and, in RoCEv2, the ICRC are zeros by
 * definition.
 *
 * <p>{@link #withVlan} and {@link #withPriority(int, int)} also change the components that depend
 * on theirs. All other withers change only one component: {@code withFormat}, {@code
 * withSegmentation} and {@code withMessages} do not adjust the length of frames; use {@link #udp},
 * {@link #rocev2} and {@link #messages(int, Messages)} for that; {@code withPriority(int)} and
 * {@code withDscp} leave the other one and the acknowledgements as they are; {@code with()} leaves
 * the length of tagged frames.
 *
 * @param format what is behind the IPv4 header
 * @param segmentation how a flow becomes frames
 * @param vlan VLAN id of the tag that frames carry, 0 for a priority tag; {@link #UNTAGGED}: none
 * @param priority 0 to 7: the tag's, if there is one, and the one that the switches are expected to
 *     find, however they classify
 * @param dscp differentiated services code point, 0 to 63
 * @param ecn the ECN code point that frames start with, 0 to 3
 * @param sourcePort UDP source port; 0: one per flow, between 49,152 and 65,535, for ECMP
 * @param acknowledgement priority and DSCP of acknowledgements
 * @param messages of a reliable connection; {@link Messages#NONE}: frames are datagrams, or have
 *     the window of {@link TrafficHeader}
 */
@Withers
public record FrameShape(
        Format format,
        Segmentation segmentation,
        int vlan,
        int priority,
        int dscp,
        int ecn,
        int sourcePort,
        Acknowledgement acknowledgement,
        Messages messages)
        implements FrameShapeBuilder.With {
    /** No VLAN tag. */
    public static final int UNTAGGED = -1;

    /** ECN code point of frames that no switch marks. */
    public static final int NOT_ECT = 0;

    public static final int ECT_1 = 1;
    public static final int ECT_0 = 2;
    public static final int CE = 3;

    /** Priority (0 to 7) and DSCP (0 to 63) of acknowledgements. */
    public record Acknowledgement(int priority, int dscp) {}

    /**
     * The messages of a reliable connection.
     *
     * @param bytes size of each message except a flow's last, which has the rest
     * @param stored whether frames are stored completely, with a correct ICRC
     * @param reordering with selective repair, the number of later packets after which a missing
     *     packet counts as lost; 0: all packets from the first missing one are sent again
     *     (go-back-N)
     */
    public record Messages(Verb verb, int bytes, boolean stored, int reordering) {
        /** No reliable connection. */
        public static final Messages NONE = new Messages(Verb.SEND, 0, false, 0);

        /** The default message size of perftest. */
        public static final int DEFAULT_BYTES = 65_536;

        private static final int LEAST_MTU_BYTES = 64;
    }

    /** Headers between IPv4 and {@link TrafficHeader}. */
    public enum Format {
        UDP(Udp.HEADER_BYTES, 0, 9),
        ROCEV2(Udp.HEADER_BYTES + Bth.HEADER_BYTES, 4, Bth.UDP_PORT);

        private final int headerBytes;
        private final int trailerBytes;
        private final int destinationPort;

        Format(int headerBytes, int trailerBytes, int destinationPort) {
            this.headerBytes = headerBytes;
            this.trailerBytes = trailerBytes;
            this.destinationPort = destinationPort;
        }

        /** UDP destination port: of the discard protocol (RFC 863), or RoCEv2's. */
        public int destinationPort() {
            return destinationPort;
        }

        int headerBytes() {
            return headerBytes;
        }

        int trailerBytes() {
            return trailerBytes;
        }
    }

    /**
     * @throws IllegalArgumentException if a value is out of its range
     */
    public FrameShape {
        if (vlan < UNTAGGED
                || vlan > 4094
                || notPriority(priority)
                || notPriority(acknowledgement.priority())
                || notDscp(dscp)
                || notDscp(acknowledgement.dscp())
                || ecn < 0
                || ecn > 3
                || sourcePort < 0
                || sourcePort > 65535) {
            throw new IllegalArgumentException(
                    ("VLAN %s (allowed: -1 to 4094), priority %s (0 to 7), DSCP %s (0 to 63), ECN"
                                    + " %s (0 to 3), source port %s (0 to 65535), %s")
                            .formatted(vlan, priority, dscp, ecn, sourcePort, acknowledgement));
        }
    }

    private static boolean notPriority(int value) {
        return value < 0 || value > 7;
    }

    private static boolean notDscp(int value) {
        return value < 0 || value > 63;
    }

    /**
     * Untagged UDP frames of one length, priority 0, not ECN capable; a flow's size counts the
     * bytes behind its UDP header.
     *
     * @param frameBytes without FCS, 60 to 16,000
     */
    public static FrameShape udp(int frameBytes) {
        return ofLength(Format.UDP, frameBytes);
    }

    /** As {@link #udp}, RoCEv2: a flow's size counts the bytes between BTH and ICRC. */
    public static FrameShape rocev2(int frameBytes) {
        return ofLength(Format.ROCEV2, frameBytes);
    }

    private static FrameShape ofLength(Format format, int frameBytes) {
        int headers =
                Ethernet.HEADER_BYTES
                        + Ipv4.MIN_HEADER_BYTES
                        + format.headerBytes()
                        + format.trailerBytes();
        return new FrameShape(
                format,
                new Segmentation(frameBytes - headers, headers, 0),
                UNTAGGED,
                0,
                0,
                NOT_ECT,
                0,
                new Acknowledgement(0, 0),
                Messages.NONE);
    }

    /**
     * Untagged RoCEv2 frames of a reliable connection with acknowledged messages. The path MTU is
     * the largest multiple of four that fits into a frame with all headers.
     *
     * @param frameBytes without FCS, 160 to 9,014
     */
    public static FrameShape messages(int frameBytes, Messages messages) {
        FrameShape plain = rocev2(frameBytes);
        int extended = messages.verb() == Verb.WRITE ? Reth.HEADER_BYTES : 0;
        int mtuBytes = (plain.segmentation.maxSegmentBytes() - extended) & -Integer.BYTES;
        if (mtuBytes < Messages.LEAST_MTU_BYTES) {
            throw new IllegalArgumentException(
                    "frames of %d bytes, which leave %d for messages; at least %d are needed"
                            .formatted(frameBytes, mtuBytes, Messages.LEAST_MTU_BYTES));
        }
        int headers = plain.segmentation.addedBytes();
        return plain.withSegmentation(new Segmentation(mtuBytes, headers, 0))
                .withMessages(messages);
    }

    /** Whether its frames are packets of messages on a reliable connection. */
    public boolean isReliable() {
        return !messages.equals(Messages.NONE);
    }

    /** With a tag of that VLAN, which makes frames longer by 4 bytes. */
    @Override
    public FrameShape withVlan(int id) {
        int longer = vlan == UNTAGGED ? Vlan.TAG_BYTES : 0;
        Segmentation tagged =
                new Segmentation(
                        segmentation.maxSegmentBytes(),
                        segmentation.addedBytes() + longer,
                        segmentation.minSegmentBytes());
        return FrameShapeBuilder.With.super.withVlan(id).withSegmentation(tagged);
    }

    /** With that priority and DSCP, acknowledgements too. */
    public FrameShape withPriority(int newPriority, int newDscp) {
        return withPriority(newPriority)
                .withDscp(newDscp)
                .withAcknowledgement(newPriority, newDscp);
    }

    /** With acknowledgements of a priority and DSCP of their own. */
    public FrameShape withAcknowledgement(int ackPriority, int ackDscp) {
        return withAcknowledgement(new Acknowledgement(ackPriority, ackDscp));
    }

    /** Bytes from the frame's start to its {@link TrafficHeader}. */
    int trafficOffset() {
        return ipOffset() + Ipv4.MIN_HEADER_BYTES + format.headerBytes();
    }

    int ipOffset() {
        return Ethernet.HEADER_BYTES + (vlan == UNTAGGED ? 0 : Vlan.TAG_BYTES);
    }

    /** Length of a frame's stored part, in bytes. */
    public int storedBytes() {
        return trafficOffset() + TrafficHeader.BYTES;
    }

    /** Shortest frame of this shape without FCS, in bytes. */
    public int minFrameBytes() {
        return Math.max(Ethernet.MIN_FRAME_BYTES, storedBytes() + format.trailerBytes());
    }

    /** Length without FCS of a packet of a message. */
    public int packetBytes(int opcode, int payloadBytes) {
        int pad = -payloadBytes & (Integer.BYTES - 1);
        return segmentation.addedBytes() + RcOpcode.extendedBytes(opcode) + payloadBytes + pad;
    }

    /**
     * Length without FCS of an acknowledgement on a reliable connection.
     *
     * @param moreBytes bytes after its header
     */
    public int answerBytes(int moreBytes) {
        return trafficOffset() + Aeth.HEADER_BYTES + moreBytes + format.trailerBytes();
    }

    /** Length without FCS of the frame that carries a segment. */
    public int frameLengthBytes(int segmentBytes) {
        return Math.max(minFrameBytes(), segmentBytes + segmentation.addedBytes());
    }
}
