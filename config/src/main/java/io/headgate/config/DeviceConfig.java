package io.headgate.config;

import static io.headgate.config.key.Quantity.DURATION;

import io.headgate.config.key.Allowed;
import io.headgate.config.key.Checked;
import io.headgate.config.key.Fixed;
import io.headgate.config.key.Inline;
import io.headgate.config.key.Key;
import io.headgate.config.key.Known;
import io.headgate.config.key.Named;
import io.headgate.config.key.Otherwise;
import io.headgate.config.key.Permanent;
import io.headgate.config.key.Place;
import io.headgate.config.key.Says;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The device of a port: a record of a {@link DeviceKind}, with the properties that a switch must
 * know before it opens the device. The built-in kinds are nested here. {@code netns}: a named
 * network namespace, or null for our own.
 */
public interface DeviceConfig {
    /** Placeholder for a file without a usable device; no file can name it. */
    static DeviceConfig none() {
        return new Memory("");
    }

    /** The device itself, without its faults; it has the properties of its kind. */
    default DeviceConfig kind() {
        return this;
    }

    /** The named network namespace that it is in; null: our own, or none. */
    default @Nullable String netns() {
        return null;
    }

    /** Slots that its receive side must find free, in addition to the accounts. */
    default int receiveSlots() {
        return ConfigDefaults.COPY_BURST_SLOTS;
    }

    /**
     * Capacity in frames of any length that it holds until its port looks; {@link
     * ConfigDefaults#RING_NOT_KNOWN} if not known.
     */
    default int ringFrames() {
        return ConfigDefaults.RING_NOT_KNOWN;
    }

    /** The largest slots that it can use; MAX_VALUE: any. */
    default int maxSlotBytes() {
        return Integer.MAX_VALUE;
    }

    /** Whether the kernel maps the slots, as AF_XDP does. */
    default boolean mapsSlots() {
        return false;
    }

    /** Whether programs of the kernel read the slots, where the kernel allows it. */
    default boolean sharesSlots() {
        return false;
    }

    /** Whether frames of TCP come and leave whole: each may stand for many segments. */
    default boolean passesSegments() {
        return false;
    }

    /** Whether both halves of its port must be on one worker. */
    default boolean needsOneWorker() {
        return false;
    }

    /**
     * Unique names of the resources that it needs for itself, such as "interface veth1": no two
     * ports of a switch may claim the same.
     */
    default List<String> claims() {
        return List.of();
    }

    /** The name of its pair, which exactly two ports have; null: it is not an end of a pair. */
    default @Nullable String pair() {
        return null;
    }

    /** Whether a host can be joined to a switch by it. */
    default boolean joinsHosts() {
        return true;
    }

    /** Whether it is in the virtual test bed, where frames may lack their payload. */
    default boolean isVirtual() {
        return false;
    }

    private static List<String> interfaceOf(String name, @Nullable String netns) {
        return List.of("interface " + name + inNamespace(netns));
    }

    private static String inNamespace(@Nullable String netns) {
        return netns == null ? "" : " in namespace " + netns;
    }

    /** A device with faults: not a kind, but a wrapper around a device of any kind. */
    record Faulty(DeviceConfig device, Faults faults) implements DeviceConfig {
        @Override
        public DeviceConfig kind() {
            return device;
        }

        @Override
        public @Nullable String netns() {
            return device.netns();
        }

        @Override
        public int receiveSlots() {
            return device.receiveSlots() + faults.slots();
        }
    }

    /**
     * The faults of a device, with the keys of a virtual link's faults: for frames that it receives
     * and, if given, for frames that it transmits.
     *
     * @param transmit null: transmitted frames pass while the link is up
     */
    @Withers
    record Faults(
            @Inline OneWay receive,
            @Key(
                            name = "up",
                            quantity = DURATION,
                            min = "0ns",
                            max = "1000s",
                            absent = "0ns",
                            example = "10s")
                    @Says(
                            "Mean time for which the link is up (exponentially distributed); 0ns:"
                                    + " always up.")
                    long upMeanNs,
            @Key(
                            name = "down",
                            quantity = DURATION,
                            min = "0ns",
                            max = "1000s",
                            absent = "0ns",
                            example = "10s")
                    @Says(
                            "Mean time for which the link is then down; frames in transit are"
                                    + " lost.")
                    long downMeanNs,
            @Key(name = "limit", unit = "frames", min = "1", max = "131072", absent = "1000")
                    @Says(
                            "Maximum number of frames in transit per direction; each received one"
                                    + " takes a slot of the port. Further frames wait before the"
                                    + " device.")
                    @Fixed("their memory is reserved when the device is opened")
                    int limitFrames,
            @Key(min = "0", max = "1000000000", absent = "1")
                    @Says(
                            "Seed of all random choices of these faults, together with the port's"
                                    + " name.")
                    @Fixed("the random generators continue from their current state")
                    long seed,
            @Key
                    @Says(
                            "Faults of the frames that the device transmits. Not with a device"
                                    + " whose rings are the switch's own slots (afxdp).")
                    @Allowed(Devices.FAULTS_ALLOWED)
                    @Otherwise("transmitted frames have no faults while the link is up")
                    @Permanent(
                            "memory for such frames is reserved when the device is opened; with"
                                    + " transmit: {} faults can be added later")
                    @Nullable OneWay transmit,
            @Key(absent = "up")
                    @Says(
                            "Whether the link is up. No frame passes a link that is down, and"
                                    + " frames in transit are lost.")
                    LinkState link)
            implements Checked, DeviceConfigFaultsBuilder.With {

        /** Faults of a link that is plugged in. */
        public Faults(
                OneWay receive,
                long upMeanNs,
                long downMeanNs,
                int limitFrames,
                long seed,
                @Nullable OneWay transmit) {
            this(receive, upMeanNs, downMeanNs, limitFrames, seed, transmit, LinkState.UP);
        }

        /** Whether the link is down until it is plugged in again. */
        public boolean isPulled() {
            return link == LinkState.DOWN;
        }

        /** Slots that received frames under way take, without the slot of a repeated one. */
        public int slots() {
            return receive.holdsFrames() ? limitFrames : 0;
        }

        @Override
        public void check(Known known, Place place) {
            needs(place, upMeanNs > 0, "up", downMeanNs, "down");
            needs(place, downMeanNs > 0, "down", upMeanNs, "up");
        }

        private static void needs(
                Place place, boolean given, String key, long timeNs, String other) {
            if (given && timeNs == 0) {
                place.child(key).refuse(key + " without " + other, other + " with it, such as 1ms");
            }
        }
    }

    /** Whether a link is plugged in. */
    enum LinkState {
        UP,
        DOWN
    }

    /** The faults of the frames of one direction. */
    record OneWay(
            @Key(unit = Key.PROBABILITY, min = "0", max = "1", absent = "0.0")
                    @Says("Probability that a frame is lost.")
                    double lossProbability,
            @Key(unit = Key.PROBABILITY, min = "0", max = "1", absent = "0.0")
                    @Says(
                            "Probability that one to three bits of a frame are flipped; its FCS"
                                    + " does not detect it.")
                    double corruptionProbability,
            @Key(quantity = DURATION, min = "0ns", max = "10s", absent = "0ns", example = "5ms")
                    @Says("Additional delay of each frame.")
                    long delayNs,
            @Key(quantity = DURATION, min = "0ns", max = "10s", absent = "0ns", example = "5ms")
                    @Says("Maximum random delay in addition to delay; it does not reorder frames.")
                    long jitterNs,
            @Key(name = "reordering", unit = Key.PROBABILITY, min = "0", max = "1", absent = "0.0")
                    @Says(
                            "Probability that a frame is delayed by reordering-delay, so that later"
                                    + " frames overtake it.")
                    double reorderProbability,
            @Key(
                            name = "reordering-delay",
                            quantity = DURATION,
                            min = "0ns",
                            max = "10s",
                            absent = "0ns",
                            example = "5ms")
                    @Says("Additional delay of such a frame.")
                    long reorderDelayNs,
            @Key(name = "repetition", unit = Key.PROBABILITY, min = "0", max = "1", absent = "0.0")
                    @Says("Probability that a frame arrives twice in a row.")
                    double repeatProbability)
            implements Checked {

        /** Whether any fault is configured. */
        public boolean isAnything() {
            return holdsFrames()
                    || lossProbability > 0
                    || corruptionProbability > 0
                    || repeatProbability > 0;
        }

        /** Whether frames are held at all. */
        public boolean holdsFrames() {
            return delayNs > 0 || jitterNs > 0 || reorderProbability > 0;
        }

        @Override
        public void check(Known known, Place place) {
            Faults.needs(
                    place,
                    reorderProbability > 0,
                    "reordering",
                    reorderDelayNs,
                    "reordering-delay");
        }
    }

    /** A Linux interface through AF_PACKET with mapped rings (TPACKET_V2): runs everywhere. */
    @Named(
            value = "afpacket",
            says = "A Linux interface through AF_PACKET with mapped rings: runs everywhere.",
            allowed =
                    "an interface of 1 to 15 characters, such as veth1, or a mapping such as"
                            + " {interface: veth1, netns: h1}",
            alone = "interface")
    record AfPacket(
            @Key(name = "interface", pattern = Devices.INTERFACE_PATTERN)
                    @Says(Devices.INTERFACE_SAYS)
                    @Allowed(Devices.INTERFACE_ALLOWED)
                    String interfaceName,
            @Key(pattern = Devices.NETNS_PATTERN)
                    @Says(Devices.NETNS_SAYS)
                    @Allowed(Devices.NETNS_ALLOWED)
                    @Otherwise(Devices.NETNS_OTHERWISE)
                    @Nullable String netns,
            @Key(
                            name = "ring",
                            unit = "frames",
                            values = {
                                "64", "128", "256", "512", "1024", "2048", "4096", "8192", "16384",
                                "32768"
                            },
                            absent = "2048")
                    @Says(Devices.RING_SAYS)
                    @Allowed(Devices.RING_ALLOWED)
                    int ringFrames,
            @Key(absent = "none") @Says(Devices.GSO_SAYS) Gso gso)
            implements DeviceConfig {
        /** Each frame is one of the wire's. */
        public AfPacket(String interfaceName, @Nullable String netns, int ringFrames) {
            this(interfaceName, netns, ringFrames, Gso.NONE);
        }

        @Override
        public boolean passesSegments() {
            return gso == Gso.PASS;
        }

        @Override
        public List<String> claims() {
            return interfaceOf(interfaceName, netns);
        }
    }

    /** A Linux interface's queue through AF_XDP. */
    @Named(
            value = "afxdp",
            says =
                    "A queue of a Linux interface through AF_XDP. The MTU is at most 3754, the"
                            + " slots 2KiB or 4KiB.",
            allowed =
                    "an interface of 1 to 15 characters, such as veth1, or a mapping such as"
                            + " {interface: veth1, queue: 0}",
            alone = "interface")
    record AfXdp(
            @Key(name = "interface", pattern = Devices.INTERFACE_PATTERN)
                    @Says(Devices.INTERFACE_SAYS)
                    @Allowed(Devices.INTERFACE_ALLOWED)
                    String interfaceName,
            @Key(pattern = Devices.NETNS_PATTERN)
                    @Says(Devices.NETNS_SAYS)
                    @Allowed(Devices.NETNS_ALLOWED)
                    @Otherwise(Devices.NETNS_OTHERWISE)
                    @Nullable String netns,
            @Key(min = "0", max = "1023", absent = "0")
                    @Says("The interface's queue.")
                    @Allowed("a queue number from 0 to 1023, such as 0")
                    int queue,
            @Key(absent = "auto")
                    @Says(
                            "How the XDP program is attached: native where the driver has it, else"
                                    + " generic (auto); zero-copy is experimental.")
                    XdpMode mode,
            @Key(absent = "auto")
                    @Says(
                            "How bursts of 64 frames and more are given to the kernel: as XDP"
                                    + " frames where the interface is a veth whose far end accepts"
                                    + " them (auto), the same but with an error where it does not"
                                    + " (xdp), or through the socket like single frames (copy).")
                    XdpTransmit transmit,
            @Key(
                            name = "ring",
                            unit = "frames",
                            values = {
                                "64", "128", "256", "512", "1024", "2048", "4096", "8192", "16384",
                                "32768"
                            },
                            absent = "1024")
                    @Says(Devices.RING_SAYS)
                    @Allowed(Devices.RING_ALLOWED)
                    int ringFrames)
            implements DeviceConfig, Checked {
        @Override
        public List<String> claims() {
            return interfaceOf(interfaceName, netns);
        }

        @Override
        public int receiveSlots() {
            return ringFrames;
        }

        @Override
        public int maxSlotBytes() {
            return 4096;
        }

        @Override
        public boolean mapsSlots() {
            return true;
        }

        @Override
        public boolean sharesSlots() {
            return transmit != XdpTransmit.COPY && mode != XdpMode.ZERO_COPY;
        }

        @Override
        public void check(Known known, Place place) {
            if (transmit == XdpTransmit.XDP && mode == XdpMode.ZERO_COPY) {
                place.child("transmit")
                        .refuse(
                                "xdp with mode zero-copy, in which the card reads the slots itself",
                                "auto or copy with it");
            }
        }
    }

    /** How a device handles TCP frames that the sender leaves to hardware to cut into segments. */
    enum Gso {
        /** The device does not take such frames. */
        NONE,
        /** The device takes such frames and hands them on whole. */
        PASS
    }

    /** How a port hands bursts of frames to the kernel. */
    enum XdpTransmit {
        /** As XDP frames through a veth whose far end takes them, otherwise through the socket. */
        AUTO,
        /** As XDP frames; a device that does not take them is an error. */
        XDP,
        /** Through the socket, like single frames. */
        COPY
    }

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
    @Named(says = "A TAP interface.", allowed = Devices.TAP_ALLOWED, alone = "interface")
    record Tap(
            @Key(name = "interface", pattern = Devices.INTERFACE_PATTERN)
                    @Says(Devices.INTERFACE_SAYS)
                    @Allowed(Devices.INTERFACE_ALLOWED)
                    String interfaceName,
            @Key(pattern = Devices.NETNS_PATTERN)
                    @Says(Devices.NETNS_SAYS)
                    @Allowed(Devices.NETNS_ALLOWED)
                    @Otherwise(Devices.NETNS_OTHERWISE)
                    @Nullable String netns,
            @Key(absent = "true")
                    @Says(
                            "Whether the switch makes the interface, or takes an existing"
                                    + " persistent one.")
                    boolean create,
            @Key(absent = "none") @Says(Devices.GSO_SAYS) Gso gso)
            implements DeviceConfig {
        /** Each frame is one of the wire's. */
        public Tap(String interfaceName, @Nullable String netns, boolean create) {
            this(interfaceName, netns, create, Gso.NONE);
        }

        @Override
        public boolean passesSegments() {
            return gso == Gso.PASS;
        }

        @Override
        public List<String> claims() {
            return interfaceOf(interfaceName, netns);
        }
    }

    /** A live capture device through libpcap. */
    @Named(
            value = "pcap",
            says = "A live capture device through libpcap.",
            allowed =
                    "an interface of 1 to 15 characters, such as eth1, or a mapping such as"
                            + " {interface: eth1, netns: h1}",
            alone = "interface")
    record PcapLive(
            @Key(name = "interface", pattern = Devices.INTERFACE_PATTERN)
                    @Says(Devices.INTERFACE_SAYS)
                    @Allowed(Devices.INTERFACE_ALLOWED)
                    String interfaceName,
            @Key(pattern = Devices.NETNS_PATTERN)
                    @Says(Devices.NETNS_SAYS)
                    @Allowed(Devices.NETNS_ALLOWED)
                    @Otherwise(Devices.NETNS_OTHERWISE)
                    @Nullable String netns)
            implements DeviceConfig {
        @Override
        public List<String> claims() {
            return interfaceOf(interfaceName, netns);
        }

        @Override
        public boolean needsOneWorker() {
            return true;
        }
    }

    /**
     * Capture files: frames come from {@code input} and go to {@code output}; either may be null.
     */
    @Named(
            says =
                    "Capture files: frames are read from input and written to output; at least one"
                            + " of the two is needed. Relative paths start at the configuration"
                            + " file.",
            allowed = Devices.PCAP_FILE_ALLOWED,
            min = 1)
    record PcapFile(
            @Key(codec = Devices.PathCodec.class)
                    @Says("A pcap or pcapng file to receive from.")
                    @Allowed("a path, such as in.pcapng")
                    @Otherwise("nothing is received")
                    @Nullable Path input,
            @Key(codec = Devices.PathCodec.class)
                    @Says("A pcap file (times in ns) to transmit to.")
                    @Allowed("a path, such as out.pcap")
                    @Otherwise("what is transmitted is dropped")
                    @Nullable Path output,
            @Key(absent = "recorded")
                    @Says("When frames arrive: as recorded, or as fast as the switch takes them.")
                    Timing timing)
            implements DeviceConfig, Checked {
        /** When the frames of a file arrive: as recorded, or as fast as they are taken. */
        public enum Timing {
            RECORDED,
            FAST
        }

        @Override
        public void check(Known known, Place place) {
            if (!place.child("input").isGiven() && !place.child("output").isGiven()) {
                place.refuse("neither input nor output", Devices.PCAP_FILE_ALLOWED);
            } else if (input != null && input.equals(output)) {
                place.child("output").refuse("the input file", "another file than input");
            }
        }

        @Override
        public List<String> claims() {
            return output == null ? List.of() : List.of("output " + output);
        }

        @Override
        public boolean needsOneWorker() {
            return true;
        }

        @Override
        public boolean joinsHosts() {
            return false;
        }
    }

    /**
     * A virtual wire to another machine (RFC 7348), one VNI, one peer; {@code netns}: where {@code
     * local} is an address.
     */
    @Named(
            says =
                    "A virtual wire to another machine (RFC 7348): one network identifier, one"
                            + " peer.",
            allowed = "a mapping such as {local: 192.0.2.1, remote: 192.0.2.2, vni: 100}")
    record Vxlan(
            @Key(codec = Addresses.Endpoint.class)
                    @Says("The local address, with its UDP port unless it is 4789.")
                    @Allowed(Addresses.ENDPOINT_ALLOWED)
                    InetSocketAddress local,
            @Key(codec = Addresses.Endpoint.class)
                    @Says("The peer's address, with the UDP port unless it is 4789.")
                    @Allowed(Addresses.ENDPOINT_ALLOWED)
                    InetSocketAddress remote,
            @Key(min = "1", max = "16777215", example = "100")
                    @Says("The VXLAN network identifier, the same at both ends.")
                    int vni,
            @Key(pattern = Devices.NETNS_PATTERN)
                    @Says("The named network namespace of the local address.")
                    @Allowed(Devices.NETNS_ALLOWED)
                    @Otherwise(Devices.NETNS_OTHERWISE)
                    @Nullable String netns)
            implements DeviceConfig, Checked {
        @Override
        public void check(Known known, Place place) {
            Place near = place.child("local");
            Place far = place.child("remote");
            if (near.said() == null || far.said() == null) {
                return;
            }
            InetAddress here = local.getAddress();
            InetAddress there = remote.getAddress();
            if (here.isMulticastAddress()) {
                near.refuse(Addresses.format(here), "an address of this machine");
            }
            needsNoScope(here, near);
            needsNoScope(there, far);
            if (there.isMulticastAddress() || there.isAnyLocalAddress()) {
                far.refuse(Addresses.format(there), "the address of one peer");
            } else if (Addresses.bits(here) != Addresses.bits(there)) {
                far.refuse(Addresses.format(there), "an address of local's family, IPv4 or IPv6");
            } else if (local.equals(remote)) {
                far.refuse(
                        "the local address",
                        "the address of another machine, or another port here");
            }
        }

        /** Refuses a link-local address: it says where to send only together with an interface. */
        private static void needsNoScope(InetAddress address, Place at) {
            if (Addresses.bits(address) == 128 && address.isLinkLocalAddress()) {
                at.refuse(
                        Addresses.format(address) + ", a link-local address",
                        "an address that is not bound to one link, such as 2001:db8::1 or fd00::1");
            }
        }

        @Override
        public List<String> claims() {
            return List.of(
                    "VXLAN %s from %s to %s%s"
                            .formatted(
                                    vni,
                                    Addresses.format(local),
                                    Addresses.format(remote),
                                    inNamespace(netns)));
        }

        @Override
        public boolean needsOneWorker() {
            return true;
        }
    }

    /** One end of an in-memory pair; the two ends share the name. */
    @Named(
            says = "One end of an in-memory pair; the two ends share this name.",
            allowed = Devices.MEMORY_ALLOWED,
            alone = "pair")
    record Memory(
            @Key(pattern = "^[A-Za-z0-9._-]{1,32}$")
                    @Says("The name of the pair or link.")
                    @Allowed(Devices.MEMORY_ALLOWED)
                    String pair)
            implements DeviceConfig {}

    /**
     * One end of a link of the virtual test bed; only the test bed can open it. It is a kind of its
     * own, not a {@link Memory} pair, so that a configuration from a virtual run's report cannot
     * run in real time by mistake, and because such a link joins two switches, while both ends of a
     * pair are in one.
     */
    @Named(
            says = "One end of a link of the virtual test bed; only the test bed can open it.",
            allowed = Devices.VIRTUAL_ALLOWED,
            alone = "link")
    record Virtual(
            @Key(pattern = "^[A-Za-z0-9._-]{1,64}$")
                    @Says("The name of the pair or link.")
                    @Allowed(Devices.VIRTUAL_ALLOWED)
                    String link)
            implements DeviceConfig {
        @Override
        public boolean joinsHosts() {
            return false;
        }

        @Override
        public boolean isVirtual() {
            return true;
        }
    }
}
