package io.headgate.dataplane.device.linux.net;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.headgate.dataplane.device.linux.Errno;
import io.headgate.dataplane.device.linux.Files;
import io.headgate.dataplane.device.linux.Sockets;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Consumer;

/**
 * Reads links and namespaces by rtnetlink(7), and changes links. For opening devices and for tools,
 * not for a worker: it allocates, and waits for the kernel's rtnl lock.
 */
public final class Netlink implements AutoCloseable {
    static final int RTM_NEWLINK = 16;
    static final int RTM_GETLINK = 18;
    private static final int RTM_SETLINK = 19;
    static final int RTM_GETNSID = 90;

    static final int NETNSA_NSID = 1;
    static final int NETNSA_PID = 2;
    static final int NETNSA_FD = 3;

    static final int NLMSGHDR_BYTES = 16;
    static final int IFINFOMSG_BYTES = 16;

    static final int NLM_F_REQUEST = 1;
    static final int NLM_F_ACK = 4;
    static final int NLM_F_DUMP = 0x300;
    static final int NLMSG_ERROR = 2;
    static final int NLMSG_DONE = 3;
    private static final int RTGENMSG_BYTES = 4;
    private static final int ATTRIBUTE_HEADER_BYTES = 4;
    private static final int ATTRIBUTE_TYPE_MASK = 0x3FFF;
    private static final int BUFFER_BYTES = 1 << 17;

    private final Errno errno = new Errno();
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment buffer = arena.allocate(BUFFER_BYTES, 8);
    private final int fd;

    /** Opens a socket in the calling thread's namespace. */
    Netlink() {
        fd = Sockets.socket(errno, Sockets.AF_NETLINK, Sockets.SOCK_RAW, 0);
        if (fd < 0) {
            arena.close();
            throw new IllegalStateException("no rtnetlink socket: " + Errno.describe(fd));
        }
    }

    /** Hands every link to {@code seen}: its {@code struct ifinfomsg} and what follows. */
    void links(Consumer<MemorySegment> seen) {
        MemorySegment request = request(RTM_GETLINK, NLM_F_DUMP, IFINFOMSG_BYTES);
        send(request);
        boolean more = true;
        while (more) {
            long length = Sockets.recv(errno, fd, buffer, BUFFER_BYTES, 0);
            if (length < 0) {
                throw new IllegalStateException("rtnetlink: " + Errno.describe(length));
            }
            more = eachMessage((int) length, seen);
        }
    }

    private boolean eachMessage(int length, Consumer<MemorySegment> seen) {
        for (int at = 0; at + NLMSGHDR_BYTES <= length; ) {
            int messageBytes = buffer.get(ValueLayout.JAVA_INT, at);
            int type = buffer.get(ValueLayout.JAVA_SHORT, at + 4);
            if (type == NLMSG_DONE || type == NLMSG_ERROR || messageBytes < NLMSGHDR_BYTES) {
                return false;
            }
            if (type == RTM_NEWLINK) {
                seen.accept(buffer.asSlice(at + NLMSGHDR_BYTES, messageBytes - NLMSGHDR_BYTES));
            }
            at += (messageBytes + 3) & ~3;
        }
        return true;
    }

    /**
     * The number that this socket's namespace has for another one.
     *
     * @param attribute {@link #NETNSA_FD} or {@link #NETNSA_PID}
     * @return the number, or -1 if it has none
     */
    int namespaceId(int attribute, int value) {
        MemorySegment request = request(RTM_GETNSID, 0, RTGENMSG_BYTES + 8);
        long at = NLMSGHDR_BYTES + RTGENMSG_BYTES;
        request.set(ValueLayout.JAVA_SHORT, at, (short) 8);
        request.set(ValueLayout.JAVA_SHORT, at + 2, (short) attribute);
        request.set(ValueLayout.JAVA_INT, at + 4, value);
        send(request);
        long length = Sockets.recv(errno, fd, buffer, BUFFER_BYTES, 0);
        if (length < NLMSGHDR_BYTES + RTGENMSG_BYTES
                || buffer.get(ValueLayout.JAVA_SHORT, 4) == NLMSG_ERROR) {
            return -1;
        }
        int messageBytes = buffer.get(ValueLayout.JAVA_INT, 0);
        MemorySegment found =
                attribute(
                        buffer.asSlice(
                                NLMSGHDR_BYTES + RTGENMSG_BYTES,
                                messageBytes - NLMSGHDR_BYTES - RTGENMSG_BYTES),
                        NETNSA_NSID);
        return found.byteSize() < 4 ? -1 : found.get(ValueLayout.JAVA_INT, 0);
    }

    /**
     * Sets an attribute of a link to a number. A change by rtnetlink needs permission only in the
     * interface's namespace; some ioctls need it in the first user namespace.
     *
     * @param index the interface's
     * @return 0, or an error number of the kernel below 0
     */
    int setLink(int index, int attribute, int value) {
        MemorySegment request = request(RTM_SETLINK, NLM_F_ACK, IFINFOMSG_BYTES + 8);
        request.set(ValueLayout.JAVA_INT, NLMSGHDR_BYTES + 4, index);
        long at = NLMSGHDR_BYTES + IFINFOMSG_BYTES;
        request.set(ValueLayout.JAVA_SHORT, at, (short) 8);
        request.set(ValueLayout.JAVA_SHORT, at + 2, (short) attribute);
        request.set(ValueLayout.JAVA_INT, at + 4, value);
        send(request);
        long length = Sockets.recv(errno, fd, buffer, BUFFER_BYTES, 0);
        if (length < 0) {
            return (int) length;
        }
        return length >= NLMSGHDR_BYTES + Integer.BYTES
                        && buffer.get(ValueLayout.JAVA_SHORT, 4) == NLMSG_ERROR
                ? buffer.get(ValueLayout.JAVA_INT, NLMSGHDR_BYTES)
                : -Errno.EIO;
    }

    /** The value of the first attribute of a type; empty if there is no such attribute. */
    static MemorySegment attribute(MemorySegment attributes, int type) {
        long end = attributes.byteSize();
        for (long at = 0; at + ATTRIBUTE_HEADER_BYTES <= end; ) {
            int attributeBytes = attributes.get(ValueLayout.JAVA_SHORT, at) & 0xFFFF;
            if (attributeBytes < ATTRIBUTE_HEADER_BYTES || at + attributeBytes > end) {
                break;
            }
            if ((attributes.get(ValueLayout.JAVA_SHORT, at + 2) & ATTRIBUTE_TYPE_MASK) == type) {
                return attributes.asSlice(
                        at + ATTRIBUTE_HEADER_BYTES, attributeBytes - ATTRIBUTE_HEADER_BYTES);
            }
            at += (attributeBytes + 3) & ~3;
        }
        return MemorySegment.NULL;
    }

    /** The text of an attribute, without its final zero byte; empty if the attribute is missing. */
    static String text(MemorySegment value) {
        byte[] bytes = value.toArray(ValueLayout.JAVA_BYTE);
        int length = 0;
        while (length < bytes.length && bytes[length] != 0) {
            length++;
        }
        return new String(bytes, 0, length, UTF_8);
    }

    private MemorySegment request(int type, int flags, int payloadBytes) {
        MemorySegment request = arena.allocate(NLMSGHDR_BYTES + payloadBytes, 8);
        request.set(ValueLayout.JAVA_INT, 0, NLMSGHDR_BYTES + payloadBytes);
        request.set(ValueLayout.JAVA_SHORT, 4, (short) type);
        request.set(ValueLayout.JAVA_SHORT, 6, (short) (NLM_F_REQUEST | flags));
        return request;
    }

    private void send(MemorySegment request) {
        long sent = Sockets.send(errno, fd, request, request.byteSize(), 0);
        if (sent < 0) {
            throw new IllegalStateException("rtnetlink: " + Errno.describe(sent));
        }
    }

    @Override
    public void close() {
        Files.close(errno, fd);
        arena.close();
    }
}
