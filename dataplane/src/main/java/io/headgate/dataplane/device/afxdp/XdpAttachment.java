package io.headgate.dataplane.device.afxdp;

import io.headgate.config.DeviceConfig.XdpMode;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.Bpf;
import io.headgate.dataplane.device.linux.Errno;
import io.headgate.dataplane.device.linux.Files;
import io.headgate.dataplane.device.linux.Structs;
import io.headgate.dataplane.device.linux.net.LinuxInterface;

/**
 * An XDP program attached to an interface as long as this object is open: the kernel detaches it
 * when the last descriptor of the bpf link is closed, also when the process is killed.
 */
public final class XdpAttachment {
    private final int linkFd;
    private final boolean inDriver;

    private XdpAttachment(int linkFd, boolean inDriver) {
        this.linkFd = linkFd;
        this.inDriver = inDriver;
    }

    /**
     * Loads the program and attaches it. The calling thread is in the interface's namespace, and
     * the socket is bound already, so that no frame is lost in between.
     *
     * @param mode {@code AUTO}: before the driver makes an skb if it supports that, else after
     */
    static XdpAttachment attach(LinuxInterface port, int queue, XdpMode mode, int socketFd)
            throws DeviceException {
        Errno errno = new Errno();
        int mapFd = Bpf.createXskMap(errno, queue + 1);
        if (mapFd < 0) {
            throw AfXdpSupport.refused("make a BPF map", port, mapFd);
        }
        int programFd = -1;
        try {
            int put = Bpf.put(errno, mapFd, queue, socketFd);
            if (put < 0) {
                throw AfXdpSupport.refused("enter the socket into a BPF map", port, put);
            }
            long[] program = XdpProgram.redirectToSocket(mapFd, XdpProgram.XDP_DROP);
            programFd = Bpf.loadXdp(errno, program);
            if (programFd < 0) {
                throw AfXdpSupport.refused("load the XDP program", port, programFd);
            }
            return attach(errno, port, mode, programFd);
        } finally {
            // The link keeps the program, and the program the map.
            if (programFd >= 0) {
                Files.close(errno, programFd);
            }
            Files.close(errno, mapFd);
        }
    }

    private static XdpAttachment attach(
            Errno errno, LinuxInterface port, XdpMode mode, int programFd) throws DeviceException {
        boolean mayBeGeneric = mode == XdpMode.GENERIC || mode == XdpMode.AUTO;
        int result = -Errno.EOPNOTSUPP;
        if (mode != XdpMode.GENERIC) {
            result = Bpf.attachXdp(errno, programFd, port.index(), Bpf.XDP_FLAGS_DRV_MODE);
            if (result >= 0) {
                return new XdpAttachment(result, true);
            }
        }
        if (mayBeGeneric && !isTaken(result)) {
            result = Bpf.attachXdp(errno, programFd, port.index(), Bpf.XDP_FLAGS_SKB_MODE);
            if (result >= 0) {
                return new XdpAttachment(result, false);
            }
        }
        if (isTaken(result)) {
            throw new DeviceException(
                    ("interface %s already has an XDP program; stop the program that attached it,"
                                    + " or detach it with %s")
                            .formatted(
                                    port.where(),
                                    Structs.command(
                                            port.netns(),
                                            "ip link set " + port.name() + " xdp off")));
        }
        if (!mayBeGeneric) {
            throw new DeviceException(
                    ("the driver of interface %s does not accept an XDP program (%s; its MTU may be"
                                    + " too large for it, or its peer sends on more queues than it"
                                    + " receives on); use mode 'generic' or 'auto'")
                            .formatted(port.where(), Errno.describe(result)));
        }
        throw AfXdpSupport.refused("attach the XDP program", port, result);
    }

    private static boolean isTaken(int result) {
        return result == -Errno.EBUSY || result == -Errno.EEXIST;
    }

    /** Whether the program runs in the driver (native), or after it (generic). */
    boolean inDriver() {
        return inDriver;
    }

    /** Detaches the program; no frame is redirected afterwards. */
    void close(Errno errno) {
        Files.close(errno, linkFd);
    }
}
