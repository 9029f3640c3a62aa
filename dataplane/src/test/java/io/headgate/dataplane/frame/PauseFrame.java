package io.headgate.dataplane.frame;

import java.lang.foreign.MemorySegment;

/**
 * A PAUSE frame (IEEE 802.3 Annex 31B), for control, tests and the command line; the path of a
 * frame uses {@link MacControl}.
 *
 * @param source MAC address of the sending port
 * @param quanta how long to pause, 0 to 65,535 quanta of 512 bit times; 0 resumes
 */
public record PauseFrame(long source, int quanta) {

    public PauseFrame {
        if (quanta < 0 || quanta > MacControl.MAX_QUANTA) {
            throw new IllegalArgumentException(
                    "A pause of " + quanta + " quanta cannot be sent; 0 to 65535 are allowed.");
        }
    }

    /**
     * Reads a frame without FCS.
     *
     * @throws IllegalArgumentException with a sentence for a person, if it is not a PAUSE frame
     */
    public static PauseFrame parse(byte[] frame) {
        MemorySegment segment = MemorySegment.ofArray(frame);
        if (!MacControl.isPause(segment, 0, frame.length)) {
            throw new IllegalArgumentException(
                    "These "
                            + frame.length
                            + " bytes are not a PAUSE frame: that has EtherType"
                            + " 0x8808, opcode 0x0001, and at least 18 bytes.");
        }
        return new PauseFrame(Ethernet.source(segment, 0), MacControl.pauseQuanta(segment, 0));
    }

    /** The frame's 60 bytes, without FCS. */
    public byte[] encode() {
        byte[] frame = new byte[MacControl.FRAME_BYTES];
        MacControl.writePause(MemorySegment.ofArray(frame), 0, source, quanta);
        return frame;
    }
}
