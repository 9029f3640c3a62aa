package io.headgate.dataplane.device.linux;

import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.net.LinuxInterface;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The far end of a test's cable: a plain AF_PACKET socket, one frame per system call. */
public final class RawEnd implements AutoCloseable {
    private static final int ETH_P_ALL_NETWORK_ORDER = 0x0300;
    private static final int PACKET_IGNORE_OUTGOING = 23;
    private static final int SO_RCVBUFFORCE = 33;
    private static final int BUFFER_BYTES = 1 << 16;

    private final Errno errno = new Errno();
    private final MemorySegment buffer = Arena.ofAuto().allocate(BUFFER_BYTES, 8);
    private final Poller poller;
    private final int fd;

    public RawEnd(String netns, String interfaceName) throws DeviceException {
        int index = LinuxInterface.read(netns, interfaceName).index();
        fd =
                NetworkNamespace.call(
                        netns, () -> Sockets.socket(errno, Sockets.AF_PACKET, Sockets.SOCK_RAW, 0));
        Sockets.setsockopt(errno, fd, Sockets.SOL_SOCKET, SO_RCVBUFFORCE, 1 << 26);
        Sockets.setsockopt(errno, fd, Sockets.SOL_PACKET, PACKET_IGNORE_OUTGOING, 1);
        MemorySegment address = Arena.ofAuto().allocate(Structs.SOCKADDR_LL_BYTES, 4);
        address.set(ValueLayout.JAVA_SHORT, 0, (short) Sockets.AF_PACKET);
        address.set(ValueLayout.JAVA_SHORT, 2, (short) ETH_P_ALL_NETWORK_ORDER);
        address.set(ValueLayout.JAVA_INT, 4, index);
        int bound = Sockets.bind(errno, fd, address, Structs.SOCKADDR_LL_BYTES);
        if (bound < 0) {
            throw new AssertionError("bind: " + Errno.describe(bound));
        }
        poller = new Poller(fd);
    }

    /** Sends; answers what the kernel did. */
    public long trySend(byte[] frame) {
        MemorySegment.copy(frame, 0, buffer, ValueLayout.JAVA_BYTE, 0, frame.length);
        return Sockets.send(errno, fd, buffer, frame.length, Sockets.MSG_DONTWAIT);
    }

    public void send(byte[] frame) {
        long sent = trySend(frame);
        if (sent != frame.length) {
            throw new AssertionError("send: " + Errno.describe(sent));
        }
    }

    /** The next frame, or an empty array if none comes within two seconds. */
    public byte[] receive() {
        return receive(2_000_000_000L);
    }

    public byte[] receive(long timeoutNs) {
        if (poller.await(timeoutNs) == 0) {
            return new byte[0];
        }
        long length = Sockets.recv(errno, fd, buffer, BUFFER_BYTES, Sockets.MSG_DONTWAIT);
        if (length < 0) {
            return new byte[0];
        }
        return buffer.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
    }

    /** Throws away what has arrived, and the error of a link that went down. */
    public void drain() {
        boolean more = true;
        while (more) {
            more = receive(0).length > 0;
        }
    }

    @Override
    public void close() {
        Files.close(errno, fd);
    }
}
