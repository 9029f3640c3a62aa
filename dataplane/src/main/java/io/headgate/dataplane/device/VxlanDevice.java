package io.headgate.dataplane.device;

import io.headgate.config.Addresses;
import io.headgate.config.DeviceConfig;
import io.headgate.dataplane.device.linux.Errno;
import io.headgate.dataplane.device.linux.net.LinuxInterface;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import io.headgate.dataplane.device.linux.net.OffloadCheck;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.FreeList;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.unix.Errors;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayDeque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A virtual wire to another machine: every frame in a VXLAN datagram (RFC 7348), one VNI, one peer.
 * Inner frames pass unchanged both ways, including link-control frames, which a kernel's VXLAN
 * device behind a bridge would not forward.
 *
 * <pre>
 *   outer Ethernet | IP | UDP, port 4789 | 0x08 | 0 (3) | VNI (3) | 0 | inner frame without FCS
 * </pre>
 *
 * <p>One socket receives and sends, so the outer source port is the local port for every flow,
 * although RFC 7348, 5, recommends a hash of the inner flow: an ECMP underlay then keeps one
 * virtual wire on one path, and its frames in order. Datagrams from another address, with another
 * VNI or without the I flag are counted as {@link DropReason#TUNNEL_FOREIGN}; the other flags are
 * ignored, as the RFC asks.
 *
 * <p>Driven by Netty's manually driven event loop from the half's own thread, hence both halves on
 * one worker. Allocates per datagram.
 */
public final class VxlanDevice implements PortDevice {
    /** UDP port that IANA assigned to VXLAN. */
    public static final int UDP_PORT = 4789;

    private static final int HEADER_BYTES = 8;
    private static final int FLAG_I = 0x08;
    private static final int ETHERNET_BYTES = 14;
    private static final int UDP_BYTES = 8;
    private static final int WRITE_LOW_BYTES = 1 << 18;
    private static final int WRITE_HIGH_BYTES = 1 << 19;
    private static final int MAX_VNI = 0xFFFFFF;

    /** Without another for so long, an error is over. */
    private static final long ERROR_OVER_NS = 10_000_000_000L;

    private final DeviceConfig.Vxlan config;
    private final MemorySegment segment;
    private final int slotFrameBytes;
    private final int maxFrameBytes;
    private final DatagramTransport transport;
    private final long header;
    private final ArrayDeque<ByteBuf> arrived = new ArrayDeque<>();
    private final ChannelFutureListener sent = this::onSent;
    private @Nullable Channel channel;
    private volatile boolean failed;
    private boolean closed;

    private final ChecksumWatch checksums = new ChecksumWatch();

    /** Whether the socket has reported an error since the last look, and which it was. */
    private boolean hasError;

    private long errorNs;
    private volatile int lastError;

    private long foreign;
    private long oversize;
    private final TransmitStatus status = new TransmitStatus();
    private long unsent;

    private VxlanDevice(
            DeviceConfig.Vxlan config,
            FrameRegion region,
            int maxFrameBytes,
            DatagramTransport transport) {
        this.config = config;
        this.segment = region.segment();
        this.slotFrameBytes = region.maxFrameBytes();
        this.maxFrameBytes = maxFrameBytes;
        this.transport = transport;
        this.header = (long) FLAG_I << 56 | (long) config.vni() << 8;
    }

    /**
     * Opens the socket.
     *
     * @param mtuBytes largest payload of an inner frame
     * @param region the memory of the frames that it handles
     * @param kind how the socket is driven
     * @throws DeviceException if the address is not available, or the underlay's MTU is too small
     */
    public static VxlanDevice open(
            DeviceConfig.Vxlan config,
            int mtuBytes,
            FrameRegion region,
            DatagramTransport.Kind kind)
            throws DeviceException {
        if (config.vni() < 0 || config.vni() > MAX_VNI) {
            throw new DeviceException(
                    "VXLAN: VNI " + config.vni() + " is not between 0 and " + MAX_VNI);
        }
        if (config.remote().isUnresolved() || config.local().isUnresolved()) {
            throw new DeviceException(
                    "VXLAN: "
                            + (config.remote().isUnresolved() ? config.remote() : config.local())
                            + " is not an address; give IPv4 or IPv6 addresses, not names");
        }
        int outerBytes = outerBytes(config);
        int underlayBytes =
                NetworkNamespace.call(config.netns(), () -> underlayMtuBytes(config.local()));
        int neededBytes = mtuBytes + ETHERNET_BYTES + outerBytes;
        if (underlayBytes < neededBytes) {
            throw new DeviceException(
                    ("VXLAN: the interface of %s has MTU %s, but frames with a payload of %s need"
                                    + " %s: raise its MTU to at least that, or lower this port's"
                                    + " mtu by %s")
                            .formatted(
                                    config.local().getAddress().getHostAddress(),
                                    underlayBytes,
                                    mtuBytes,
                                    neededBytes,
                                    neededBytes - underlayBytes));
        }
        int maxFrameBytes = Math.min(region.maxFrameBytes(), underlayBytes - outerBytes);
        // One byte more than fits, to tell a datagram that is too long from one that just fits.
        int datagramBytes = HEADER_BYTES + region.maxFrameBytes() + 1;
        DatagramTransport transport =
                NetworkNamespace.call(
                        config.netns(),
                        () -> DatagramTransport.bind(kind, config.local(), datagramBytes));
        return new VxlanDevice(config, region, maxFrameBytes, transport);
    }

    /** Bytes of outer IP, UDP and VXLAN headers. */
    private static int outerBytes(DeviceConfig.Vxlan config) {
        int ipBytes = config.remote().getAddress() instanceof Inet4Address ? 20 : 40;
        return ipBytes + UDP_BYTES + HEADER_BYTES;
    }

    private static int underlayMtuBytes(InetSocketAddress local) {
        try {
            NetworkInterface underlay = NetworkInterface.getByInetAddress(local.getAddress());
            return underlay == null ? Integer.MAX_VALUE : underlay.getMTU();
        } catch (SocketException unknown) {
            // Not known to be too small; what does not fit is refused and counted when it is sent.
            return Integer.MAX_VALUE;
        }
    }

    @Override
    public DeviceInfo info() {
        String name =
                "vni "
                        + config.vni()
                        + " "
                        + config.local().getAddress().getHostAddress()
                        + " > "
                        + config.remote().getAddress().getHostAddress();
        return new DeviceInfo("vxlan", name, 0, maxFrameBytes, "Netty " + transport.name(), true);
    }

    /**
     * The loop belongs to the thread that first uses it, which must be the worker and not the
     * thread that opened the device.
     *
     * @return null if there was no room for one; the device then stays down
     */
    private @Nullable Channel start() {
        if (channel != null || failed) {
            return channel;
        }
        try {
            Channel started = transport.start(new Receiver());
            started.config()
                    .setWriteBufferWaterMark(
                            new WriteBufferWaterMark(WRITE_LOW_BYTES, WRITE_HIGH_BYTES));
            channel = started;
        } catch (RuntimeException noRoom) {
            failed = true;
        }
        return channel;
    }

    @Override
    public int receive(long nowNs, FreeList free, Frame[] batch, int limit) {
        if (closed || start() == null) {
            return 0;
        }
        if (arrived.isEmpty()) {
            transport.poll();
        }
        noteErrors(nowNs);
        int received = 0;
        while (received < limit && !arrived.isEmpty()) {
            Frame frame = free.take();
            if (frame == null) {
                break;
            }
            ByteBuf datagram = arrived.remove();
            int lengthBytes = datagram.readableBytes();
            frame.dataOffset = frame.slotOffset + FrameRegion.HEADROOM_BYTES;
            frame.lengthBytes = lengthBytes;
            frame.storedBytes = lengthBytes;
            MemorySegment bytes =
                    MemorySegment.ofBuffer(datagram.nioBuffer(datagram.readerIndex(), lengthBytes));
            MemorySegment.copy(bytes, 0, segment, frame.dataOffset, lengthBytes);
            datagram.release();
            batch[received++] = frame;
        }
        checksums.look(nowNs, batch, received);
        return received;
    }

    private void noteErrors(long nowNs) {
        if (hasError) {
            hasError = false;
            errorNs = nowNs;
            transport.takeErrors();
        } else if (lastError != 0 && nowNs - errorNs > ERROR_OVER_NS) {
            lastError = 0;
        }
    }

    private void heard(Throwable failure) {
        if (failure instanceof Errors.NativeIoException error) {
            lastError = -error.expectedErr();
            hasError = true;
        }
    }

    /** Takes what the socket has received; runs inside {@link DatagramTransport#poll}. */
    private final class Receiver extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (!(message instanceof DatagramPacket datagram)) {
                return;
            }
            ByteBuf content = datagram.content();
            if (!isOurs(datagram.sender(), content)) {
                foreign++;
            } else if (content.readableBytes() - HEADER_BYTES > slotFrameBytes) {
                oversize++;
            } else {
                arrived.add(content.skipBytes(HEADER_BYTES).retain());
            }
            datagram.release();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            // What the far end or a router on the way said of a datagram, which was sent.
            heard(cause);
        }
    }

    private boolean isOurs(@Nullable InetSocketAddress sender, ByteBuf content) {
        InetAddress peer = config.remote().getAddress();
        return content.readableBytes() >= HEADER_BYTES
                && sender != null
                && peer.equals(sender.getAddress())
                && (content.getByte(content.readerIndex()) & FLAG_I) != 0
                && content.getUnsignedMedium(content.readerIndex() + 4) == config.vni();
    }

    @Override
    public int transmit(Frame[] batch, int from, int count) {
        Channel open = closed ? null : start();
        if (open == null) {
            return 0;
        }
        int taken = 0;
        while (taken < count && open.isWritable()) {
            Frame frame = batch[from + taken];
            taken++;
            if (frame.lengthBytes > maxFrameBytes) {
                status.refuse(1, frame.lengthBytes);
                continue;
            }
            open.write(encapsulate(open, frame)).addListener(sent);
        }
        if (taken > 0) {
            open.flush();
        }
        transport.submit();
        return taken;
    }

    private DatagramPacket encapsulate(Channel open, Frame frame) {
        int stored = frame.storedBytes;
        ByteBuf datagram = open.alloc().directBuffer(HEADER_BYTES + frame.lengthBytes);
        datagram.writeLong(header);
        MemorySegment bytes = MemorySegment.ofBuffer(datagram.nioBuffer(HEADER_BYTES, stored));
        MemorySegment.copy(segment, frame.dataOffset, bytes, 0, stored);
        datagram.writerIndex(HEADER_BYTES + stored);
        datagram.writeZero(frame.lengthBytes - stored);
        return new DatagramPacket(datagram, config.remote());
    }

    private void onSent(ChannelFuture future) {
        Throwable failure = future.cause();
        if (failure != null) {
            unsent++;
            heard(failure);
        }
    }

    @Override
    public TransmitStatus transmitStatus() {
        return status;
    }

    /** A wire over a network has no carrier: it is up while there is a socket. */
    @Override
    public boolean isUp() {
        return !closed && !failed;
    }

    @Override
    public boolean isGone() {
        return failed;
    }

    private Optional<LinuxInterface> unfinishedTunnel() {
        try {
            return closed
                    ? Optional.empty()
                    : OffloadCheck.unfinishedTunnel(
                            config.netns(), config.local().getAddress(), config.vni());
        } catch (DeviceException mayNotLook) {
            return Optional.empty();
        }
    }

    /**
     * Problems of the tunnel: errors that the far end or a router reports for our datagrams, or
     * faults in the datagrams of the far end.
     */
    @Override
    public String trouble() {
        int error = lastError;
        String remote = Addresses.format(config.remote());
        if (error != 0 && !closed) {
            return switch (error) {
                case Errno.ECONNREFUSED ->
                        "VXLAN: no program listens at %s, UDP port %s (ICMP 'port unreachable'); start the far end there, or correct 'remote'"
                                .formatted(
                                        config.remote().getAddress().getHostAddress(),
                                        config.remote().getPort());
                case Errno.EMSGSIZE ->
                        ("VXLAN: datagrams to %s are too long for the path; lower this port's mtu,"
                                        + " or raise the MTU of the links on the path")
                                .formatted(remote);
                default ->
                        "VXLAN: %s cannot be reached: %s".formatted(remote, Errno.describe(error));
            };
        }
        Optional<LinuxInterface> far = unfinishedTunnel();
        if (far.isPresent()) {
            return ("VXLAN: %s, at the far end, leaves checksums to hardware, and receivers drop"
                            + " such frames; run %s")
                    .formatted(far.get().where(), OffloadCheck.commandToFinish(far.get()));
        }
        return checksums.seesUnfinished()
                ? "VXLAN: frames come from "
                        + remote
                        + " whose sender left the checksum to hardware; the receivers drop these"
                        + " frames. "
                        + ChecksumWatch.REMEDY
                        + ", where INTERFACE is the one that sends into the tunnel, such as Linux'"
                        + " own VXLAN device"
                : "";
    }

    @Override
    public void readReceiveDrops(DropTotals totals) {
        totals.add(DropReason.TUNNEL_FOREIGN, foreign);
        totals.add(DropReason.OVERSIZE, oversize);
        totals.add(DropReason.KERNEL_RX_RING_FULL, transport.kernelDrops());
    }

    @Override
    public void readTransmitDrops(DropTotals totals) {
        totals.add(DropReason.KERNEL_TX, unsent);
    }

    @Override
    public int receiveFd() {
        return transport.receiveFd();
    }

    @Override
    public boolean armReceive() {
        return !arrived.isEmpty();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        while (!arrived.isEmpty()) {
            arrived.remove().release();
        }
        try {
            transport.close();
        } catch (IOException alreadyGone) {
            // The socket is closed either way.
        }
    }
}
