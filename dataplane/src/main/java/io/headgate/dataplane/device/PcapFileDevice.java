package io.headgate.dataplane.device;

import io.headgate.config.DeviceConfig;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import java.io.EOFException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Timestamp;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.pcap4j.core.NotOpenException;
import org.pcap4j.core.PcapHandle;
import org.pcap4j.core.PcapHandle.TimestampPrecision;
import org.pcap4j.core.PcapNativeException;
import org.pcap4j.core.Pcaps;
import org.pcap4j.packet.namednumber.DataLinkType;

/**
 * A port that hears a capture file and speaks into another: input through libpcap (pcap, pcapng),
 * output as pcap with times in ns.
 *
 * <p>With recorded timing a frame is due as long after the first call of {@link #receive} as it was
 * recorded after the file's first frame; {@link #deadlineNs} says when the next one is. A frame
 * recorded before its predecessor is due with it. A file that ends within a frame, or in garbage,
 * ends the replay, counted once as {@link DropReason#TRUNCATED}; {@link #problem} says what is
 * wrong. Output frames carry the time of the input's frames, or that of day without input.
 *
 * <p>Both halves are on one worker: a transmitted frame's time is that of the latest receive.
 */
public final class PcapFileDevice implements PortDevice {
    private static final long FLUSH_INTERVAL_NS = 100_000_000;
    private static final long AT_ONCE_NS = Long.MIN_VALUE / 2;

    private final @Nullable PcapHandle input;
    private final @Nullable PcapFileOutput output;
    private final DeviceConfig.PcapFile config;
    private final MemorySegment segment;
    private final int maxFrameBytes;

    private byte @Nullable [] pending;

    /** Whether the last one read cannot be taken, and the next is to be read. */
    private boolean refused;

    private long pendingRecordedNs;
    private long pendingDueNs = Long.MAX_VALUE;
    private long firstRecordedNs;
    private boolean started;
    private long firstNowNs;
    private long lastNowNs;
    private long flushDueNs;
    private long framesRead;
    private boolean closed;
    private @Nullable String problem;

    private long truncated;
    private long oversize;
    private final TransmitStatus status = new TransmitStatus();

    private PcapFileDevice(
            DeviceConfig.PcapFile config,
            FrameRegion region,
            @Nullable PcapHandle input,
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
     * @param region where the frames that it handles lie
     * @param wallClockNs ns since 1970-01-01 UTC: the first output time where there is no input
     * @throws DeviceException if one cannot be opened, or the input holds no Ethernet frames
     */
    public static PcapFileDevice open(
            DeviceConfig.PcapFile config, FrameRegion region, long wallClockNs)
            throws DeviceException {
        Path in = config.input();
        Path out = config.output();
        PcapHandle input = in == null ? null : openInput(in);
        try {
            PcapFileOutput output = out == null ? null : PcapFileOutput.open(out);
            PcapFileDevice device = new PcapFileDevice(config, region, input, output, wallClockNs);
            do {
                device.readAhead();
            } while (device.refused);
            if (device.pending != null) {
                device.firstRecordedNs = device.pendingRecordedNs;
            }
            return device;
        } catch (DeviceException refused) {
            if (input != null) {
                input.close();
            }
            throw refused;
        }
    }

    private static PcapHandle openInput(Path file) throws DeviceException {
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            throw new DeviceException(
                    "capture file %s%s"
                            .formatted(
                                    file,
                                    Files.exists(file)
                                            ? " cannot be read: it is a directory, or permission is denied"
                                            : " does not exist"));
        }
        try {
            PcapHandle handle = Pcaps.openOffline(file.toString(), TimestampPrecision.NANO);
            if (!DataLinkType.EN10MB.equals(handle.getDlt())) {
                String type = handle.getDlt().name();
                handle.close();
                throw new DeviceException(
                        "capture file %s has link type %s; only Ethernet (1) can be replayed"
                                .formatted(file, type));
            }
            return handle;
        } catch (PcapNativeException refused) {
            throw new DeviceException(
                    "capture file %s is neither pcap nor pcapng (libpcap: %s)"
                            .formatted(file, refused.getMessage()),
                    refused);
        } catch (LinkageError missing) {
            throw Libpcap.missing(missing);
        }
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

    /** What ended the replay or the output early, in one sentence; null if nothing did. */
    public @Nullable String problem() {
        return problem != null || output == null ? problem : output.problem();
    }

    /** Whether every frame of the input has been received. */
    public boolean isExhausted() {
        return pending == null && !refused;
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
        // Also frames that are refused take their time: so many must not hold the worker.
        for (int looked = 0; looked < limit; looked++) {
            if (refused) {
                readAhead();
                continue;
            }
            byte[] bytes = pending;
            if (bytes == null || pendingDueNs - nowNs > 0) {
                break;
            }
            Frame frame = free.take();
            if (frame == null) {
                break;
            }
            frame.dataOffset = frame.slotOffset + FrameRegion.HEADROOM_BYTES;
            frame.lengthBytes = bytes.length;
            frame.storedBytes = bytes.length;
            MemorySegment.copy(
                    bytes, 0, segment, ValueLayout.JAVA_BYTE, frame.dataOffset, bytes.length);
            batch[received++] = frame;
            readAhead();
        }
        return received;
    }

    /** Reads the next frame, and says when it is due: one that cannot be taken, at once. */
    private void readAhead() {
        pending = null;
        refused = false;
        pendingDueNs = Long.MAX_VALUE;
        if (input == null || problem != null || closed) {
            return;
        }
        byte[] bytes;
        int lengthBytes;
        try {
            bytes = input.getNextRawPacketEx();
            lengthBytes = input.getOriginalLength();
            pendingRecordedNs = recordedNs(input.getTimestamp());
        } catch (EOFException | TimeoutException | NotOpenException end) {
            return;
        } catch (PcapNativeException e) {
            breakOff(e.getMessage());
            return;
        } catch (IllegalArgumentException noTime) {
            // pcap4j, of a record with more than 10^9 ns in its second.
            breakOff("the next frame's time is none");
            return;
        }
        framesRead++;
        if (bytes.length > maxFrameBytes) {
            oversize++;
            refused = true;
        } else if (bytes.length < lengthBytes) {
            truncated++;
            refused = true;
        } else {
            pending = bytes;
        }
        schedule();
    }

    private void breakOff(@Nullable String reason) {
        truncated++;
        problem =
                "replay of " + config.input() + " ended after " + framesRead + " frames: " + reason;
    }

    private void schedule() {
        if (pending == null && !refused) {
            return;
        }
        if (refused || config.timing() == DeviceConfig.PcapFile.Timing.FAST || !started) {
            pendingDueNs = AT_ONCE_NS;
            return;
        }
        long afterNs = Math.max(0, pendingRecordedNs - firstRecordedNs);
        pendingDueNs = afterNs > Long.MAX_VALUE / 2 ? Long.MAX_VALUE / 2 : firstNowNs + afterNs;
    }

    private static long recordedNs(Timestamp timestamp) {
        return Math.floorDiv(timestamp.getTime(), 1000L) * 1_000_000_000L + timestamp.getNanos();
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

    @Override
    public void readReceiveDrops(DropTotals totals) {
        totals.add(DropReason.TRUNCATED, truncated);
        totals.add(DropReason.OVERSIZE, oversize);
    }

    @Override
    public void readTransmitDrops(DropTotals totals) {}

    /** Nothing arrives but at {@link #deadlineNs}. */
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
