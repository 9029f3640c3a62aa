package io.headgate.dataplane.device.afxdp;

import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.Bpf;
import io.headgate.dataplane.device.linux.Errno;
import io.headgate.dataplane.device.linux.Files;
import io.headgate.dataplane.device.linux.net.LinuxInterface;
import java.util.Optional;

/** Tests whether AF_XDP can be used on this machine. */
public final class AfXdpSupport {
    private AfXdpSupport() {}

    /**
     * Tries what a device needs, except an interface: the socket, a map, the program. Takes well
     * under a millisecond once loaded, and leaves nothing behind.
     *
     * @return empty if AF_XDP can be used, else why not, in one sentence
     */
    public static Optional<String> whyNot() {
        Errno errno = new Errno();
        int socket = XskSocket.open(errno);
        if (socket < 0) {
            return Optional.of(noSocket(socket));
        }
        int map = -1;
        int program = -1;
        try {
            map = Bpf.createXskMap(errno, 1);
            program =
                    map < 0
                            ? map
                            : Bpf.loadXdp(
                                    errno, XdpProgram.redirectToSocket(map, XdpProgram.XDP_DROP));
            if (program == -Errno.EPERM || program == -Errno.EACCES) {
                return Optional.of(
                        "AF_XDP needs the machine's own root user to load its XDP program (CAP_BPF"
                                + " and CAP_NET_ADMIN, which a user namespace does not give)");
            }
            if (program < 0) {
                return Optional.of(
                        "this kernel refuses the XDP program that AF_XDP needs ("
                                + Errno.describe(program)
                                + ")");
            }
            return Optional.empty();
        } finally {
            for (int fd : new int[] {program, map, socket}) {
                if (fd >= 0) {
                    Files.close(errno, fd);
                }
            }
        }
    }

    /**
     * Tries what sending bursts as XDP frames needs, except an interface. Takes some milliseconds,
     * and leaves nothing behind.
     *
     * @return empty if they can be, else why not, in one sentence
     */
    public static Optional<String> whyNoXdpFrames() {
        return LiveTransmit.whyNot();
    }

    static String noSocket(int result) {
        if (result == -Errno.EAFNOSUPPORT) {
            return "this kernel has no AF_XDP (CONFIG_XDP_SOCKETS)";
        }
        if (result == -Errno.EPERM) {
            return "AF_XDP sockets need CAP_NET_RAW; run as root";
        }
        return "the kernel refuses an AF_XDP socket (" + Errno.describe(result) + ")";
    }

    /** The exception for a failed step of opening a device. */
    static DeviceException refused(String step, LinuxInterface port, int result) {
        if (result == -Errno.EPERM || result == -Errno.EACCES) {
            return new DeviceException(
                    ("no permission to %s for AF_XDP on interface %s: it needs the machine's own"
                                    + " root user (CAP_NET_ADMIN, CAP_NET_RAW and CAP_BPF);"
                                    + " otherwise use device kind afpacket")
                            .formatted(step, port.where()));
        }
        return new DeviceException(
                ("cannot %s for AF_XDP on interface %s: %s; device kind afpacket works on any"
                                + " interface")
                        .formatted(step, port.where(), Errno.describe(result)));
    }
}
