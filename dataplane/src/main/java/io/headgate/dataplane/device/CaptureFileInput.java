package io.headgate.dataplane.device;

import io.headgate.config.Reason;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Reads the Ethernet frames of a capture file, in either byte order. Removes an FCS that the file
 * declares, and carries a fraction of a time beyond one second into the seconds. Does not use
 * libpcap, which does not know the FCS of pcapng and ends at a section in the other byte order, nor
 * pcap4j, because each of its reads creates objects that only a cleaner frees. Reading a frame
 * allocates nothing. Used by one thread.
 */
abstract sealed class CaptureFileInput implements AutoCloseable
        permits PcapFileInput, PcapngFileInput {
    /** Bytes of an Ethernet frame's FCS. */
    static final int FCS_BYTES = 4;

    /** Longest frame, in bytes; libpcap's limit. */
    static final int MOST_FRAME_BYTES = 1 << 18;

    static final int ETHERNET = 1;
    static final int NONE = -1;
    static final long NS_PER_S = 1_000_000_000;

    /** In the year 2261; what a damaged file has beyond counts as this. */
    private static final long MOST_SECONDS = Long.MAX_VALUE / NS_PER_S - 10;

    final Path file;
    final FileWindow window;
    private long frames;

    /** Bytes from the window's place on that the frame takes, and what belongs to it. */
    private long takenBytes;

    /** Whether the frame that is shown has not been asked for yet. */
    private boolean isAhead;

    // The frame that was shown last.
    private int offset;
    private int capturedBytes;
    private int lengthBytes;
    private long timeNs;

    private volatile String problem = "";

    CaptureFileInput(Path file, FileWindow window) {
        this.file = file;
        this.window = window;
    }

    /**
     * Opens a file and reads it up to its first frame.
     *
     * @throws DeviceException if it cannot be read, is not a capture, or has no Ethernet frames
     */
    static CaptureFileInput open(Path file) throws DeviceException {
        FileWindow window = null;
        try {
            window = new FileWindow(FileChannel.open(file, StandardOpenOption.READ));
            if (!window.has(Integer.BYTES)) {
                throw new DeviceException("capture file " + file + " is empty");
            }
            CaptureFileInput input;
            if (PcapngFileInput.begins(window)) {
                input = new PcapngFileInput(file, window);
            } else if (PcapFileInput.begins(window, ByteOrder.LITTLE_ENDIAN)
                    || PcapFileInput.begins(window, ByteOrder.BIG_ENDIAN)) {
                input = new PcapFileInput(file, window);
            } else {
                throw new DeviceException(
                        ("capture file %s is neither pcap nor pcapng; 'editcap -F pcapng %s OUTPUT'"
                                        + " converts any format that Wireshark can read")
                                .formatted(file, file));
            }
            input.isAhead = input.next();
            if (!input.isAhead && input.leftOutType() != NONE) {
                throw input.notEthernet(input.leftOutType());
            }
            window = null;
            return input;
        } catch (IOException failure) {
            throw new DeviceException(
                    "capture file " + file + " cannot be read: " + Reason.of(failure), failure);
        } finally {
            if (window != null) {
                close(window);
            }
        }
    }

    /**
     * Moves to the next frame; its bytes are valid until the next call.
     *
     * @return whether there is one; {@link #problem} says if the file ended early
     */
    final boolean next() {
        if (isAhead) {
            isAhead = false;
            return true;
        }
        if (!problem.isEmpty()) {
            return false;
        }
        try {
            if (!window.skip(takenBytes)) {
                throw cutOff();
            }
            takenBytes = 0;
            if (find()) {
                frames++;
                return true;
            }
        } catch (IOException failure) {
            problem =
                    "replay of %s ended after %s frames: %s"
                            .formatted(file, frames, Reason.of(failure));
        }
        return false;
    }

    /**
     * Finds the next frame and passes it to {@link #show}; returns false if there is none.
     *
     * @throws IOException also if the file is damaged, with what is wrong there
     */
    abstract boolean find() throws IOException;

    /**
     * Makes a frame the current one and removes its FCS; if the frame was cut, the cut took the FCS
     * first.
     *
     * @param at offset of its bytes, which are in the window
     * @param fcsBytes FCS bytes at its end
     * @param taken bytes that it occupies in the file, from the window's position
     */
    final void show(int at, int captured, int length, int fcsBytes, long taken) {
        int whole = Math.max(captured, length);
        offset = at;
        lengthBytes = whole - Math.min(whole, fcsBytes);
        capturedBytes = Math.min(captured, lengthBytes);
        takenBytes = taken;
    }

    /** Sets the capture time of the current frame. */
    final void time(long seconds, long ns) {
        timeNs = Math.clamp(seconds, 0, MOST_SECONDS) * NS_PER_S + ns;
    }

    /** Returns false, at the file's end. */
    final boolean end() throws IOException {
        if (!window.isAtEnd()) {
            throw cutOff();
        }
        return false;
    }

    static IOException cutOff() {
        return new IOException("the file ends within the next frame or block; it is truncated");
    }

    static IOException tooLong(long bytes) {
        return new IOException(
                "the next frame has %s bytes, but the maximum is %s; the file is damaged there"
                        .formatted(bytes, MOST_FRAME_BYTES));
    }

    final DeviceException notEthernet(int linkType) {
        return new DeviceException(
                "capture file %s has link type %s; only Ethernet (1) can be replayed"
                        .formatted(file, linkType));
    }

    /** Capture time of the frame, in ns since 1970-01-01 UTC. */
    final long timeNs() {
        return timeNs;
    }

    /** Number of captured bytes of the frame. */
    final int capturedBytes() {
        return capturedBytes;
    }

    /** Original length of the frame in bytes; at least {@link #capturedBytes}. */
    final int lengthBytes() {
        return lengthBytes;
    }

    final void copyTo(MemorySegment segment, long toOffset) {
        window.copy(offset, capturedBytes, segment, toOffset);
    }

    /** Why the file ended early, in one sentence; empty if it has not. For any thread. */
    final String problem() {
        return problem;
    }

    /** Link type of frames that were left out; {@link #NONE} if none were. For any thread. */
    int leftOutType() {
        return NONE;
    }

    @Override
    public final void close() {
        close(window);
    }

    private static void close(FileWindow window) {
        try {
            window.close();
        } catch (IOException closedEitherWay) {
            // It was only read.
        }
    }
}
