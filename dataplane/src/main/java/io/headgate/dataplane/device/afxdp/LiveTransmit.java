package io.headgate.dataplane.device.afxdp;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.headgate.config.Reason;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.device.linux.Bpf;
import io.headgate.dataplane.device.linux.BpfArray;
import io.headgate.dataplane.device.linux.Errno;
import io.headgate.dataplane.device.linux.Files;
import io.headgate.dataplane.device.linux.SharedSlots;
import io.headgate.dataplane.device.linux.net.LinuxInterface;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Sends bursts of one worker's ports as XDP frames: in one system call, without a socket buffer per
 * frame. The call runs a program on new frames of the kernel ("live frames",
 * Documentation/bpf/bpf_prog_run). The program fills each with the next frame of a ring that is
 * shared with us, and sends it by its port; slots lie in a BPF array, so nothing is copied in user
 * space.
 *
 * <p>The kernel reports success even if the far end takes no XDP frame, and then no interface
 * counter changes. So a second program, at the kernel's tracepoint xdp_devmap_xmit, reports how
 * many frames each interface took, and after the call each port compares: if none was taken, the
 * frames are still staged, and leave through the port's socket ({@link LivePort}).
 *
 * <p>A program that is attached to no interface would make each call wait for all processors (24
 * ms); so it is attached to the loopback of a separate network namespace, which is never up and is
 * removed with the program. None of these kernel objects has a name, and all disappear with the
 * process.
 *
 * <p>The worker calls {@link #staged} and {@link #flush}; threads that open and close devices call
 * the rest.
 */
final class LiveTransmit {
    /** With fewer frames than this, sockets are as fast, and frames wait less. */
    static final int LEAST_FRAMES = 64;

    /** Maximum number of frames per port and call: the size of a veth's ring. */
    static final int MOST_PORT_FRAMES = 256;

    /** A port that has no more than this can stage a burst more. */
    private static final int MOST_HELD_FRAMES = 192;

    /**
     * Longest frame that is sent this way: fits into a page after the kernel's own data, with a
     * margin.
     */
    static final int MOST_FRAME_BYTES = 3072;

    /** The shortest frame, and the length with which the kernel creates each. */
    static final int LEAST_FRAME_BYTES = 60;

    /**
     * Frames that the kernel sends together. After each batch the far end takes them from its ring
     * of 256; a batch as long as the ring lost 4 frames of 1,000.
     */
    private static final int BATCH_FRAMES = 64;

    private static final int MOST_PORTS = 256;

    /** Calls that a signal may interrupt, or the kernel refuse, before the rest is given up. */
    private static final int MOST_CALLS = 16;

    /** Makes the kernel send from the ring: {@link Bpf.LiveRun#run}. */
    @FunctionalInterface
    interface Kernel {
        int run(int frames, @Nullable Errno reason);
    }

    private final Deque<Runnable> undo = new ArrayDeque<>();
    private final Errno errno = new Errno();
    private final BitSet numbers = new BitSet();
    private final MemorySegment state;
    private final int interfacesFd;
    private Kernel kernel;

    private final LivePort[] waiting = new LivePort[MOST_PORTS];
    private int waitingPorts;
    private int waitingFrames;

    // When the last cycle ended, as far as frames waited then.
    private int heldFrames;
    private long heldCycle;

    private final LivePort[] called = new LivePort[MOST_PORTS];
    private int calledPorts;
    private int calledFrames;

    // Entries written to the ring since opening.
    private int head;

    private LiveTransmit(BpfArray slots) throws DeviceException {
        try {
            Arena arena = Arena.ofShared();
            undo.push(arena::close);
            BpfArray array = new BpfArray(LiveState.BYTES, arena);
            int stateFd = required(array.result(), "make a BPF array");
            state = array.memory();
            interfacesFd = fd("make a BPF map", Bpf.createInterfaceMap(errno, MOST_PORTS));
            int program =
                    fd(
                            "load the sending program",
                            Bpf.loadXdp(
                                    errno,
                                    XdpProgram.sendFromRing(
                                            stateFd,
                                            slots.result(),
                                            (int) slots.memory().byteSize(),
                                            interfacesFd)));
            int reporter =
                    fd(
                            "load the reporting program",
                            Bpf.loadTracepoint(errno, XdpProgram.reportSent(stateFd)));
            fd("watch what is sent", Bpf.openTracepoint(errno, "xdp_devmap_xmit", reporter));
            int link =
                    NetworkNamespace.callInNew(
                            namespace -> undo.push(() -> Files.close(errno, namespace)),
                            () -> attach(program));
            fd("attach the program", link);
            MemorySegment frame = arena.allocate(LEAST_FRAME_BYTES, Long.BYTES);
            kernel = new Bpf.LiveRun(program, frame, BATCH_FRAMES, arena)::run;
        } catch (DeviceException | RuntimeException failure) {
            close();
            throw failure;
        }
    }

    private static int attach(int program) {
        return Bpf.attachXdp(
                new Errno(), program, NetworkNamespace.LOOPBACK, Bpf.XDP_FLAGS_SKB_MODE);
    }

    /**
     * Creates the programs and maps of a worker.
     *
     * @throws DeviceException names what the kernel refuses
     */
    static LiveTransmit open(SharedSlots slots) throws DeviceException {
        BpfArray array = slots.array();
        if (array == null) {
            throw new DeviceException("the kernel gives no memory to share with its programs");
        }
        return new LiveTransmit(array);
    }

    /** Tries what a worker needs; returns why it is not available, in one sentence. */
    static Optional<String> whyNot() {
        try {
            SharedSlots slots = new SharedSlots();
            MemorySegment _ = slots.allocate(SharedSlots.BEHIND_BYTES);
            open(slots).close();
            return Optional.empty();
        } catch (DeviceException e) {
            return Optional.of(Reason.of(e));
        }
    }

    private int fd(String what, int result) throws DeviceException {
        int fd = required(result, what);
        undo.push(() -> Files.close(errno, fd));
        return fd;
    }

    private static int required(int result, String what) throws DeviceException {
        if (result < 0) {
            throw new DeviceException(
                    "the kernel does not let us %s (%s); a kernel of 5.18 or later and root are needed"
                            .formatted(what, Errno.describe(result)));
        }
        return result;
    }

    /**
     * Adds a port's interface to those that can send frames. The calling thread is in its
     * namespace.
     *
     * @return the port's number, or a negated errno
     */
    synchronized int enter(LinuxInterface port) {
        int number = numbers.nextClearBit(0);
        if (number == MOST_PORTS) {
            return -Errno.ENOSPC;
        }
        int put = Bpf.put(new Errno(), interfacesFd, number, port.index());
        if (put < 0) {
            return put;
        }
        numbers.set(number);
        return number;
    }

    /** Removes a port; no frame of it is sent any more. */
    synchronized void leave(int number) {
        Bpf.removeInterface(new Errno(), interfacesFd, number);
        numbers.clear(number);
    }

    synchronized boolean isUnused() {
        return numbers.isEmpty();
    }

    /** Frees everything; no port is left. */
    void close() {
        while (!undo.isEmpty()) {
            undo.pop().run();
        }
    }

    // ---- the worker

    boolean isWaiting() {
        return waitingFrames > 0;
    }

    /** Called when a port has staged frames since the last {@link #flush}. */
    void staged(LivePort port, int frames) {
        if (!port.isWaiting) {
            port.isWaiting = true;
            waiting[waitingPorts++] = port;
        }
        waitingFrames += frames;
    }

    /**
     * Sends the staged frames of all ports, at the end of a worker's cycle. While each cycle stages
     * enough frames for a call, several cycles share one call: one call of 256 frames took three
     * quarters of the time of four calls.
     *
     * @param cycle as in {@link PortDevice#flush}
     */
    void flush(long nowNs, long cycle) {
        if (waitingFrames == 0 || cycle == heldCycle) {
            return;
        }
        boolean more = waitingFrames - heldFrames >= LEAST_FRAMES;
        if (more && waitingFrames <= MOST_HELD_FRAMES && cycle != PortDevice.LAST_CYCLE) {
            heldFrames = waitingFrames;
            heldCycle = cycle;
            return;
        }
        heldFrames = 0;
        try {
            if (waitingFrames >= LEAST_FRAMES) {
                send(nowNs);
            }
            for (int i = 0; i < waitingPorts; i++) {
                waiting[i].sendRest();
            }
        } finally {
            // Also where one port fails: the others go on.
            for (int i = 0; i < waitingPorts; i++) {
                waiting[i].isWaiting = false;
            }
            waitingPorts = 0;
            waitingFrames = 0;
            endCall();
        }
    }

    private void send(long nowNs) {
        for (int i = 0; i < waitingPorts; i++) {
            LivePort port = waiting[i];
            if (!port.maySend(nowNs)) {
                continue;
            }
            // By which name the reports will call a port is learnt from a call of its own.
            boolean alone = !port.isKnown();
            if (calledFrames > 0
                    && (alone || calledFrames + port.frames() > LiveState.RING_FRAMES)) {
                call(nowNs);
            }
            called[calledPorts++] = port;
            calledFrames += port.frames();
            port.writeTo(this);
            if (alone) {
                call(nowNs);
            }
        }
        if (calledFrames > 0) {
            call(nowNs);
        }
    }

    /** Writes the next entry of the ring. */
    void write(int address, int lengthBytes, int port) {
        long entry =
                LiveState.RING_OFFSET
                        + ((long) (head++ & LiveState.RING_FRAMES - 1) << LiveState.ENTRY_SHIFT);
        state.set(JAVA_INT, entry, address);
        state.set(JAVA_SHORT, entry + LiveState.LENGTH_OFFSET, (short) lengthBytes);
        state.set(JAVA_SHORT, entry + LiveState.PORT_OFFSET, (short) port);
    }

    private void call(long nowNs) {
        int came = run(calledFrames);
        if (came == 0) {
            // Once more, and now with the reason.
            int result = kernel.run(calledFrames, errno);
            came = calledFrames - left();
            for (int i = 0; i < calledPorts && came == 0; i++) {
                called[i].refused(nowNs, result);
            }
        }
        readReports();
        for (int i = 0; i < calledPorts; i++) {
            LivePort port = called[i];
            int frames = Math.min(came, port.frames());
            came -= frames;
            port.sent(nowNs, frames);
        }
        endCall();
    }

    /**
     * Makes the kernel send the entries written last; returns how many of the frames it processed.
     */
    int run(int frames) {
        state.set(JAVA_INT, LiveState.PENDING_OFFSET, 0);
        state.set(JAVA_INT, LiveState.REPORTS_OFFSET, 0);
        int left = frames;
        for (int calls = 0; left > 0 && calls < MOST_CALLS; calls++) {
            kernel.run(left, null);
            left = left();
        }
        return frames - left;
    }

    private int left() {
        return head - state.get(JAVA_INT, LiveState.CURSOR_OFFSET);
    }

    private void endCall() {
        // What the kernel did not come to is not taken later, when its slot may be another's.
        state.set(JAVA_INT, LiveState.CURSOR_OFFSET, head);
        state.set(JAVA_INT, LiveState.PENDING_OFFSET, 0);
        calledPorts = 0;
        calledFrames = 0;
    }

    /** Number of reports since the last call began. */
    int reports() {
        return state.get(JAVA_INT, LiveState.REPORTS_OFFSET);
    }

    /** Replaces the kernel interface; returns the previous one. */
    Kernel replace(Kernel other) {
        Kernel before = kernel;
        kernel = other;
        return before;
    }

    private void readReports() {
        int reports = reports();
        for (int i = 0; i < reports; i++) {
            long at = LiveState.REPORT_OFFSET + ((long) i << LiveState.REPORT_SHIFT);
            long name = state.get(JAVA_LONG, at);
            int taken =
                    state.get(JAVA_INT, at + LiveState.ERROR_OFFSET) < 0
                            ? 0
                            : state.get(JAVA_INT, at + LiveState.SENT_OFFSET)
                                    + state.get(JAVA_INT, at + LiveState.DROPS_OFFSET);
            for (int port = 0; port < calledPorts; port++) {
                if (called[port].reported(name, taken)) {
                    break;
                }
            }
        }
    }
}
