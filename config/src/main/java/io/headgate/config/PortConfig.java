package io.headgate.config;

import static io.headgate.config.key.Quantity.RATE;
import static io.headgate.config.key.Quantity.SIZE;

import io.headgate.config.key.Allowed;
import io.headgate.config.key.Fixed;
import io.headgate.config.key.Inline;
import io.headgate.config.key.Items;
import io.headgate.config.key.Key;
import io.headgate.config.key.Known;
import io.headgate.config.key.Otherwise;
import io.headgate.config.key.Says;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One port of a switch.
 *
 * @param traffic how frames are sorted into priorities, and how these are served
 */
@Withers
public record PortConfig(
        @Key(pattern = PortConfig.NAME_PATTERN, own = true)
                @Says("The port's name in every output, unique within its switch.")
                @Allowed(PortConfig.NAME_ALLOWED)
                @Fixed("commands and outputs identify the port by it")
                String name,
        @Key(codec = Devices.OfPort.class, own = true) @Says("The port's device: exactly one kind.")
                DeviceConfig device,
        @Key(
                        quantity = RATE,
                        min = "1Mbps",
                        max = "400Gbps",
                        absent = "1Gbps",
                        example = "10Gbps, 100Mbps")
                @Says(
                        "The line rate, enforced by the egress pacer; includes preamble and"
                                + " inter-frame gap like a real line. If the rate is lowered while"
                                + " the port runs, only its data becomes slower.")
                long rateBps,
        @Key(name = "mtu", unit = "bytes", min = "576", max = "9000", absent = "1500")
                @Says(
                        "The largest layer-3 payload; a frame is at most 14 bytes of header"
                                + " and 8 bytes of tags longer.")
                @Allowed(PortConfig.MTU_ALLOWED)
                @Fixed("slots, headroom and margins are laid out for it at the start")
                int mtuBytes,
        @Key(codec = Ranges.Vlans.class, absent = "1")
                @Says(
                        "The VLANs of the port in bridge mode (IEEE 802.1Q). A number: an"
                                + " access port, which carries this VLAN untagged. A mapping:"
                                + " a trunk, which carries tagged VLANs.")
                @Allowed(
                        "a VLAN from 1 to 4094, or a trunk such as {trunk: [10, 20-29],"
                                + " native: 1} or {trunk: all}")
                @Fixed("the forwarding tables are laid out by VLAN at the start")
                VlanConfig vlan,
        @Key(quantity = SIZE, min = "1kB", max = "1GB")
                @Says(
                        "Capacity of one egress data queue; when it is full, arriving frames are"
                                + " dropped (tail drop).")
                @Otherwise("500kB; 4MB where a device of the switch has gso: pass")
                long queueLimitBytes,
        @Key(
                        quantity = SIZE,
                        min = "1kB",
                        max = "16GB",
                        example = "500kB (500,000 bytes) or 512KiB (524,288 bytes)")
                @Says("Maximum memory of frames that this port received, per priority, in bytes.")
                @Otherwise("account-cap-slots frames of the largest size")
                long accountCapBytes,
        @Key(unit = "slots", min = "1", max = "131072", example = "384")
                @Says("Maximum memory of frames that this port received, per priority, in slots.")
                @Otherwise(
                        "an eighth of the port's slots without those of the device's ring (384 with"
                                + " AF_XDP, 504 otherwise)")
                int accountCapSlots,
        @Inline TrafficConfig traffic,
        @Inline FlowControlConfig flowControl,
        @Inline(codec = Mechanisms.OfPort.class) Mechanisms mechanisms,
        @Key(own = true)
                @Says(
                        "The port's own addresses: at least one in routed mode, none in bridge"
                                + " mode.")
                @Allowed(
                        "an address with its prefix length, or a list of 1 to 16, such as"
                                + " 10.0.1.1/24 or [10.0.1.1/24, \"2001:db8:1::1/64\"]")
                @Otherwise("none")
                @Fixed("the forwarding tables are filled at the start")
                @Items(
                        min = 1,
                        max = 16,
                        orOne = true,
                        codec = Addresses.Prefixed.class,
                        each = Addresses.PREFIXED_ALLOWED)
                List<InterfaceAddress> addresses)
        implements PortConfigBuilder.With {

    static final String NAME_PATTERN = "^[A-Za-z0-9][A-Za-z0-9._-]{0,14}$";
    static final String NAME_ALLOWED = "1 to 15 letters, digits, ., - or _, such as p1";
    static final String MTU_ALLOWED = "a whole number of bytes from 576 to 9000, such as 1500";

    /** Minimum slots of a lossy priority, if the number of slots follows from the need. */
    private static final int LEAST_CAP_SLOTS = 64;

    public PortConfig {
        addresses = List.copyOf(addresses);
    }

    // ---- what follows from other keys

    /** Slots of the port without those of its device's ring. */
    static int freeSlots(Known known) {
        return known.get("memory", MemoryConfig.class).slotsPerPort()
                - known.get("device", DeviceConfig.class).receiveSlots();
    }

    /** Whether frames of several TCP segments may come to the port's queues, by any port. */
    static boolean segmentsCome(Known known) {
        return known.get("memory", MemoryConfig.class).holdsSegments();
    }

    /**
     * The default limit of a queue, larger if frames of several segments come: a burst of these is
     * as many frames as a burst of single ones.
     */
    static long queueLimitBytes(Known known) {
        return known.get("segments-come", Boolean.class) ? 4_000_000 : 500_000;
    }

    static int accountCapSlots(Known known) {
        int lossless = known.list("lossless", Integer.class).size();
        return ConfigDefaults.accountCapSlots(
                known.count("free-slots") - lossless * known.count("promised-slots"),
                ConfigDefaults.ACCOUNTS - lossless);
    }

    static long accountCapBytes(Known known) {
        return (long) known.count("account-cap-slots")
                * ConfigDefaults.maxFrameBytes(FrameGrowth.countedPayloadBytes(known));
    }

    /**
     * Maximum payload of a frame in the port's queues: the MTU plus the bytes that mechanisms add.
     */
    public int grownMtuBytes() {
        return mtuBytes + FrameGrowth.inQueues(mechanisms);
    }

    /**
     * Maximum payload that one frame of the port's link counts as: that of several segments if they
     * pass whole. Code that keeps room for frames that arrive, or that are under way, asks here.
     */
    public int countedPayloadBytes() {
        return FrameGrowth.countedPayloadBytes(device.kind().passesSegments(), grownMtuBytes());
    }

    /** The same for a frame in the port's queues, to which any port of the switch may send. */
    public int queuedPayloadBytes(MemoryConfig memory) {
        return FrameGrowth.countedPayloadBytes(memory.holdsSegments(), grownMtuBytes());
    }

    /** Maximum payload of a frame in a slot and on the link, a detour's header included. */
    public int linkMtuBytes() {
        return mtuBytes + FrameGrowth.onLink(mechanisms);
    }

    /** Minimum number of slots with which the port can do what its configuration says. */
    long neededSlots() {
        int lossy = ConfigDefaults.ACCOUNTS - traffic.lossless().size();
        return (long) lossy * Math.max(accountCapSlots, LEAST_CAP_SLOTS)
                + device.receiveSlots()
                + promisedSlots()
                + sharedSlots();
    }

    /** Slots that the port's lossless priorities have for themselves, all together. */
    public int promisedSlots() {
        return traffic.lossless().size()
                * (flowControl.promisedSlots() + DetourNeeds.of(mechanisms).reservedSlots());
    }

    /** Slots of the pool that priorities share; 0 where each has its own. */
    public int sharedSlots() {
        return flowControl.sharedSlots();
    }

    /**
     * The VLANs of a port in {@code bridge} mode (IEEE 802.1Q).
     *
     * @param mode an access port carries one VLAN untagged; a trunk carries tagged VLANs
     * @param nativeVlan VLAN of untagged frames, 1 to 4094; {@code null} on a trunk that refuses
     *     untagged frames
     * @param allowed the tagged VLANs of a trunk, made ascending; empty means all
     */
    public record VlanConfig(Mode mode, @Nullable Integer nativeVlan, List<Integer> allowed) {

        /** What a port does with tags. */
        public enum Mode {
            ACCESS,
            TRUNK
        }

        /** An access port in VLAN 1: what a port is when its configuration says nothing. */
        public static final VlanConfig DEFAULT = new VlanConfig(Mode.ACCESS, 1, List.of());

        public VlanConfig {
            allowed = allowed.stream().sorted().distinct().toList();
        }
    }
}
