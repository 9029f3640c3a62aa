package io.headgate.testbed.scenario.bed;

import io.headgate.control.capture.CaptureException;
import io.headgate.control.capture.PcapngWriter;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.testbed.virtual.VirtualRun;
import io.headgate.testbed.virtual.link.LinkObserver;
import io.headgate.testbed.virtual.link.VirtualLink;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Writes the frames on links of a run in virtual time as pcapng, with an interface for each
 * direction. A frame's time is that of its first bit; time 0 of the run is 1970. If payload is not
 * stored, the stored part of a frame is written, with the full length.
 */
final class VirtualCapture implements LinkObserver, AutoCloseable {
    private static final int NOT_CAPTURED = -1;
    private static final long PS_PER_NS = 1000;

    /**
     * A busy transmitter starts the next frame at its picosecond, and is reported late by up to
     * this time.
     */
    private static final long UNORDERED_NS = 1;

    private static final String LOST_COMMENT = "lost on the way";

    private final PcapngWriter writer;
    private final int[] interfaces;

    /** Frames held back, by time: a frame reported next may be earlier than they are. */
    private final List<Held> held = new ArrayList<>();

    @SuppressWarnings("ArrayRecordComponent") // they are not compared
    private record Held(int number, long timeNs, byte[] bytes, int lengthBytes, boolean isLost) {}

    VirtualCapture(VirtualRun run, CapturedLinks wanted, String comment) throws CaptureException {
        writer = PcapngWriter.open(wanted.file(), "headgate", comment);
        interfaces = new int[2 * run.links().size()];
        Arrays.fill(interfaces, NOT_CAPTURED);
        for (VirtualLink link : run.links()) {
            String a = link.end(0).nodeName();
            String b = link.end(1).nodeName();
            if (wanted.has(a, b)) {
                // Directions are numbered 2 * link + end.
                interfaces[2 * link.number()] = describe(a, b);
                interfaces[2 * link.number() + 1] = describe(b, a);
            }
        }
    }

    private int describe(String from, String to) {
        return writer.addInterface(from + ">" + to, "from " + from + " to " + to, 0, 0, 0);
    }

    @Override
    public void transmitted(
            int direction,
            long startPs,
            long arrivePs,
            int lengthBytes,
            long address,
            int storedBytes) {
        int number = interfaces[direction];
        if (number == NOT_CAPTURED) {
            return;
        }
        long timeNs = startPs / PS_PER_NS;
        byte[] bytes = new byte[storedBytes];
        MemorySegment.copy(
                FrameRegion.MEMORY, ValueLayout.JAVA_BYTE, address, bytes, 0, storedBytes);
        int place = held.size();
        while (place > 0 && held.get(place - 1).timeNs > timeNs) {
            place--;
        }
        held.add(place, new Held(number, timeNs, bytes, lengthBytes, arrivePs == LOST));
        writeBefore(timeNs - UNORDERED_NS);
    }

    private void writeBefore(long endNs) {
        while (!held.isEmpty() && held.getFirst().timeNs < endNs) {
            Held frame = held.removeFirst();
            writer.frame(
                    frame.number,
                    frame.timeNs,
                    frame.bytes,
                    frame.bytes.length,
                    frame.lengthBytes,
                    PcapngWriter.Direction.OUT,
                    PcapngWriter.NO_PACKET_ID,
                    PcapngWriter.NO_QUEUE,
                    0,
                    frame.isLost ? LOST_COMMENT : null);
        }
    }

    /**
     * Closes the file.
     *
     * @throws CaptureException if not all of it was written
     */
    @Override
    public void close() throws CaptureException {
        writeBefore(Long.MAX_VALUE);
        writer.close();
        String problem = writer.problem();
        if (problem != null) {
            throw new CaptureException(problem);
        }
    }
}
