package io.headgate.dataplane.device.afxdp;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.Bpf;
import io.headgate.dataplane.device.linux.Errno;
import io.headgate.dataplane.device.linux.Files;
import io.headgate.dataplane.device.linux.net.LinuxInterface;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Sends one UDP frame repeatedly from inside the kernel, at a rate or as fast as possible: for
 * measurements in which a sender in user space would be slower than the measured system. The kernel
 * runs an XDP program on copies of the frame, which redirects those that are due (Linux 5.18,
 * Documentation/bpf/bpf_prog_run); sixteen flows differ in the low byte of their source port.
 *
 * <p>The receiving interface must accept frames from XDP: a veth whose other end has an XDP
 * program, see {@link XdpPass}. Sending, and the kernel's work on receiving, happen inside {@link
 * #run}, on the calling thread's core. Used by one thread.
 */
public final class FrameGenerator implements AutoCloseable {
    /** Frames that are sent together, as many as in one NAPI poll. */
    public static final int BATCH_FRAMES = 64;

    /** Flows, by the low bits of the source port. */
    public static final int FLOWS = 16;

    /** Maximum lateness that is made up for, in ns: frames that are later are not sent at all. */
    public static final long MAX_CATCH_UP_NS = 50_000;

    private static final int SOURCE_PORT_LOW_BYTE = 14 + 20 + 1;

    /** Least time that one run of the program takes when it sends, and when it waits. */
    private static final int LEAST_SENDING_NS = 200;

    private static final int LEAST_WAITING_NS = 80;

    /** What is left of a run below this part of it is not worth another call. */
    private static final int NEGLIGIBLE_PART = 50;

    /** Times are kept in 1/1024 ns, so that a rate is met to a millionth. */
    private static final int TIME_SHIFT = 10;

    private static final int VALUE_BYTES = 56;
    private static final int INTERVAL_OFFSET = 8;
    private static final int MOST_OFFSET = 16;
    private static final int SENT_OFFSET = 24;
    private static final int FIRST_OFFSET = 32;
    private static final int LAST_OFFSET = 40;
    private static final int DURATION_OFFSET = 48;

    private final Arena arena = Arena.ofShared();
    private final Errno errno = new Errno();
    private final Bpf.LiveRun sender;
    private final MemorySegment state = arena.allocate(VALUE_BYTES, 8);
    private final String netns;
    private final String where;
    private final int mapFd;
    private final int programFd;
    private boolean closed;

    /**
     * Prepares to send from an interface.
     *
     * @param netns its namespace; empty: our own
     * @param bytes an untagged IPv4 UDP frame without options, its UDP checksum 0; at least 42
     * @throws DeviceException if there is no such interface, or the kernel refuses
     */
    public FrameGenerator(String netns, String interfaceName, byte[] bytes) throws DeviceException {
        LinuxInterface link = LinuxInterface.read(netns, interfaceName);
        this.netns = netns;
        where = link.where();
        MemorySegment frame = arena.allocate(bytes.length, 8);
        MemorySegment.copy(bytes, 0, frame, JAVA_BYTE, 0, bytes.length);
        mapFd = required(Bpf.createValueMap(errno, VALUE_BYTES), "make a BPF map");
        int program =
                Bpf.loadXdp(
                        errno,
                        XdpProgram.sendWhenDue(
                                mapFd, link.index(), TIME_SHIFT, SOURCE_PORT_LOW_BYTE, FLOWS - 1));
        if (program < 0) {
            Files.close(errno, mapFd);
        }
        programFd = required(program, "load the sending program");
        sender = new Bpf.LiveRun(programFd, frame, BATCH_FRAMES, arena);
    }

    /**
     * Result of a run.
     *
     * @param frames handed to the interface, which may have dropped some
     * @param durationNs from the first to the last, without the pauses between calls
     */
    public record Sent(long frames, long durationNs) {}

    /**
     * Sends for a while. The kernel needs about 20 ms to begin and end, in which nothing is sent.
     *
     * @param framesPerSec rate; 0: as many as possible
     * @param durationNs for how long, in ns
     * @throws DeviceException if the kernel cannot send
     */
    public Sent run(double framesPerSec, long durationNs) throws DeviceException {
        long intervalTicks =
                framesPerSec <= 0 ? 0 : Math.round((1L << TIME_SHIFT) * 1e9 / framesPerSec);
        int leastNs = framesPerSec <= 0 ? LEAST_SENDING_NS : LEAST_WAITING_NS;
        return NetworkNamespace.call(
                netns,
                () -> {
                    long frames = 0;
                    long ns = 0;
                    while (ns < durationNs) {
                        Sent sent = call(intervalTicks, durationNs - ns, leastNs);
                        frames += sent.frames;
                        ns += Math.max(1, sent.durationNs);
                        if (durationNs - ns < durationNs / NEGLIGIBLE_PART) {
                            break;
                        }
                    }
                    return new Sent(frames, ns);
                });
    }

    private Sent call(long intervalTicks, long durationNs, int leastNs) throws DeviceException {
        state.fill((byte) 0);
        state.set(JAVA_LONG, INTERVAL_OFFSET, intervalTicks);
        state.set(JAVA_LONG, MOST_OFFSET, MAX_CATCH_UP_NS << TIME_SHIFT);
        state.set(JAVA_LONG, DURATION_OFFSET, durationNs);
        required(Bpf.writeValue(errno, mapFd, state), "set the rate");
        int runs = Math.clamp(durationNs / leastNs, BATCH_FRAMES, Integer.MAX_VALUE);
        int result = sender.run(runs, errno);
        if (result != -Errno.EINTR) {
            required(result, "send");
        }
        required(Bpf.readValue(errno, mapFd, state), "read what was sent");
        return new Sent(
                state.get(JAVA_LONG, SENT_OFFSET),
                state.get(JAVA_LONG, LAST_OFFSET) - state.get(JAVA_LONG, FIRST_OFFSET));
    }

    private int required(int result, String what) throws DeviceException {
        if (result < 0) {
            throw new DeviceException(
                    ("cannot %s from interface %s: %s; a kernel of 5.18 or later and root are"
                                    + " needed")
                            .formatted(what, where, Errno.describe(result)));
        }
        return result;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            Files.close(errno, programFd);
            Files.close(errno, mapFd);
            arena.close();
        }
    }
}
