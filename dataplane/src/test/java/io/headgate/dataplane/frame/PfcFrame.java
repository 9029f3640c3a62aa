package io.headgate.dataplane.frame;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * A PFC frame (IEEE 802.3 Annex 31D), for control, tests and the command line; the path of a frame
 * uses {@link MacControl}.
 *
 * @param source MAC address of the sending port
 * @param enabled bit i set if the frame speaks of priority i, 0 to 255
 * @param quanta for each of the eight priorities how long to pause, 0 to 65,535 quanta of 512 bit
 *     times; 0 resumes, and is what a priority has that is not enabled
 */
public record PfcFrame(long source, int enabled, List<Integer> quanta) {
    public PfcFrame {
        quanta = List.copyOf(quanta);
        if (enabled < 0 || enabled > 0xFF || quanta.size() != PRIORITIES) {
            throw new IllegalArgumentException(
                    "A PFC frame enables some of eight priorities (0 to 255), with quanta for each;"
                            + " not "
                            + enabled
                            + " and quanta "
                            + quanta
                            + ".");
        }
        for (int priority = 0; priority < PRIORITIES; priority++) {
            int most = ((enabled >>> priority) & 1) * MacControl.MAX_QUANTA;
            int wanted = quanta.get(priority);
            if (wanted < 0 || wanted > most) {
                throw new IllegalArgumentException(
                        "Priority "
                                + priority
                                + " cannot have "
                                + wanted
                                + " quanta; 0 to "
                                + most
                                + " are allowed.");
            }
        }
    }

    /**
     * Reads a frame without FCS. The reserved half of the vector and quanta of priorities that are
     * not enabled are ignored, as a port ignores them.
     *
     * @throws IllegalArgumentException with a sentence for a person, if it is not a PFC frame
     */
    public static PfcFrame parse(byte[] frame) {
        MemorySegment segment = MemorySegment.ofArray(frame);
        if (!MacControl.isPfc(segment, 0, frame.length)) {
            throw new IllegalArgumentException(
                    "These "
                            + frame.length
                            + " bytes are not a PFC frame: that has EtherType 0x8808,"
                            + " opcode 0x0101, and at least 34 bytes.");
        }
        int enabled = MacControl.enabled(segment, 0);
        List<Integer> quanta = new ArrayList<>();
        for (int priority = 0; priority < PRIORITIES; priority++) {
            int enables = (enabled >>> priority) & 1;
            quanta.add(enables * MacControl.quanta(segment, 0, priority));
        }
        return new PfcFrame(Ethernet.source(segment, 0), enabled, quanta);
    }

    /** The frame's 60 bytes, without FCS. */
    public byte[] encode() {
        byte[] frame = new byte[MacControl.FRAME_BYTES];
        MemorySegment segment = MemorySegment.ofArray(frame);
        MacControl.writePfc(segment, 0, source, enabled, 0);
        for (int priority = 0; priority < PRIORITIES; priority++) {
            MacControl.quanta(segment, 0, priority, quanta.get(priority));
        }
        return frame;
    }
}
