package io.headgate.dataplane.frame;

/**
 * Opcodes of the InfiniBand base transport header for reliable connections (InfiniBand architecture
 * volume 1, table 38), and the opcode of the datagrams that set up connections.
 */
public final class RcOpcode {
    public static final int SEND_FIRST = 0x00;
    public static final int SEND_MIDDLE = 0x01;
    public static final int SEND_LAST = 0x02;
    public static final int SEND_ONLY = 0x04;
    public static final int WRITE_FIRST = 0x06;
    public static final int WRITE_MIDDLE = 0x07;
    public static final int WRITE_LAST = 0x08;
    public static final int WRITE_ONLY = 0x0A;
    public static final int ACKNOWLEDGE = 0x11;

    /** SEND Only of an unreliable datagram. */
    public static final int UD_SEND_ONLY = 0x64;

    private RcOpcode() {}

    /** The opcode of a packet of a SEND or an RDMA WRITE, by its position in the message. */
    public static int of(boolean isWrite, boolean isFirst, boolean isLast) {
        if (isFirst) {
            return isLast ? isWrite ? WRITE_ONLY : SEND_ONLY : isWrite ? WRITE_FIRST : SEND_FIRST;
        }
        return isLast ? isWrite ? WRITE_LAST : SEND_LAST : isWrite ? WRITE_MIDDLE : SEND_MIDDLE;
    }

    /** Whether it is one of the eight opcodes of SEND and RDMA WRITE without immediate data. */
    public static boolean isRequest(int opcode) {
        return isSend(opcode) || isWrite(opcode);
    }

    /**
     * Whether it is an opcode of reliable connections: those of datagrams, congestion notification
     * packets and other services have other bits set.
     */
    public static boolean isReliable(int opcode) {
        return opcode < 0x20;
    }

    private static boolean isSend(int opcode) {
        return opcode >= SEND_FIRST && opcode <= SEND_ONLY && opcode != SEND_LAST + 1;
    }

    public static boolean isWrite(int opcode) {
        return opcode >= WRITE_FIRST && opcode <= WRITE_ONLY && opcode != WRITE_LAST + 1;
    }

    /** Whether a message begins with it. */
    public static boolean isFirst(int opcode) {
        return opcode == SEND_FIRST
                || opcode == SEND_ONLY
                || opcode == WRITE_FIRST
                || opcode == WRITE_ONLY;
    }

    /** Whether a message ends with it. */
    public static boolean isLast(int opcode) {
        return opcode == SEND_LAST
                || opcode == SEND_ONLY
                || opcode == WRITE_LAST
                || opcode == WRITE_ONLY;
    }

    /** Bytes of the extended header that a request has behind the BTH. */
    public static int extendedBytes(int opcode) {
        return opcode == WRITE_FIRST || opcode == WRITE_ONLY ? Reth.HEADER_BYTES : 0;
    }
}
