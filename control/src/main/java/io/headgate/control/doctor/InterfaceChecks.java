package io.headgate.control.doctor;

import io.headgate.config.DeviceConfig;
import io.headgate.config.Reason;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.afxdp.AfXdpSupport;
import io.headgate.dataplane.device.linux.net.LinuxInterface;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import io.headgate.dataplane.device.linux.net.Offload;
import io.headgate.dataplane.device.linux.net.OffloadCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks the interface of a port, and the other end of its veth. */
final class InterfaceChecks {
    /**
     * {@link OffloadCheck#UNFINISHED}, and VLAN tags kept outside the frame, which AF_XDP never
     * sees.
     */
    private static final Set<Offload> UNFINISHED_FOR_XDP =
            EnumSet.of(
                    Offload.TX_CHECKSUM,
                    Offload.TSO,
                    Offload.GSO,
                    Offload.TX_VLAN,
                    Offload.TX_STAG);

    private final List<Finding> findings = new ArrayList<>();
    private final Set<Offload> unfinished;

    private InterfaceChecks(Set<Offload> unfinished) {
        this.unfinished = unfinished;
    }

    /**
     * Checks one port's interface.
     *
     * @param portMtuBytes MTU of the port; 0 if not configured
     * @param xdpFrames whether its configuration asks for bursts as XDP frames
     */
    static List<Finding> of(
            @Nullable String netns, String name, int portMtuBytes, boolean xdp, boolean xdpFrames) {
        InterfaceChecks checks =
                new InterfaceChecks(xdp ? UNFINISHED_FOR_XDP : OffloadCheck.UNFINISHED);
        String where = netns == null ? name : netns + "/" + name;
        try {
            LinuxInterface own = LinuxInterface.read(netns, name);
            checks.lookAt(own, portMtuBytes);
            if (xdpFrames) {
                checks.xdpFrames(own);
            }
        } catch (DeviceException failure) {
            checks.findings.add(
                    Finding.advised(
                            Reason.of(failure), where, "create it, or correct the configuration"));
        }
        return checks.findings;
    }

    /** Checks the far end of a tunnel, if it is on this machine. */
    static List<Finding> of(DeviceConfig.Vxlan tunnel) {
        InterfaceChecks checks = new InterfaceChecks(OffloadCheck.UNFINISHED);
        try {
            Optional<LinuxInterface> far =
                    OffloadCheck.unfinishedTunnel(
                            tunnel.netns(), tunnel.local().getAddress(), tunnel.vni());
            if (far.isPresent()) {
                checks.offloads(
                        far.get(),
                        checks.unfinished,
                        "leaves checksums to hardware, which a VXLAN port cannot detect");
            }
        } catch (DeviceException mayNotLook) {
            return List.of();
        }
        return checks.findings;
    }

    private void lookAt(LinuxInterface own, int portMtuBytes) throws DeviceException {
        offloads(
                own,
                OffloadCheck.JOINING,
                "merges received frames into longer ones, which cannot be forwarded");
        if (!own.up()) {
            mend(own, "is down", "ip link set " + own.name() + " up");
        }
        if (portMtuBytes > own.mtuBytes()) {
            mend(
                    own,
                    "has an MTU of " + own.mtuBytes() + ", less than its port's " + portMtuBytes,
                    "ip link set " + own.name() + " mtu " + portMtuBytes);
        }
        if (speaksIpv6(own)) {
            mend(
                    own,
                    "the kernel sends IPv6 packets on it, which hosts see as traffic of the switch",
                    "sysctl -q -w net.ipv6.conf."
                            + own.name().replace('.', '/')
                            + ".disable_ipv6=1");
        }
        Optional<LinuxInterface> far = own.peer();
        if (far.isPresent()) {
            LinuxInterface peer = far.get();
            offloads(
                    peer, unfinished, "leaves work to hardware offloads that a veth does not have");
            if (peer.mtuBytes() != own.mtuBytes()) {
                mend(
                        peer,
                        "has an MTU of " + peer.mtuBytes() + " and its other end " + own.mtuBytes(),
                        "ip link set " + peer.name() + " mtu " + own.mtuBytes());
            }
            if (!peer.up()) {
                mend(peer, "is down", "ip link set " + peer.name() + " up");
            }
        }
    }

    /**
     * Finds the obstacles to sending bursts as XDP frames, which {@code transmit: xdp} asks for.
     */
    private void xdpFrames(LinuxInterface own) throws DeviceException {
        Optional<String> whyNot = AfXdpSupport.whyNoXdpFrames();
        if (whyNot.isPresent()) {
            findings.add(
                    Finding.advised(
                            "cannot send bursts as XDP frames: " + whyNot.get(),
                            where(own),
                            "set 'transmit: auto' for its port"));
            return;
        }
        Optional<LinuxInterface> far = own.peer();
        if (far.isPresent() && !far.get().offloads().contains(Offload.GRO)) {
            findings.add(
                    Finding.advised(
                            "accepts XDP frames only with GRO on or with its own XDP program, and"
                                    + " GRO is off",
                            where(far.get()),
                            "unless it will also be an AF_XDP port, run '"
                                    + NetworkNamespace.commandPrefix(far.get().netns())
                                    + "ethtool -K "
                                    + far.get().name()
                                    + " gro on'"));
        }
    }

    private static String where(LinuxInterface link) {
        return link.netns().isEmpty() ? link.name() : link.netns() + "/" + link.name();
    }

    private void offloads(LinuxInterface link, Set<Offload> unwanted, String what) {
        Set<Offload> found = EnumSet.copyOf(unwanted);
        found.retainAll(link.offloads());
        if (found.isEmpty()) {
            return;
        }
        StringBuilder command = new StringBuilder("ethtool -K " + link.name());
        found.forEach(offload -> command.append(' ').append(offload.label()).append(" off"));
        mend(link, what, command.toString());
    }

    private void mend(LinuxInterface link, String what, String command) {
        String whole = NetworkNamespace.commandPrefix(link.netns()) + command;
        findings.add(Finding.mendable(what, where(link), whole.split(" ")));
    }

    /**
     * Whether the kernel has an IPv6 address on the interface: it then sends solicitations and
     * reports.
     */
    private static boolean speaksIpv6(LinuxInterface link) throws DeviceException {
        return NetworkNamespace.call(
                link.netns(),
                () -> {
                    // The thread's own view: /proc/self is that of the first thread.
                    Path addresses = Path.of("/proc/thread-self/net/if_inet6");
                    try {
                        return Files.readAllLines(addresses).stream()
                                .anyMatch(line -> line.strip().endsWith(" " + link.name()));
                    } catch (IOException noIpv6) {
                        return false;
                    }
                });
    }
}
