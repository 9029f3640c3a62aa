package io.headgate.dataplane.device.linux.net;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.Errno;
import io.headgate.dataplane.device.linux.Files;
import io.headgate.dataplane.device.linux.Sockets;
import io.headgate.dataplane.frame.Ethernet;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A token bucket filter (tc-tbf(8)) as the root queueing discipline of an interface, or of one of
 * its queues, by rtnetlink: frames that a host sends wait in it, charged to their sockets, instead
 * of being lost at a full device. Each call waits for the kernel's rtnl lock, which may take
 * milliseconds: not for a worker. Used by one thread, except for opening.
 *
 * <p>The kernel checks the head of the queue again when it has enough tokens at the rate that was
 * set then; a change of the rate does not make it check sooner. So a rate must never be so low that
 * this takes long.
 */
public final class TbfQdisc implements AutoCloseable {
    private static final int RTM_NEWQDISC = 36;
    private static final int RTM_DELQDISC = 37;
    private static final int RTM_GETQDISC = 38;
    private static final int NLM_F_REPLACE = 0x100;
    private static final int NLM_F_CREATE = 0x400;

    private static final int TCMSG_BYTES = 20;
    private static final int ROOT = 0xFFFF_FFFF;
    private static final int HANDLE = 0x0001_0000;
    private static final int TCA_KIND = 1;
    private static final int TCA_OPTIONS = 2;
    private static final int TCA_STATS2 = 7;
    private static final int TCA_STATS_QUEUE = 3;
    private static final int TCA_TBF_PARMS = 1;
    private static final int TCA_TBF_RATE64 = 4;
    private static final int TCA_TBF_BURST = 6;

    /** Two rate specifications of 12 bytes, then limit, buffer and mtu. */
    private static final int TBF_QOPT_BYTES = 36;

    private static final int RATE_OFFSET = 8;
    private static final int LIMIT_OFFSET = 24;

    /** Of struct tcmsg: where the discipline hangs. */
    private static final int PARENT_OFFSET = 12;

    private static final int ATTRIBUTE_BYTES = 4;
    private static final byte LINKLAYER_ETHERNET = 1;
    private static final String KIND = "tbf";
    private static final String MULTI_QUEUE = "mq";

    /** Handles of the buckets below an mq, whose own is the root's. */
    private static final int FIRST_QUEUE_HANDLE = 0x0010_0000;

    private static final int HANDLE_STEP = 0x0001_0000;
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int REQUEST_BYTES = 256;

    private final Errno errno = new Errno();
    private final Arena arena = Arena.ofShared();
    private final MemorySegment request = arena.allocate(REQUEST_BYTES, 8);
    private final MemorySegment buffer = arena.allocate(BUFFER_BYTES, 8);
    private final String where;
    private final int index;
    private final int limitBytes;
    private final int parent;
    private final int handle;
    private int fd;
    private long backlogBytes;

    // Dropped by this one, and by those before it that others removed.
    private long droppedFrames;
    private long droppedBefore;

    // As last set, in the kernel's words; and whether the last look found it so.
    private int setBytesPerSec;
    private boolean inPlace = true;

    // Whether the last look found it at all, be it with another rate or limit.
    private boolean isThere;

    private TbfQdisc(LinuxInterface on, int limitBytes, int parent, int handle)
            throws DeviceException {
        this.parent = parent;
        this.handle = handle;
        this.where = on.where();
        this.index = on.index();
        this.limitBytes = limitBytes;
        fd = Sockets.socket(errno, Sockets.AF_NETLINK, Sockets.SOCK_RAW, 0);
        if (fd < 0) {
            arena.close();
            throw new DeviceException(
                    "cannot set the rate of %s: no rtnetlink socket, %s"
                            .formatted(where, Errno.describe(fd)));
        }
    }

    /**
     * Makes one the root of an interface's queueing, instead of the present root; or one per queue,
     * so that a full queue holds back only the senders to that queue (tc-mq(8)). Closing the first
     * removes all.
     *
     * @param netns the interface's namespace; null or empty: our own
     * @param queues number of queues of the interface
     * @param limitBytes maximum number of bytes waiting in each; more are dropped
     * @param rateBps as {@link #change} takes it
     * @throws DeviceException if the interface is missing, the kernel has no tbf, or we may not
     */
    public static List<TbfQdisc> open(
            @Nullable String netns,
            String name,
            int queues,
            int limitBytes,
            long rateBps,
            int burstBytes,
            int leastBytes)
            throws DeviceException {
        return NetworkNamespace.call(
                netns,
                () -> {
                    List<TbfQdisc> all = new ArrayList<>();
                    try {
                        for (int queue = 0; queue < queues; queue++) {
                            LinuxInterface on = LinuxInterface.read(netns, name);
                            TbfQdisc made =
                                    queues == 1
                                            ? new TbfQdisc(on, limitBytes, ROOT, HANDLE)
                                            : new TbfQdisc(
                                                    on,
                                                    limitBytes,
                                                    HANDLE + queue + 1,
                                                    FIRST_QUEUE_HANDLE + queue * HANDLE_STEP);
                            all.add(made);
                            if (queues > 1 && queue == 0) {
                                made.setRoot();
                            }
                            made.setFirst(rateBps, burstBytes, leastBytes);
                        }
                        return all;
                    } catch (DeviceException e) {
                        all.forEach(TbfQdisc::close);
                        throw e;
                    }
                });
    }

    /**
     * Puts it back if {@link #isInPlace} is false, and replaces the present root. Frames that
     * waited in it were lost when it was removed.
     *
     * @return as {@link #change}
     */
    public int restore(long rateBps, int burstBytes, int leastBytes) {
        int result = restored(rateBps, burstBytes, leastBytes);
        if (result < 0) {
            // Another one has its handle: the root goes, and with it all below, which the next look
            // finds missing.
            ask(begin(RTM_DELQDISC, Netlink.NLM_F_ACK, 0, ROOT));
            result = restored(rateBps, burstBytes, leastBytes);
        }
        inPlace |= result == 0;
        return result;
    }

    private int restored(long rateBps, int burstBytes, int leastBytes) {
        if (parent != ROOT) {
            // There already, where only this one was removed.
            askForRoot();
        }
        return set(NLM_F_CREATE | NLM_F_REPLACE, rateBps, burstBytes, leastBytes);
    }

    private void setFirst(long rateBps, int burstBytes, int leastBytes) throws DeviceException {
        int result = set(NLM_F_CREATE | NLM_F_REPLACE, rateBps, burstBytes, leastBytes);
        if (result < 0) {
            closeSocket();
            throw new DeviceException(refused(result));
        }
    }

    /** Makes an mq the root; each of its classes is a queue of the interface. */
    private void setRoot() throws DeviceException {
        int result = askForRoot();
        if (result < 0) {
            closeSocket();
            throw new DeviceException(
                    "cannot give each queue of %s its own token bucket: %s"
                            .formatted(where, Errno.describe(result)));
        }
    }

    private int askForRoot() {
        int at =
                begin(RTM_NEWQDISC, Netlink.NLM_F_ACK | NLM_F_CREATE | NLM_F_REPLACE, HANDLE, ROOT);
        return ask(put(at, TCA_KIND, MULTI_QUEUE));
    }

    private String refused(int result) {
        String why =
                switch (-result) {
                    case Errno.ENOENT, Errno.EOPNOTSUPP ->
                            "the kernel has no token bucket filter (sch_tbf); 'modprobe sch_tbf'"
                                    + " loads it, or build it in (CONFIG_NET_SCH_TBF)";
                    case Errno.EPERM, Errno.EACCES -> "that needs CAP_NET_ADMIN; run as root";
                    default -> Errno.describe(result);
                };
        return "cannot limit the rate of " + where + ": " + why;
    }

    /**
     * Sets the rate; waiting frames stay.
     *
     * @param rateBps bits a second on the wire, with preamble and gap
     * @param burstBytes bytes that may be sent at once, at least the largest frame: the bucket is
     *     full after each change
     * @param leastBytes a shorter frame counts as one of this length, in bytes, at most 65,535
     * @return 0, or an error number of the kernel below 0
     */
    public int change(long rateBps, int burstBytes, int leastBytes) {
        return set(0, rateBps, burstBytes, leastBytes);
    }

    private int set(int flags, long rateBps, int burstBytes, int leastBytes) {
        long bytesPerSec = Math.max(1, rateBps / 8);
        int at = begin(RTM_NEWQDISC, Netlink.NLM_F_ACK | flags, handle, parent);
        at = put(at, TCA_KIND, KIND);
        int options = at;
        at += ATTRIBUTE_BYTES;
        int parameters = at + ATTRIBUTE_BYTES;
        attribute(at, TCA_TBF_PARMS, TBF_QOPT_BYTES);
        request.asSlice(parameters, TBF_QOPT_BYTES).fill((byte) 0);
        request.set(ValueLayout.JAVA_BYTE, parameters + 1, LINKLAYER_ETHERNET);
        request.set(ValueLayout.JAVA_SHORT, parameters + 2, (short) Ethernet.WIRE_OVERHEAD_BYTES);
        request.set(ValueLayout.JAVA_SHORT, parameters + 6, (short) leastBytes);
        int inWord = (int) Math.min(bytesPerSec, 0xFFFF_FFFFL);
        request.set(ValueLayout.JAVA_INT, parameters + RATE_OFFSET, inWord);
        request.set(ValueLayout.JAVA_INT, parameters + LIMIT_OFFSET, limitBytes);
        at = parameters + TBF_QOPT_BYTES;
        if (bytesPerSec > 0xFFFF_FFFFL) {
            attribute(at, TCA_TBF_RATE64, Long.BYTES);
            request.set(ValueLayout.JAVA_LONG_UNALIGNED, at + ATTRIBUTE_BYTES, bytesPerSec);
            at += ATTRIBUTE_BYTES + Long.BYTES;
        }
        attribute(at, TCA_TBF_BURST, Integer.BYTES);
        request.set(ValueLayout.JAVA_INT, at + ATTRIBUTE_BYTES, burstBytes);
        at += ATTRIBUTE_BYTES + Integer.BYTES;
        attribute(options, TCA_OPTIONS, at - options - ATTRIBUTE_BYTES);
        int result = ask(at);
        setBytesPerSec = result == 0 ? inWord : setBytesPerSec;
        return result;
    }

    /**
     * Reads its drops, its backlog, and whether it is in place; returns 0, or an error number below
     * 0.
     */
    public int readStatistics() {
        boolean found = false;
        isThere = false;
        int at = begin(RTM_GETQDISC, Netlink.NLM_F_DUMP, handle, parent);
        request.set(ValueLayout.JAVA_INT, 0, at);
        long sent = Sockets.send(errno, fd, request, at, 0);
        if (sent < 0) {
            return (int) sent;
        }
        while (true) {
            long length = Sockets.recv(errno, fd, buffer, BUFFER_BYTES, 0);
            if (length < 0) {
                return (int) length;
            }
            for (int from = 0; from + Netlink.NLMSGHDR_BYTES <= length; ) {
                int messageBytes = buffer.get(ValueLayout.JAVA_INT, from);
                int type = buffer.get(ValueLayout.JAVA_SHORT, from + 4);
                if (type == Netlink.NLMSG_DONE
                        || type == Netlink.NLMSG_ERROR
                        || messageBytes < Netlink.NLMSGHDR_BYTES) {
                    inPlace = found;
                    if (!isThere) {
                        noteDropped(0);
                        backlogBytes = 0;
                    }
                    return 0;
                }
                if (type == RTM_NEWQDISC) {
                    found |=
                            read(
                                    from + Netlink.NLMSGHDR_BYTES,
                                    messageBytes - Netlink.NLMSGHDR_BYTES);
                }
                from += (messageBytes + 3) & ~3;
            }
        }
    }

    /** Reads a discipline; returns whether it is this one, with its settings. */
    private boolean read(int at, int length) {
        if (buffer.get(ValueLayout.JAVA_INT, at + 4) != index
                || buffer.get(ValueLayout.JAVA_INT, at + 8) != handle) {
            return false;
        }
        MemorySegment attributes = buffer.asSlice(at + TCMSG_BYTES, length - TCMSG_BYTES);
        MemorySegment parameters =
                Netlink.attribute(Netlink.attribute(attributes, TCA_OPTIONS), TCA_TBF_PARMS);
        if (!Netlink.text(Netlink.attribute(attributes, TCA_KIND)).equals(KIND)
                || buffer.get(ValueLayout.JAVA_INT, at + PARENT_OFFSET) != parent
                || parameters.byteSize() < TBF_QOPT_BYTES) {
            return false;
        }
        isThere = true;
        MemorySegment queue =
                Netlink.attribute(Netlink.attribute(attributes, TCA_STATS2), TCA_STATS_QUEUE);
        if (queue.byteSize() >= 12) {
            backlogBytes = queue.get(ValueLayout.JAVA_INT_UNALIGNED, 4) & 0xFFFF_FFFFL;
            noteDropped(queue.get(ValueLayout.JAVA_INT_UNALIGNED, 8) & 0xFFFF_FFFFL);
        }
        return parameters.get(ValueLayout.JAVA_INT_UNALIGNED, RATE_OFFSET) == setBytesPerSec
                && parameters.get(ValueLayout.JAVA_INT_UNALIGNED, LIMIT_OFFSET) == limitBytes;
    }

    /** One that takes the place of another counts from 0; one that was changed goes on. */
    private void noteDropped(long frames) {
        if (frames < droppedFrames) {
            droppedBefore += droppedFrames;
        }
        droppedFrames = frames;
    }

    /** Whether it was in place, with its configured rate and limit, when last read. */
    public boolean isInPlace() {
        return inPlace;
    }

    /** Frames dropped because it was full, as last read. */
    public long droppedFrames() {
        return droppedBefore + droppedFrames;
    }

    /** Bytes that waited in it when it was last read. */
    public long backlogBytes() {
        return backlogBytes;
    }

    private int begin(int type, int flags, int itsHandle, int itsParent) {
        request.asSlice(0, Netlink.NLMSGHDR_BYTES + TCMSG_BYTES).fill((byte) 0);
        request.set(ValueLayout.JAVA_SHORT, 4, (short) type);
        request.set(ValueLayout.JAVA_SHORT, 6, (short) (Netlink.NLM_F_REQUEST | flags));
        request.set(ValueLayout.JAVA_INT, Netlink.NLMSGHDR_BYTES + 4, index);
        request.set(ValueLayout.JAVA_INT, Netlink.NLMSGHDR_BYTES + 8, itsHandle);
        request.set(ValueLayout.JAVA_INT, Netlink.NLMSGHDR_BYTES + 12, itsParent);
        return Netlink.NLMSGHDR_BYTES + TCMSG_BYTES;
    }

    private void attribute(int at, int type, int valueBytes) {
        request.set(ValueLayout.JAVA_SHORT, at, (short) (ATTRIBUTE_BYTES + valueBytes));
        request.set(ValueLayout.JAVA_SHORT, at + 2, (short) type);
    }

    private int put(int at, int type, String text) {
        byte[] bytes = text.getBytes(US_ASCII);
        attribute(at, type, bytes.length + 1);
        MemorySegment.copy(
                bytes, 0, request, ValueLayout.JAVA_BYTE, at + ATTRIBUTE_BYTES, bytes.length);
        request.set(ValueLayout.JAVA_BYTE, at + ATTRIBUTE_BYTES + bytes.length, (byte) 0);
        return at + ATTRIBUTE_BYTES + ((bytes.length + 1 + 3) & ~3);
    }

    /** Sends a request of this length, and returns the kernel's result. */
    private int ask(int lengthBytes) {
        request.set(ValueLayout.JAVA_INT, 0, lengthBytes);
        long sent = Sockets.send(errno, fd, request, lengthBytes, 0);
        if (sent < 0) {
            return (int) sent;
        }
        long length = Sockets.recv(errno, fd, buffer, BUFFER_BYTES, 0);
        if (length < Netlink.NLMSGHDR_BYTES + Integer.BYTES) {
            return length < 0 ? (int) length : -Errno.EIO;
        }
        return buffer.get(ValueLayout.JAVA_SHORT, 4) == Netlink.NLMSG_ERROR
                ? buffer.get(ValueLayout.JAVA_INT, Netlink.NLMSGHDR_BYTES)
                : -Errno.EIO;
    }

    /** Removes it, so that the interface has its own queueing again. Idempotent. */
    @Override
    public void close() {
        if (fd >= 0) {
            // Where the interface has gone, so has this.
            boolean first = handle == FIRST_QUEUE_HANDLE;
            ask(
                    begin(
                            RTM_DELQDISC,
                            Netlink.NLM_F_ACK,
                            first ? HANDLE : handle,
                            first ? ROOT : parent));
            closeSocket();
        }
    }

    private void closeSocket() {
        Files.close(errno, fd);
        fd = -1;
        arena.close();
    }
}
