package io.headgate.dataplane.device.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Several frames of a packet socket in one system call (recvmmsg(2), sendmmsg(2)), each read into
 * or sent from the caller's memory. Used by one thread; nothing is allocated after the start.
 *
 * <pre>
 *   struct mmsghdr, 64 bytes     struct iovec, 16 bytes each     control of each: a cmsghdr
 *   16  iovec  24  their number  0  address                      16  tpacket_auxdata:
 *   32  control  40  its length  8  length                           status 0, tci 16, tpid 18
 *   48  flags    56  received
 * </pre>
 */
public final class PacketMessages {
    /** Flags of a received message: it was longer than the room for it. */
    private static final int MSG_TRUNC = 0x20;

    private static final int STATUS_VLAN_VALID = 1 << 4;
    private static final int STATUS_VLAN_TPID_VALID = 1 << 6;
    private static final int PACKET_AUXDATA = 8;

    private static final int MESSAGE_BYTES = 64;
    private static final int IOVEC_OFFSET = 16;
    private static final int IOVEC_COUNT_OFFSET = 24;
    private static final int CONTROL_OFFSET = 32;
    private static final int CONTROL_LENGTH_OFFSET = 40;
    private static final int FLAGS_OFFSET = 48;
    private static final int RECEIVED_OFFSET = 56;

    private static final int IOVEC_BYTES = 16;
    private static final int CONTROL_BYTES = 64;
    private static final int CMSG_LEVEL_OFFSET = 8;
    private static final int CMSG_TYPE_OFFSET = 12;
    private static final int CMSG_DATA_OFFSET = 16;
    private static final int AUX_TCI_OFFSET = 16;
    private static final int AUX_TPID_OFFSET = 18;
    private static final int AUX_BYTES = 20;

    private final int headerBytes;
    private final int parts;
    private final MemorySegment messages;
    private final MemorySegment vectors;
    private final MemorySegment headers;
    private final MemorySegment controls;

    /**
     * @param count maximum number of messages per call
     * @param headerBytes bytes received before each frame, into separate memory; 0: none
     */
    public PacketMessages(int count, int headerBytes) {
        this.headerBytes = headerBytes;
        this.parts = headerBytes == 0 ? 1 : 2;
        Arena arena = Arena.ofAuto();
        messages = arena.allocate((long) count * MESSAGE_BYTES, 64);
        vectors = arena.allocate((long) count * parts * IOVEC_BYTES, 64);
        headers = arena.allocate((long) count * Math.max(16, headerBytes), 64);
        controls = arena.allocate((long) count * CONTROL_BYTES, 64);
        for (int i = 0; i < count; i++) {
            long message = (long) i * MESSAGE_BYTES;
            long vector = (long) i * parts * IOVEC_BYTES;
            long address = vectors.address() + vector;
            messages.set(ValueLayout.JAVA_LONG, message + IOVEC_OFFSET, address);
            messages.set(ValueLayout.JAVA_LONG, message + IOVEC_COUNT_OFFSET, parts);
            if (headerBytes > 0) {
                vectors.set(ValueLayout.JAVA_LONG, vector, header(i));
                vectors.set(ValueLayout.JAVA_LONG, vector + 8, headerBytes);
                messages.set(
                        ValueLayout.JAVA_LONG,
                        message + CONTROL_OFFSET,
                        controls.address() + (long) i * CONTROL_BYTES);
            }
        }
    }

    /** Sets the memory of a message's frame. */
    public void set(int index, long address, long lengthBytes) {
        long vector = ((long) index * parts + parts - 1) * IOVEC_BYTES;
        vectors.set(ValueLayout.JAVA_LONG, vector, address);
        vectors.set(ValueLayout.JAVA_LONG, vector + 8, lengthBytes);
    }

    /** Receives up to {@code count} messages; returns their number, or a negated errno. */
    public int receive(Errno errno, int fd, int count) {
        for (int i = 0; i < count; i++) {
            long message = (long) i * MESSAGE_BYTES;
            messages.set(ValueLayout.JAVA_LONG, message + CONTROL_LENGTH_OFFSET, CONTROL_BYTES);
        }
        return Sockets.recvmmsg(errno, fd, messages, count, Sockets.MSG_DONTWAIT);
    }

    /**
     * Sends {@code count} messages; returns how many were sent, from the first on, or a negated
     * errno.
     */
    public int send(Errno errno, int fd, int count) {
        return Sockets.sendmmsg(errno, fd, messages, count, Sockets.MSG_DONTWAIT);
    }

    /** Address of the header that came before a received frame. */
    public long header(int index) {
        return headers.address() + (long) index * Math.max(16, headerBytes);
    }

    /** Length of a received frame, cut to the room for it. */
    public int lengthBytes(int index) {
        return messages.get(ValueLayout.JAVA_INT, (long) index * MESSAGE_BYTES + RECEIVED_OFFSET)
                - headerBytes;
    }

    /** Whether a received frame was longer than the room for it. */
    public boolean isCut(int index) {
        int flags = messages.get(ValueLayout.JAVA_INT, (long) index * MESSAGE_BYTES + FLAGS_OFFSET);
        return (flags & MSG_TRUNC) != 0;
    }

    /**
     * The VLAN tag that the kernel removed from a received frame, with its type in the upper bits;
     * -1: none.
     */
    public long tag(int index) {
        long message = (long) index * MESSAGE_BYTES;
        long control = (long) index * CONTROL_BYTES;
        boolean isAux =
                messages.get(ValueLayout.JAVA_LONG, message + CONTROL_LENGTH_OFFSET)
                                >= CMSG_DATA_OFFSET + AUX_BYTES
                        && controls.get(ValueLayout.JAVA_INT, control + CMSG_LEVEL_OFFSET)
                                == Sockets.SOL_PACKET
                        && controls.get(ValueLayout.JAVA_INT, control + CMSG_TYPE_OFFSET)
                                == PACKET_AUXDATA;
        if (!isAux) {
            return -1;
        }
        long data = control + CMSG_DATA_OFFSET;
        int status = controls.get(ValueLayout.JAVA_INT, data);
        if ((status & STATUS_VLAN_VALID) == 0) {
            return -1;
        }
        int tci = controls.get(ValueLayout.JAVA_SHORT, data + AUX_TCI_OFFSET) & 0xFFFF;
        int tpid = controls.get(ValueLayout.JAVA_SHORT, data + AUX_TPID_OFFSET) & 0xFFFF;
        int type = (status & STATUS_VLAN_TPID_VALID) == 0 ? 0x8100 : tpid;
        return (long) type << 16 | tci;
    }
}
