package io.headgate.dataplane.device;

import io.headgate.config.Reason;
import io.headgate.dataplane.device.linux.Errno;
import io.headgate.dataplane.device.linux.Sockets;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ManualIoEventLoop;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.unix.Socket;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringDatagramChannel;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A UDP socket on one of Netty's transports, driven by hand from the thread that starts it. The
 * socket is bound at once, so that a wrong address is reported at opening; the event loop is made
 * when the worker first calls, because a loop always belongs to one thread.
 */
public final class DatagramTransport {
    /** A transport of Netty. */
    public enum Kind {
        /**
         * Epoll, else io_uring, else NIO. Epoll is first, because a worker can sleep on its socket
         * (while a receive is pending in an io_uring, the socket never becomes readable), and
         * because any thread can close it.
         */
        AUTO,
        IO_URING,
        EPOLL,
        NIO
    }

    private static final int DATAGRAMS_PER_POLL = 32;
    private static final int SOCKET_BUFFER_BYTES = 4 << 20;

    /** A loop that does not end within these many rounds is left to itself: never seen. */
    private static final int CLOSE_ROUNDS = 100_000;

    private static final int SOL_SOCKET = 1;
    private static final int SO_SNDBUFFORCE = 32;
    private static final int SO_RCVBUFFORCE = 33;
    private static final int SO_MEMINFO = 55;
    private static final int SOL_IP = 0;
    private static final int IP_RECVERR = 11;
    private static final int SOL_UDP = 17;
    private static final int UDP_NO_CHECK6_RX = 102;
    private static final int SOL_IPV6 = 41;
    private static final int IPV6_RECVERR = 25;
    private static final int MEMINFO_BYTES = 36;
    private static final int MOST_ERRORS = 64;
    private static final int MEMINFO_DROPS_OFFSET = 32;

    private final Kind kind;
    private final int datagramBytes;
    private final @Nullable Socket socket;
    private final @Nullable DatagramChannel nioSocket;
    private final MemorySegment memInfo = Arena.ofAuto().allocate(MEMINFO_BYTES, Integer.BYTES);
    private final MemorySegment memInfoBytes = Arena.ofAuto().allocate(ValueLayout.JAVA_INT);
    private final Errno errno = new Errno();
    private final MemorySegment errorPacket = Arena.ofAuto().allocate(Long.BYTES, 8);
    private @Nullable ManualIoEventLoop loop;
    private @Nullable IoHandler ioHandler;
    private @Nullable Channel channel;
    private long kernelDrops;

    /**
     * A socket of the address's own family. Netty's choice is made once, in the network namespace
     * in which its library happens to be loaded: only IPv4, permanently, if that one has no IPv6.
     */
    private static final class FamilySocket extends Socket {
        FamilySocket(boolean isIpv6) {
            super(newSocketDgram0(isIpv6));
        }
    }

    private DatagramTransport(
            Kind kind,
            int datagramBytes,
            @Nullable Socket socket,
            @Nullable DatagramChannel nioSocket) {
        this.kind = kind;
        this.datagramBytes = datagramBytes;
        this.socket = socket;
        this.nioSocket = nioSocket;
    }

    /**
     * Binds a socket in the calling thread's namespace.
     *
     * @param datagramBytes maximum number of bytes received per datagram
     */
    static DatagramTransport bind(Kind wanted, InetSocketAddress local, int datagramBytes)
            throws DeviceException {
        Kind kind = resolve(wanted);
        try {
            if (kind == Kind.NIO) {
                DatagramChannel nio = DatagramChannel.open();
                try {
                    nio.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BUFFER_BYTES);
                    nio.bind(local);
                    return new DatagramTransport(kind, datagramBytes, null, nio);
                } catch (IOException refused) {
                    nio.close();
                    throw refused;
                }
            }
            Socket socket = new FamilySocket(local.getAddress() instanceof Inet6Address);
            try {
                makeRoom(socket);
                socket.bind(local);
                hearErrors(socket, local.getAddress() instanceof Inet6Address);
                return new DatagramTransport(kind, datagramBytes, socket, null);
            } catch (IOException refused) {
                socket.close();
                throw refused;
            }
        } catch (IOException refused) {
            throw new DeviceException(
                    ("VXLAN: cannot use UDP %s port %s (%s): give 'local' an address of this"
                                    + " machine that no other tunnel uses")
                            .formatted(
                                    local.getAddress().getHostAddress(),
                                    local.getPort(),
                                    Reason.of(refused)),
                    refused);
        }
    }

    /** Privileged, a socket may have more room than net.core.rmem_max and wmem_max grant others. */
    private static void makeRoom(Socket socket) throws IOException {
        try {
            socket.setIntOpt(SOL_SOCKET, SO_RCVBUFFORCE, SOCKET_BUFFER_BYTES);
            socket.setIntOpt(SOL_SOCKET, SO_SNDBUFFORCE, SOCKET_BUFFER_BYTES);
        } catch (IOException unprivileged) {
            socket.setReceiveBufferSize(SOCKET_BUFFER_BYTES);
            socket.setSendBufferSize(SOCKET_BUFFER_BYTES);
        }
    }

    /**
     * Has the kernel report ICMP errors of datagrams that were sent, and take datagrams over IPv6
     * whose checksum is zero, which tunnels may send (RFC 6935).
     */
    private static void hearErrors(Socket socket, boolean isIpv6) throws IOException {
        if (isIpv6) {
            socket.setIntOpt(SOL_IPV6, IPV6_RECVERR, 1);
            socket.setIntOpt(SOL_UDP, UDP_NO_CHECK6_RX, 1);
        } else {
            socket.setIntOpt(SOL_IP, IP_RECVERR, 1);
        }
    }

    /**
     * Reads the pending errors from the socket, after a call failed with one of them: pending
     * errors would end every sleep on the socket.
     */
    void takeErrors() {
        if (socket == null || !socket.isOpen()) {
            return;
        }
        for (int taken = 0; taken < MOST_ERRORS; taken++) {
            if (Sockets.recv(
                            errno,
                            socket.intValue(),
                            errorPacket,
                            errorPacket.byteSize(),
                            Sockets.MSG_ERRQUEUE | Sockets.MSG_DONTWAIT)
                    < 0) {
                return;
            }
        }
    }

    private static Kind resolve(Kind wanted) throws DeviceException {
        if (wanted == Kind.AUTO) {
            return Epoll.isAvailable()
                    ? Kind.EPOLL
                    : IoUring.isAvailable() ? Kind.IO_URING : Kind.NIO;
        }
        Throwable why =
                switch (wanted) {
                    case EPOLL -> Epoll.unavailabilityCause();
                    case IO_URING -> IoUring.unavailabilityCause();
                    default -> null;
                };
        if (why != null) {
            throw new DeviceException(
                    ("VXLAN: Netty's transport %s cannot be used here (%s); leave the choice to"
                                    + " AUTO")
                            .formatted(wanted, Reason.of(why)),
                    why);
        }
        return wanted;
    }

    String name() {
        return kind == Kind.IO_URING ? "io_uring" : kind == Kind.EPOLL ? "epoll" : "NIO";
    }

    /**
     * Makes the loop, owned by the calling thread from now on.
     *
     * @throws RuntimeException if the kernel has no room for it: descriptors, locked memory
     */
    Channel start(ChannelHandler handler) {
        IoHandlerFactory factory =
                switch (kind) {
                    case IO_URING -> IoUringIoHandler.newFactory();
                    case EPOLL -> EpollIoHandler.newFactory();
                    default -> NioIoHandler.newFactory();
                };
        ManualIoEventLoop made =
                new ManualIoEventLoop(
                        Thread.currentThread(),
                        executor -> {
                            IoHandler io = factory.newHandler(executor);
                            ioHandler = io;
                            return io;
                        });
        Channel opened = channel();
        boolean explicitReads = kind == Kind.IO_URING;
        opened.config().setAutoRead(!explicitReads);
        int buffers = kind == Kind.EPOLL ? DATAGRAMS_PER_POLL : 1;
        opened.config()
                .setRecvByteBufAllocator(
                        new FixedRecvByteBufAllocator(datagramBytes * buffers)
                                .maxMessagesPerRead(DATAGRAMS_PER_POLL));
        ChannelFuture registered =
                new Bootstrap()
                        .group(made)
                        .channelFactory(() -> opened)
                        .handler(handler)
                        .register();
        loop = made;
        channel = opened;
        made.runNow();
        if (registered.cause() != null) {
            throw new IllegalStateException("socket not registered", registered.cause());
        }
        return opened;
    }

    private Channel channel() {
        if (nioSocket != null) {
            return new NioDatagramChannel(nioSocket);
        }
        if (socket == null) {
            throw new IllegalStateException("neither socket");
        }
        if (kind == Kind.IO_URING) {
            return new IoUringDatagramChannel(socket.intValue());
        }
        EpollDatagramChannel epoll = new EpollDatagramChannel(socket.intValue());
        epoll.config().setOption(EpollChannelOption.MAX_DATAGRAM_PAYLOAD_SIZE, datagramBytes);
        return epoll;
    }

    /** Receives a bounded number of datagrams, and continues sending. */
    void poll() {
        ManualIoEventLoop running = loop;
        Channel open = channel;
        if (running == null || open == null) {
            return;
        }
        if (kind == Kind.IO_URING) {
            open.read();
        }
        running.runNow();
    }

    /** Submits flushed datagrams to the kernel, on transports whose flush does not. */
    void submit() {
        ManualIoEventLoop running = loop;
        if (kind == Kind.IO_URING && running != null) {
            running.runNow();
        }
    }

    /** Descriptor to sleep on, or {@link PortDevice#POLLED}. */
    int receiveFd() {
        return kind == Kind.EPOLL && socket != null ? socket.intValue() : PortDevice.POLLED;
    }

    /**
     * Number of datagrams lost because the socket's receive buffer was full, since it was bound.
     */
    long kernelDrops() {
        if (socket != null && socket.isOpen()) {
            // Not Netty's getter, which makes objects at each call.
            memInfoBytes.set(ValueLayout.JAVA_INT, 0, MEMINFO_BYTES);
            int result =
                    Sockets.getsockopt(
                            errno,
                            socket.intValue(),
                            SOL_SOCKET,
                            SO_MEMINFO,
                            memInfo,
                            memInfoBytes);
            if (result == 0) {
                kernelDrops =
                        Integer.toUnsignedLong(
                                memInfo.get(ValueLayout.JAVA_INT, MEMINFO_DROPS_OFFSET));
            }
        }
        return kernelDrops;
    }

    /**
     * Closes the socket and its event loop, from any thread while no other uses it. Exception: only
     * its owner can close an io_uring. If another thread closes it, ring, socket and address stay
     * in use until the process ends.
     */
    void close() throws IOException {
        ManualIoEventLoop running = loop;
        Channel open = channel;
        if (running != null && open != null && running.inEventLoop(Thread.currentThread())) {
            ChannelFuture channelClosed = open.close();
            for (int i = 0; i < CLOSE_ROUNDS && !channelClosed.isDone(); i++) {
                running.runNow();
            }
            Future<?> ended = running.shutdownGracefully(0, 0, TimeUnit.NANOSECONDS);
            for (int i = 0; i < CLOSE_ROUNDS && !ended.isDone(); i++) {
                running.runNow();
            }
            return;
        }
        // The owner no longer runs, and only the owner can drive the loop: take it apart below
        // Netty.
        if (socket != null) {
            socket.close();
        }
        if (nioSocket != null) {
            nioSocket.close();
        }
        if (ioHandler != null && kind != Kind.IO_URING) {
            ioHandler.destroy();
        }
    }
}
