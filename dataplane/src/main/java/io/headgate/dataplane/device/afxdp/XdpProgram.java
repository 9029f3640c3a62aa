package io.headgate.dataplane.device.afxdp;

import io.headgate.dataplane.device.linux.BpfProgram;

/**
 * The XDP programs as BPF instructions, assembled here: so few instructions need no compiler.
 *
 * <p>A device's program redirects frames to our socket. It looks up the socket that is bound to the
 * frame's receive queue in the map; if the map has none, the low bits of the redirect's flags are
 * the verdict.
 *
 * <pre>
 *   r2 = ctx->rx_queue_index
 *   r1 = map
 *   r3 = fallback verdict
 *   call bpf_redirect_map          (answers the verdict in r0)
 *   exit
 * </pre>
 */
public final class XdpProgram extends BpfProgram {
    /** Verdicts of enum xdp_action. */
    static final int XDP_DROP = 1;

    static final int XDP_PASS = 2;
    private static final int XDP_REDIRECT = 4;

    private static final int LOAD_HALF = 0x69;
    private static final int LOAD_DOUBLE = 0x79;
    private static final int STORE_BYTE = 0x73;
    private static final int STORE_DOUBLE = 0x7b;
    private static final int ADD = 0x0f;
    private static final int SUBTRACT = 0x1f;
    private static final int JUMP_IF_GREATER = 0x2d;
    private static final int JUMP_IF_NOT_GREATER = 0xbd;
    private static final int JUMP_IF_GREATER_IMMEDIATE = 0x25;
    private static final int JUMP_IF_LESS_IMMEDIATE = 0xa5;
    private static final int JUMP_IF_NOT_EQUAL = 0x5d;
    private static final int CALL = 0x85;

    /** enum bpf_func_id. */
    private static final int KTIME_GET_NS = 5;

    private static final int GET_SMP_PROCESSOR_ID = 8;
    private static final int REDIRECT = 23;
    private static final int REDIRECT_MAP = 51;
    private static final int XDP_ADJUST_TAIL = 65;
    private static final int XDP_STORE_BYTES = 190;

    /** Offset of rx_queue_index in struct xdp_md. */
    private static final int RX_QUEUE_INDEX_OFFSET = 16;

    private XdpProgram() {}

    /**
     * The program that redirects to an XSKMAP by receive queue.
     *
     * @param mapFd the XSKMAP
     * @param fallback {@link #XDP_DROP} or {@link #XDP_PASS}, for queues without a socket
     * @return the instructions, as the kernel takes them on a little-endian machine
     */
    static long[] redirectToSocket(int mapFd, int fallback) {
        XdpProgram program = new XdpProgram();
        program.add(LOAD_WORD, 2, 1, RX_QUEUE_INDEX_OFFSET, 0);
        program.map(1, mapFd);
        program.add(MOVE_IMMEDIATE, 3, 0, 0, fallback);
        program.add(CALL, 0, 0, 0, REDIRECT_MAP);
        return program.ending();
    }

    /** The program that lets every frame pass. */
    static long[] pass() {
        XdpProgram program = new XdpProgram();
        return program.endingWith(XDP_PASS);
    }

    /**
     * The program of {@link FrameGenerator}: sends the frame if one is due, and drops it if not.
     *
     * <pre>
     *   now = ktime
     *   if (first == 0) first = now
     *   if (now - first > duration) return XDP_DROP
     *   last = now
     *   now <<= shift
     *   if (due > now) return XDP_DROP
     *   if (now - due > most) due = now
     *   due += interval
     *   sent += 1
     *   frame[at] = sent & mask
     *   return redirect(interface)
     * </pre>
     *
     * @param mapFd a map of one value: due, interval, most (times, shifted), sent, first, last,
     *     duration; 8 bytes each
     * @param at the byte to number flows in, and the mask of their number
     */
    static long[] sendWhenDue(int mapFd, int interfaceIndex, int shift, int at, int mask) {
        XdpProgram program = new XdpProgram();
        program.add(LOAD_WORD, 6, 1, 0, 0);
        program.add(LOAD_WORD, 2, 1, 4, 0);
        program.add(MOVE, 3, 6, 0, 0);
        program.add(ADD_IMMEDIATE, 3, 0, 0, at + 1);
        int tooShort = program.add(JUMP_IF_GREATER, 3, 2, 0, 0);
        program.mapValue(7, mapFd);
        program.add(CALL, 0, 0, 0, KTIME_GET_NS);
        program.add(LOAD_DOUBLE, 1, 7, 32, 0);
        program.add(JUMP_IF_NOT_EQUAL_IMMEDIATE, 1, 0, 2, 0);
        program.add(STORE_DOUBLE, 7, 0, 32, 0);
        program.add(MOVE, 1, 0, 0, 0);
        program.add(MOVE, 2, 0, 0, 0);
        program.add(SUBTRACT, 2, 1, 0, 0);
        program.add(LOAD_DOUBLE, 3, 7, 48, 0);
        int over = program.add(JUMP_IF_GREATER, 2, 3, 0, 0);
        program.add(STORE_DOUBLE, 7, 0, 40, 0);
        program.add(SHIFT_LEFT_IMMEDIATE, 0, 0, 0, shift);
        program.add(LOAD_DOUBLE, 1, 7, 0, 0);
        int early = program.add(JUMP_IF_GREATER, 1, 0, 0, 0);
        program.add(MOVE, 2, 0, 0, 0);
        program.add(SUBTRACT, 2, 1, 0, 0);
        program.add(LOAD_DOUBLE, 3, 7, 16, 0);
        program.add(JUMP_IF_NOT_GREATER, 2, 3, 1, 0);
        program.add(MOVE, 1, 0, 0, 0);
        program.add(LOAD_DOUBLE, 2, 7, 8, 0);
        program.add(ADD, 1, 2, 0, 0);
        program.add(STORE_DOUBLE, 7, 1, 0, 0);
        program.add(LOAD_DOUBLE, 1, 7, 24, 0);
        program.add(ADD_IMMEDIATE, 1, 0, 0, 1);
        program.add(STORE_DOUBLE, 7, 1, 24, 0);
        program.add(AND_IMMEDIATE, 1, 0, 0, mask);
        program.add(STORE_BYTE, 6, 1, at, 0);
        program.add(MOVE_IMMEDIATE, 1, 0, 0, interfaceIndex);
        program.add(MOVE_IMMEDIATE, 2, 0, 0, 0);
        program.add(CALL, 0, 0, 0, REDIRECT);
        program.exit();
        program.target(tooShort);
        program.target(over);
        program.target(early);
        return program.endingWith(XDP_DROP);
    }

    /**
     * The program of {@link LiveTransmit}: fills the frame on which it runs with the next one of a
     * ring, and sends it.
     *
     * <pre>
     *   processor = this one
     *   entry = ring[cursor++ & mask]
     *   if (entry.length or entry.address out of bounds) return XDP_DROP
     *   adjust_tail(frame, entry.length - the length that all frames begin with)
     *   store_bytes(frame, 0, memory + entry.address, entry.length)
     *   verdict = redirect_map(interfaces, entry.port)
     *   if (verdict == XDP_REDIRECT) pending++
     *   return verdict
     * </pre>
     *
     * @param stateFd the map of one value that holds a {@link LiveState}
     * @param memoryFd the map of one value that holds all slots
     * @param memoryBytes its size
     * @param interfacesFd the map from ports to interfaces
     */
    static long[] sendFromRing(int stateFd, int memoryFd, int memoryBytes, int interfacesFd) {
        int baseBytes = LiveTransmit.LEAST_FRAME_BYTES;
        int mostBytes = LiveTransmit.MOST_FRAME_BYTES;
        XdpProgram program = new XdpProgram();
        program.add(MOVE, 6, 1, 0, 0);
        program.mapValue(7, stateFd);
        program.add(CALL, 0, 0, 0, GET_SMP_PROCESSOR_ID);
        program.add(STORE_WORD, 7, 0, LiveState.PROCESSOR_OFFSET, 0);
        program.add(LOAD_WORD, 1, 7, LiveState.CURSOR_OFFSET, 0);
        program.add(MOVE, 2, 1, 0, 0);
        program.add(ADD_IMMEDIATE, 2, 0, 0, 1);
        program.add(STORE_WORD, 7, 2, LiveState.CURSOR_OFFSET, 0);
        program.add(AND_IMMEDIATE, 1, 0, 0, LiveState.RING_FRAMES - 1);
        program.add(SHIFT_LEFT_IMMEDIATE, 1, 0, 0, LiveState.ENTRY_SHIFT);
        program.add(ADD, 7, 1, 0, 0);
        program.add(LOAD_WORD, 8, 7, LiveState.RING_OFFSET, 0);
        program.add(LOAD_HALF, 9, 7, LiveState.RING_OFFSET + LiveState.LENGTH_OFFSET, 0);
        program.add(LOAD_HALF, 7, 7, LiveState.RING_OFFSET + LiveState.PORT_OFFSET, 0);
        int tooLong = program.add(JUMP_IF_GREATER_IMMEDIATE, 9, 0, 0, mostBytes);
        int tooShort = program.add(JUMP_IF_LESS_IMMEDIATE, 9, 0, 0, baseBytes);
        int outside = program.add(JUMP_IF_GREATER_IMMEDIATE, 8, 0, 0, memoryBytes - mostBytes);
        program.add(MOVE, 1, 6, 0, 0);
        program.add(MOVE, 2, 9, 0, 0);
        program.add(ADD_IMMEDIATE, 2, 0, 0, -baseBytes);
        program.add(CALL, 0, 0, 0, XDP_ADJUST_TAIL);
        int notGrown = program.add(JUMP_IF_NOT_EQUAL_IMMEDIATE, 0, 0, 0, 0);
        program.mapValue(3, memoryFd);
        program.add(ADD, 3, 8, 0, 0);
        program.add(MOVE, 1, 6, 0, 0);
        program.add(MOVE_IMMEDIATE, 2, 0, 0, 0);
        program.add(MOVE, 4, 9, 0, 0);
        program.add(CALL, 0, 0, 0, XDP_STORE_BYTES);
        int notStored = program.add(JUMP_IF_NOT_EQUAL_IMMEDIATE, 0, 0, 0, 0);
        program.map(1, interfacesFd);
        program.add(MOVE, 2, 7, 0, 0);
        program.add(MOVE_IMMEDIATE, 3, 0, 0, XDP_DROP);
        program.add(CALL, 0, 0, 0, REDIRECT_MAP);
        program.countPending(stateFd);
        program.exit();
        for (int jump : new int[] {tooLong, tooShort, outside, notGrown, notStored}) {
            program.target(jump);
        }
        return program.endingWith(XDP_DROP);
    }

    /**
     * The program at the tracepoint xdp_devmap_xmit(from, to, sent, drops, error), at which the
     * kernel says how many frames of a batch an interface took: reports frames that {@link
     * #sendFromRing} sent. The kernel hands frames to interfaces and calls this before anything
     * else can run on the processor; so while frames are pending, reports of other programs' frames
     * come only if an interface took none of ours, for example because it is down.
     *
     * <pre>
     *   if (processor != this one || sent + drops > pending || reports >= most) return
     *   pending -= sent + drops
     *   report[reports++] = {to, sent, drops, error}
     * </pre>
     *
     * @param stateFd the map of one value that holds a {@link LiveState}
     */
    static long[] reportSent(int stateFd) {
        XdpProgram program = new XdpProgram();
        program.add(MOVE, 6, 1, 0, 0);
        program.mapValue(7, stateFd);
        program.add(CALL, 0, 0, 0, GET_SMP_PROCESSOR_ID);
        program.add(LOAD_WORD, 1, 7, LiveState.PROCESSOR_OFFSET, 0);
        int other = program.add(JUMP_IF_NOT_EQUAL, 0, 1, 0, 0);
        program.add(LOAD_DOUBLE, 1, 6, 2 * Long.BYTES, 0);
        program.add(LOAD_DOUBLE, 2, 6, 3 * Long.BYTES, 0);
        program.add(ADD, 1, 2, 0, 0);
        program.add(LOAD_WORD, 2, 7, LiveState.PENDING_OFFSET, 0);
        int others = program.add(JUMP_IF_GREATER, 1, 2, 0, 0);
        program.add(SUBTRACT, 2, 1, 0, 0);
        program.add(STORE_WORD, 7, 2, LiveState.PENDING_OFFSET, 0);
        program.add(LOAD_WORD, 1, 7, LiveState.REPORTS_OFFSET, 0);
        int full = program.add(JUMP_IF_GREATER_IMMEDIATE, 1, 0, 0, LiveState.MOST_REPORTS - 1);
        program.add(MOVE, 2, 1, 0, 0);
        program.add(ADD_IMMEDIATE, 2, 0, 0, 1);
        program.add(STORE_WORD, 7, 2, LiveState.REPORTS_OFFSET, 0);
        program.add(SHIFT_LEFT_IMMEDIATE, 1, 0, 0, LiveState.REPORT_SHIFT);
        program.add(ADD, 7, 1, 0, 0);
        program.add(LOAD_DOUBLE, 1, 6, Long.BYTES, 0);
        program.add(STORE_DOUBLE, 7, 1, LiveState.REPORT_OFFSET, 0);
        for (int word = 0; word < 3; word++) {
            program.add(LOAD_DOUBLE, 1, 6, (2 + word) * Long.BYTES, 0);
            program.add(
                    STORE_WORD,
                    7,
                    1,
                    LiveState.REPORT_OFFSET + LiveState.SENT_OFFSET + word * Integer.BYTES,
                    0);
        }
        program.target(other);
        program.target(others);
        program.target(full);
        return program.endingWith(0);
    }

    /** A frame is pending if the verdict sends it. */
    private void countPending(int stateFd) {
        int noInterface = add(JUMP_IF_NOT_EQUAL_IMMEDIATE, 0, 0, 0, XDP_REDIRECT);
        mapValue(1, stateFd);
        add(LOAD_WORD, 2, 1, LiveState.PENDING_OFFSET, 0);
        add(ADD_IMMEDIATE, 2, 0, 0, 1);
        add(STORE_WORD, 1, 2, LiveState.PENDING_OFFSET, 0);
        target(noInterface);
    }
}
