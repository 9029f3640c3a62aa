package io.headgate.dataplane.device.linux;

import java.util.Arrays;

/**
 * The XDP program that steers frames into our socket, assembled here: five instructions need no
 * compiler. It asks the map for the socket bound to the frame's receive queue and redirects to it;
 * where there is none, the low bits of the redirect's flags are the verdict.
 *
 * <pre>
 *   r2 = ctx->rx_queue_index
 *   r1 = map
 *   r3 = fallback verdict
 *   call bpf_redirect_map          (answers the verdict in r0)
 *   exit
 * </pre>
 *
 * Instructions are RFC 9669's: opcode, destination and source registers, offset, immediate.
 */
final class XdpProgram {
    /** Verdicts of enum xdp_action. */
    static final int XDP_DROP = 1;

    static final int XDP_PASS = 2;

    private static final int LOAD_WORD = 0x61;
    private static final int LOAD_IMMEDIATE_64 = 0x18;
    private static final int MOVE_IMMEDIATE = 0xb7;
    private static final int CALL = 0x85;
    private static final int EXIT = 0x95;

    /** Says in a 64-bit load that the immediate is a map's file descriptor. */
    private static final int PSEUDO_MAP_FD = 1;

    /** enum bpf_func_id. */
    private static final int REDIRECT_MAP = 51;

    /** Offset of rx_queue_index in struct xdp_md. */
    private static final int RX_QUEUE_INDEX_OFFSET = 16;

    private final long[] instructions = new long[16];
    private int length;

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
        program.add(LOAD_IMMEDIATE_64, 1, PSEUDO_MAP_FD, 0, mapFd);
        program.add(0, 0, 0, 0, 0);
        program.add(MOVE_IMMEDIATE, 3, 0, 0, fallback);
        program.add(CALL, 0, 0, 0, REDIRECT_MAP);
        program.add(EXIT, 0, 0, 0, 0);
        return Arrays.copyOf(program.instructions, program.length);
    }

    private void add(int opcode, int destination, int source, int offset, int immediate) {
        instructions[length++] =
                (opcode & 0xffL)
                        | (destination & 0xfL) << 8
                        | (source & 0xfL) << 12
                        | (offset & 0xffffL) << 16
                        | (long) immediate << 32;
    }
}
