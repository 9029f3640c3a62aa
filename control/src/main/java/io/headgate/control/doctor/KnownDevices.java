package io.headgate.control.doctor;

import io.headgate.config.DeviceConfig;
import io.headgate.dataplane.device.afxdp.AfXdpSupport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.pcap4j.core.Pcaps;

/** Checks the devices of the kernel and of libpcap, and the far ends of tunnels. */
public final class KnownDevices implements DeviceChecks {
    @Override
    public List<Finding> of(DeviceConfig device, int mtuBytes) {
        return switch (device) {
            case DeviceConfig.AfPacket d ->
                    InterfaceChecks.of(d.netns(), d.interfaceName(), mtuBytes, false, false);
            case DeviceConfig.AfXdp d ->
                    InterfaceChecks.of(
                            d.netns(),
                            d.interfaceName(),
                            mtuBytes,
                            true,
                            d.transmit() == DeviceConfig.XdpTransmit.XDP);
            case DeviceConfig.PcapLive d ->
                    InterfaceChecks.of(d.netns(), d.interfaceName(), mtuBytes, false, false);
            case DeviceConfig.Vxlan d -> InterfaceChecks.of(d);
            // Made by us, or with nothing of the kernel's that could go wrong.
            default -> List.of();
        };
    }

    @Override
    public String whyNot(String kind) {
        return switch (kind) {
            case "afpacket" -> raw();
            case "afxdp" -> AfXdpSupport.whyNot().orElse("");
            case "tap" -> tap();
            case "pcap" -> pcap();
            case "virtual" -> "only in virtual time";
            default -> "";
        };
    }

    private static String raw() {
        return Capabilities.ours().netRaw() ? "" : "needs CAP_NET_RAW; run as root";
    }

    private static String tap() {
        if (!Files.exists(Path.of("/dev/net/tun"))) {
            return "there is no /dev/net/tun; run modprobe tun";
        }
        return Capabilities.ours().netAdmin() ? "" : "needs CAP_NET_ADMIN; run as root";
    }

    private static String pcap() {
        try {
            String version = Pcaps.libVersion();
            return version.isEmpty() ? "libpcap says no version" : raw();
        } catch (LinkageError missing) {
            return "libpcap is missing; run apt-get install libpcap0.8";
        }
    }
}
