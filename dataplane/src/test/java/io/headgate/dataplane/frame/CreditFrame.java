package io.headgate.dataplane.frame;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A credit frame, for control, tests and the command line; the path of a frame uses {@link
 * CreditControl}.
 *
 * @param source MAC address of the sending port
 * @param scale a block is 64 × 2<sup>scale</sup> bytes, 0 to 7
 * @param heard whether the sender has heard the receiver's initialisation
 * @param sequence number of this frame in its direction of the link
 * @param digest of the sender's classification; null unless the frame initialises
 * @param fcps 1 to 15 of them, all with the same op
 */
public record CreditFrame(
        long source,
        int scale,
        boolean heard,
        int sequence,
        @Nullable Long digest,
        List<Fcp> fcps) {

    /**
     * A flow control packet.
     *
     * @param lane 0 to 15
     * @param fctbs 0 to 4095
     * @param fccl 0 to 4095
     */
    public record Fcp(int lane, int fctbs, int fccl) {
        public Fcp {
            if ((lane & ~0xF) != 0 || (fctbs & ~0xFFF) != 0 || (fccl & ~0xFFF) != 0) {
                throw new IllegalArgumentException(
                        "A lane is 0 to 15, FCTBS and FCCL are 0 to 4095; not "
                                + lane
                                + ", "
                                + fctbs
                                + ", "
                                + fccl
                                + ".");
            }
        }
    }

    public CreditFrame {
        fcps = List.copyOf(fcps);
        if (fcps.isEmpty()
                || fcps.size() > CreditControl.MAX_FCPS
                || scale < 0
                || scale > CreditControl.MAX_SCALE) {
            throw new IllegalArgumentException(
                    "A credit frame has 1 to 15 FCPs and a block scale of 0 to 7; not "
                            + fcps.size()
                            + " and "
                            + scale
                            + ".");
        }
    }

    /**
     * Reads a frame without FCS.
     *
     * @throws IllegalArgumentException with a sentence for a person, if it is not a credit frame or
     *     one of its FCPs has a wrong CRC
     */
    public static CreditFrame parse(byte[] frame) {
        MemorySegment segment = MemorySegment.ofArray(frame);
        if (!CreditControl.isValid(segment, 0, frame.length)) {
            throw new IllegalArgumentException(
                    "These "
                            + frame.length
                            + " bytes are not a credit frame: that has EtherType 0x88B5, version"
                            + " and type 1, 1 to 15 FCPs of op 0 or 1, and is whole.");
        }
        List<Fcp> fcps = new ArrayList<>();
        for (int i = 0; i < CreditControl.count(segment, 0); i++) {
            if (!CreditControl.isFcpSound(segment, 0, i)) {
                throw new IllegalArgumentException("FCP " + i + " has a wrong CRC.");
            }
            fcps.add(
                    new Fcp(
                            CreditControl.lane(segment, 0, i),
                            CreditControl.fctbs(segment, 0, i),
                            CreditControl.fccl(segment, 0, i)));
        }
        boolean initialising = CreditControl.isInitialising(segment, 0);
        return new CreditFrame(
                Ethernet.source(segment, 0),
                CreditControl.scale(segment, 0),
                CreditControl.isHeard(segment, 0),
                CreditControl.sequence(segment, 0),
                initialising ? CreditControl.digest(segment, 0) : null,
                fcps);
    }

    /** The frame's bytes, 60 at least, without FCS. */
    public byte[] encode() {
        int op = digest == null ? CreditControl.NORMAL : CreditControl.INITIALISE;
        int lengthBytes = CreditControl.lengthBytes(fcps.size(), digest != null);
        byte[] frame = new byte[Math.max(Ethernet.MIN_FRAME_BYTES, lengthBytes)];
        MemorySegment segment = MemorySegment.ofArray(frame);
        CreditControl.writeHeader(segment, 0, source, fcps.size(), scale, heard, sequence);
        for (int i = 0; i < fcps.size(); i++) {
            Fcp fcp = fcps.get(i);
            CreditControl.writeFcp(segment, 0, i, op, fcp.fctbs, fcp.lane, fcp.fccl);
        }
        int written = CreditControl.finish(segment, 0, digest == null ? 0 : digest);
        return Arrays.copyOf(frame, written);
    }
}
