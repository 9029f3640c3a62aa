package io.headgate.dataplane.device;

import io.headgate.config.DeviceConfig;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * A device that receives the frames of a capture file (pcap, pcapng) and writes transmitted frames
 * to another one (pcap with times in ns).
 *
 * <p>With recorded timing, a frame is due after the first call of {@link #receive} by the time
 * between the file's first frame and it; {@link #deadlineNs} returns when the next one is due. A
 * frame recorded before its predecessor is due with it. A file that ends within a frame, or in
 * garbage, ends the replay; {@link #trouble} explains why. Output frames carry the time of the
 * input's frames, or the time of day if there is no input.
 *
 * <p>Both halves must be on one worker: a transmitted frame gets the time of the latest receive.
 */
public final class PcapFileDevice implements PortDevice {
    private static final long FLUSH_INTERVAL_NS = 100_000_000;
    private static final long AT_ONCE_NS = Long.MIN_VALUE / 2;

    private final @Nullable CaptureFileInput input;
    private final @Nullable PcapFileOutput output;
    private final DeviceConfig.PcapFile config;
    private final MemorySegment segment;
    private final int maxFrameBytes;

    private final ChecksumWatch checksums = new ChecksumWatch();

    /** Whether the input shows a frame that is still to be received. */
    private boolean isPending;

    /** Whether the last frame read cannot be taken, so that the next must be read. */
    private boolean refused;

    private long pendingDueNs = Long.MAX_VALUE;
    private long firstRecordedNs;
    private boolean started;
    private long firstNowNs;
    private long lastNowNs;
    private long flushDueNs;
    private boolean closed;

    private long truncated;
    private long oversize;
    private final TransmitStatus status = new TransmitStatus();

    private PcapFileDevice(
            DeviceConfig.PcapFile config,
            FrameRegion region,
            @Nullable CaptureFileInput input,
            @Nullable PcapFileOutput output,
            long wallClockNs) {
        this.config = config;
        this.segment = region.segment();
        this.maxFrameBytes = region.maxFrameBytes();
        this.input = input;
        this.output = output;
        this.firstRecordedNs = wallClockNs;
    }

    /**
     * Opens the files.
     *
     * @param region the memory of the frames that it handles
     * @param wallClockNs first output time if there is no input, in ns since 1970-01-01 UTC
     * @throws DeviceException if one cannot be opened, or the input holds no Ethernet frames
     */
    public static PcapFileDevice open(
            DeviceConfig.PcapFile config, FrameRegion region, long wallClockNs)
            throws DeviceException {
        Path in = config.input();
        Path out = config.output();
        CaptureFileInput input = in == null ? null : openInput(in);
        try {
            PcapFileOutput output = out == null ? null : PcapFileOutput.open(out);
            PcapFileDevice device = new PcapFileDevice(config, region, input, output, wallClockNs);
            do {
                device.readAhead();
            } while (device.refused);
            if (input != null && device.isPending) {
                device.firstRecordedNs = input.timeNs();
            }
            return device;
        } catch (DeviceException refused) {
            if (input != null) {
                input.close();
            }
            throw refused;
        }
    }

    private static CaptureFileInput openInput(Path file) throws DeviceException {
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            throw new DeviceException(
                    "capture file %s%s"
                            .formatted(
                                    file,
                                    Files.exists(file)
                                            ? " cannot be read: it is a directory, or permission is"
                                                    + " denied"
                                            : " does not exist"));
        }
        return CaptureFileInput.open(file);
    }

    @Override
    public DeviceInfo info() {
        String name =
                (config.input() == null ? "-" : config.input())
                        + " > "
                        + (config.output() == null ? "-" : config.output());
        String detail =
                config.timing() == DeviceConfig.PcapFile.Timing.RECORDED
                        ? "replay with recorded timing"
                        : "replay as fast as possible";
        return new DeviceInfo("pcapfile", name, 0, maxFrameBytes, detail, true);
    }

    /** Whether every frame of the input has been received. */
    public boolean isExhausted() {
        return !isPending && !refused;
    }

    @Override
    public int receive(long nowNs, FreeList free, Frame[] batch, int limit) {
        lastNowNs = nowNs;
        if (!started) {
            started = true;
            firstNowNs = nowNs;
            flushDueNs = nowNs + FLUSH_INTERVAL_NS;
            schedule();
        }
        if (output != null && flushDueNs - nowNs <= 0) {
            output.flush();
            flushDueNs = nowNs + FLUSH_INTERVAL_NS;
        }
        int received = 0;
        // Refused frames take time, too: limit bounds them as well, so that they cannot
        // hold the worker.
        for (int looked = 0; looked < limit; looked++) {
            if (refused) {
                readAhead();
                continue;
            }
            CaptureFileInput from = input;
            if (from == null || !isPending || pendingDueNs - nowNs > 0) {
                break;
            }
            Frame frame = free.take();
            if (frame == null) {
                break;
            }
            frame.dataOffset = frame.slotOffset + FrameRegion.HEADROOM_BYTES;
            frame.lengthBytes = from.lengthBytes();
            frame.storedBytes = from.lengthBytes();
            from.copyTo(segment, frame.dataOffset);
            batch[received++] = frame;
            readAhead();
        }
        checksums.look(nowNs, batch, received);
        return received;
    }

    /** Reads the next frame, and says when it is due: one that cannot be taken, at once. */
    private void readAhead() {
        isPending = false;
        refused = false;
        pendingDueNs = Long.MAX_VALUE;
        if (input == null || closed || !input.next()) {
            return;
        }
        if (input.lengthBytes() > maxFrameBytes) {
            oversize++;
            refused = true;
        } else if (input.capturedBytes() < input.lengthBytes()) {
            truncated++;
            refused = true;
        } else {
            isPending = true;
        }
        schedule();
    }

    private void schedule() {
        if (input == null || isExhausted()) {
            return;
        }
        if (refused || config.timing() == DeviceConfig.PcapFile.Timing.FAST || !started) {
            pendingDueNs = AT_ONCE_NS;
            return;
        }
        long afterNs = Math.max(0, input.timeNs() - firstRecordedNs);
        pendingDueNs = afterNs > Long.MAX_VALUE / 2 ? Long.MAX_VALUE / 2 : firstNowNs + afterNs;
    }

    @Override
    public int transmit(Frame[] batch, int from, int count) {
        long timeNs = firstRecordedNs + (lastNowNs - firstNowNs);
        for (int i = from; i < from + count; i++) {
            if (output != null && !output.write(segment, batch[i], timeNs)) {
                status.refuse(1, batch[i].lengthBytes);
            }
        }
        return count;
    }

    @Override
    public TransmitStatus transmitStatus() {
        return status;
    }

    @Override
    public boolean isUp() {
        return !closed;
    }

    /** Why the replay or the output ended early, or why its frames are wrong. */
    @Override
    public String trouble() {
        StringJoiner said = new StringJoiner("; ");
        if (input != null) {
            say(said, input.problem());
            if (input.leftOutType() != CaptureFileInput.NONE) {
                say(
                        said,
                        ("capture file %s also has frames of link type %s, which are skipped: only"
                                        + " Ethernet (1) can be replayed")
                                .formatted(config.input(), input.leftOutType()));
            }
            if (checksums.seesUnfinished()) {
                say(
                        said,
                        ("capture file %s has frames without correct checksums (captured at a"
                                        + " sender that leaves checksums to hardware), which"
                                        + " receivers drop: capture after the sender's card, or"
                                        + " correct the file with 'tcprewrite --fixcsum'")
                                .formatted(config.input()));
            }
        }
        if (output != null) {
            say(said, output.problem());
        }
        return said.toString();
    }

    private static void say(StringJoiner said, String what) {
        if (!what.isEmpty()) {
            said.add(what);
        }
    }

    @Override
    public void readReceiveDrops(DropTotals totals) {
        totals.add(DropReason.TRUNCATED, truncated);
        totals.add(DropReason.OVERSIZE, oversize);
    }

    @Override
    public void readTransmitDrops(DropTotals totals) {}

    /** No descriptor: frames arrive only at {@link #deadlineNs}. */
    @Override
    public int receiveFd() {
        return FED_FROM_WITHIN;
    }

    @Override
    public boolean armReceive() {
        return !isExhausted() && pendingDueNs - lastNowNs <= 0;
    }

    @Override
    public long deadlineNs() {
        return pendingDueNs;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (input != null) {
            input.close();
        }
        if (output != null) {
            output.close();
        }
    }
}
