package io.headgate.dataplane.device.afxdp;

import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.Bpf;
import io.headgate.dataplane.device.linux.Errno;
import io.headgate.dataplane.device.linux.Files;
import io.headgate.dataplane.device.linux.net.LinuxInterface;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import io.headgate.dataplane.device.linux.net.Offload;

/**
 * An XDP program on an interface that lets every frame pass, as long as this is open or the process
 * lives. A veth with such a program receives like a network card's driver, by NAPI, and accepts
 * frames that XDP sends from its other end, as {@link FrameGenerator} needs.
 */
public final class XdpPass implements AutoCloseable {
    private final int linkFd;

    private XdpPass(int linkFd) {
        this.linkFd = linkFd;
    }

    /**
     * Attaches the program. The kernel then switches GRO on, which this method switches off again.
     *
     * @throws DeviceException if there is no such interface, it has a program, or we may not
     */
    public static XdpPass attach(String netns, String interfaceName) throws DeviceException {
        LinuxInterface link = LinuxInterface.read(netns, interfaceName);
        XdpPass pass = NetworkNamespace.call(netns, () -> attachHere(link));
        link.set(Offload.GRO, false);
        return pass;
    }

    private static XdpPass attachHere(LinuxInterface link) throws DeviceException {
        Errno errno = new Errno();
        int program = Bpf.loadXdp(errno, XdpProgram.pass());
        if (program < 0) {
            throw AfXdpSupport.refused("load an XDP program", link, program);
        }
        int attached = Bpf.attachXdp(errno, program, link.index(), Bpf.XDP_FLAGS_DRV_MODE);
        Files.close(errno, program);
        if (attached < 0) {
            throw AfXdpSupport.refused("attach an XDP program", link, attached);
        }
        return new XdpPass(attached);
    }

    @Override
    public void close() {
        Files.close(new Errno(), linkFd);
    }
}
