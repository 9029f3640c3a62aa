package io.headgate.config;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Which device a port stands on. {@code netns}: a named network namespace, or null for our own. */
public sealed interface DeviceConfig {

    /** The named network namespace that it is in; null: our own, or none. */
    default @Nullable String netns() {
        return null;
    }

    /** A Linux interface through AF_PACKET with mapped rings (TPACKET_V2): runs everywhere. */
    record AfPacket(String interfaceName, @Nullable String netns, int ringFrames)
            implements DeviceConfig {}

    /** A Linux interface's queue through AF_XDP. */
    record AfXdp(
            String interfaceName, @Nullable String netns, int queue, XdpMode mode, int ringFrames)
            implements DeviceConfig {}

    /**
     * How an XDP program is attached. {@code AUTO}: native where the driver has it, else generic.
     */
    enum XdpMode {
        AUTO,
        NATIVE,
        GENERIC,
        ZERO_COPY
    }

    /** A TAP interface; created when {@code create}, otherwise an existing persistent one. */
    record Tap(String interfaceName, @Nullable String netns, boolean create)
            implements DeviceConfig {}

    /** A live capture device through libpcap. */
    record PcapLive(String interfaceName, @Nullable String netns) implements DeviceConfig {}

    /**
     * Capture files: frames come from {@code input} and go to {@code output}; either may be null.
     */
    record PcapFile(@Nullable Path input, @Nullable Path output, Timing timing)
            implements DeviceConfig {
        /** When the frames of a file arrive: as recorded, or as fast as they are taken. */
        public enum Timing {
            RECORDED,
            FAST
        }
    }

    /**
     * A virtual wire to another machine (RFC 7348), one VNI, one peer; {@code netns}: where {@code
     * local} is an address.
     */
    record Vxlan(InetSocketAddress local, InetSocketAddress remote, int vni, @Nullable String netns)
            implements DeviceConfig {}

    /** One end of an in-memory pair; the two ends share the name. */
    record Memory(String pair) implements DeviceConfig {}

    /**
     * One end of a link of the virtual test bed, which alone can open it: a kind of its own, not a
     * {@link Memory} pair, so that a configuration out of a virtual run's report cannot run in real
     * time by mistake, and because such a link joins two switches, where a pair's ends are in one.
     */
    record Virtual(String link) implements DeviceConfig {}
}
