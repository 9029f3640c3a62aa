package io.headgate.config;

import static io.headgate.config.key.Quantity.RATE;
import static io.headgate.config.key.Quantity.SIZE;

import io.headgate.config.key.Allowed;
import io.headgate.config.key.Checked;
import io.headgate.config.key.Common;
import io.headgate.config.key.Inline;
import io.headgate.config.key.Items;
import io.headgate.config.key.Key;
import io.headgate.config.key.Known;
import io.headgate.config.key.Otherwise;
import io.headgate.config.key.Place;
import io.headgate.config.key.Quantity;
import io.headgate.config.key.Says;
import io.headgate.config.key.Text;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The resolved configuration of one host agent process, with defaults filled in. */
@Withers
public record HostConfig(
        @Key(pattern = "^[A-Za-z0-9_-]{1,32}$")
                @Says("The agent's name in its output.")
                @Allowed("1 to 32 letters, digits, - or _, such as hosts")
                String name,
        @Key(name = "hosts")
                @Says("The hosts that the agent serves.")
                @Allowed(
                        "a list of 1 to 64 hosts, such as [{name: h1, tap: tap1, device:"
                                + " {afpacket: eth1}}]")
                @Items(
                        min = 1,
                        max = 64,
                        each =
                                "a mapping with name, tap and device, such as {name: h1, tap:"
                                        + " {interface: eth0, netns: h1}, device: {afpacket:"
                                        + " wire1}}")
                @Common(
                        says = "Settings of all hosts; a host's own setting takes precedence.",
                        allowed =
                                "a mapping with any of a host's settings but name, tap and device,"
                                        + " such as {rate: 10Gbps, flow-control: pfc}")
                List<Nic> nics,
        @Key
                @Says("The threads that run the cards.")
                @Allowed("a mapping, such as {layout: auto, idle: backoff}")
                WorkerConfig workers)
        implements HostConfigBuilder.With, Checked {
    public HostConfig {
        nics = List.copyOf(nics);
    }

    @Override
    public void check(Known known, Place place) {
        Set<String> names = new HashSet<>();
        Set<DeviceConfig> devices = new HashSet<>();
        for (int i = 0; i < nics.size(); i++) {
            Nic nic = nics.get(i);
            Place host = place.child("hosts").item(i);
            if (!nic.name().isEmpty() && !names.add(nic.name())) {
                host.child("name")
                        .refuse("a second host named " + Text.quote(nic.name()), "each name once");
            }
            if (!nic.tap().interfaceName().isEmpty() && !devices.add(nic.tap())) {
                host.child("tap").refuse("a TAP that another host has", "a TAP for each host");
            }
            if (!nic.device().equals(DeviceConfig.none()) && !devices.add(nic.device())) {
                host.child("device")
                        .refuse("a device that another host has", "a device for each host");
            }
        }
    }

    /**
     * The network card of one host.
     *
     * @param wire priorities and flow control towards the switch
     * @param controlledFlows flows whose rates are controlled, if there is a rate control; empty:
     *     all
     */
    @Withers
    public record Nic(
            @Key(pattern = "^[A-Za-z0-9_-]{1,24}$", own = true)
                    @Says("The host's name in every output.")
                    @Allowed("1 to 24 letters, digits, - or _, such as h1")
                    String name,
            @Key(own = true)
                    @Says("The TAP interface that the host's applications use.")
                    @Allowed(Devices.TAP_ALLOWED)
                    DeviceConfig.Tap tap,
            @Key(codec = Devices.OfHost.class, own = true)
                    @Says("The device that connects the host to the switch: exactly one kind.")
                    DeviceConfig device,
            @Key(
                            quantity = RATE,
                            min = "1Mbps",
                            max = "400Gbps",
                            absent = "1Gbps",
                            example = "10Gbps, 100Mbps")
                    @Says(
                            "The line rate, the same as at the switch's port; includes preamble and"
                                    + " inter-frame gap like a real line.")
                    long rateBps,
            @Key(name = "mtu", unit = "bytes", min = "576", max = "9000", absent = "1500")
                    @Says(
                            "The largest layer-3 payload, on both sides; a frame is at most 14"
                                    + " bytes of header and 8 bytes of tags longer.")
                    @Allowed(PortConfig.MTU_ALLOWED)
                    int mtuBytes,
            @Inline PortTraffic.End wire,
            @Key(quantity = RATE, min = "1Mbps", max = "400Gbps", example = "100Mbps")
                    @Says(
                            "Rate at which arrived frames are passed to the applications; below the"
                                    + " line rate for an intentionally slow receiver.")
                    @Otherwise("no limit")
                    long receiveRateBps,
            @Key(unit = "frames", min = "256", max = "131072", absent = "4096")
                    @Says(
                            "Maximum number of the applications' frames that wait in the card."
                                    + " Senders are held back when a quarter is used.")
                    int transmitSlots,
            @Key(unit = "frames", min = "128", max = "131072", absent = "1024")
                    @Says(
                            "Maximum number of frames from the wire that wait in the card, in"
                                    + " addition to the room of flow control.")
                    int receiveSlots,
            @Key(absent = "none", example = "ect1")
                    @Says(
                            "The ECN code point that the applications' packets get, so that"
                                    + " switches can mark packets of unmodified applications: ect0,"
                                    + " or ect1 for senders that distinguish \"undetermined\" from"
                                    + " \"congestion experienced\"; none: unchanged. Packets with"
                                    + " \"congestion experienced\" stay unchanged.")
                    Ecn ecn,
            @Inline Throttling throttling,
            @Inline(codec = Mechanisms.OfHost.class) Mechanisms rateControl,
            @Key
                    @Says(
                            "The flows that rate-control controls, each separately; all other flows"
                                    + " are not controlled.")
                    @Allowed("a list of at most 64 flows, such as [{protocol: udp, port: 5201}]")
                    @Otherwise("all of TCP and UDP")
                    @Items(
                            max = 64,
                            each =
                                    "a mapping with any of protocol and port, such as {protocol:"
                                            + " udp, port: 5201}")
                    List<Flows> controlledFlows,
            @Key(unit = "queues", min = "1", max = "64", absent = "8")
                    @Says(
                            "Number of TAP queues over which controlled flows are spread by"
                                    + " addresses and ports. A flow that must wait also blocks the"
                                    + " other flows of its queue; uncontrolled flows have a"
                                    + " separate queue.")
                    int flowQueues)
            implements HostConfigNicBuilder.With, Checked {
        private static final long ANY_RATE_BPS = 400_000_000_000L;

        public Nic {
            controlledFlows = List.copyOf(controlledFlows);
        }

        static List<Flows> controlledFlows(Known known) {
            return List.of();
        }

        /**
         * Maximum payload of a frame from the switch: the MTU plus the bytes that mechanisms there
         * add.
         */
        public int linkMtuBytes() {
            return mtuBytes + FrameGrowth.onLink(wire.mechanisms());
        }

        private static void refuseSegments(Place place, DeviceConfig device) {
            if (device.kind().passesSegments()) {
                place.refuse(
                        "gso: pass at a host",
                        "gso: none, because a host's card controls its senders frame by frame");
            }
        }

        static long receiveRateBps(Known known) {
            return ANY_RATE_BPS;
        }

        /** Slots that flow control may promise: the card has no other use for them. */
        static int freeSlots(Known known) {
            return known.count("receive-slots");
        }

        @Override
        public void check(Known known, Place place) {
            refuseSegments(place.child("tap"), tap);
            refuseSegments(place.child("device"), device);
            if (!device.joinsHosts()) {
                place.child("device")
                        .refuse(
                                "a device without a connection to a switch",
                                "a device that can connect to a switch, such as afpacket");
            }
        }
    }

    /** The ECN code point that packets declare (RFC 3168). */
    public enum Ecn {
        /** The code point that the applications set. */
        NONE(0),
        /** ECN-capable, ECT(0). */
        ECT0(2),
        /** ECN-capable, ECT(1). */
        ECT1(1);

        private final int codePoint;

        Ecn(int codePoint) {
            this.codePoint = codePoint;
        }

        /** The value in an IP header; 0: the header stays as it is. */
        public int codePoint() {
            return codePoint;
        }
    }

    /** Flows, selected by their transport. */
    public record Flows(
            @Key(absent = "any") @Says("The transport protocol.") Protocol protocol,
            @Key(min = "0", max = "65535", absent = "0", example = "5201")
                    @Says("The source or destination port; 0: any.")
                    int port) {
        /** Protocols whose flows are distinguished. */
        public enum Protocol {
            ANY,
            TCP,
            UDP
        }
    }

    /** Limits for holding back applications that send. */
    @Withers
    public record Throttling(
            @Key(quantity = SIZE, min = "64kB", max = "1GB", absent = "32MB", example = "32MB")
                    @Says(
                            "Size of the TAP's queueing discipline, which holds senders back. A"
                                    + " socket waits when its own buffer is full, so this size must"
                                    + " hold the send buffers of all sockets that send at the same"
                                    + " time.")
                    int backlogBytes,
            @Key(quantity = RATE, min = "1Mbps", max = "400Gbps", example = "10Mbps")
                    @Says(
                            "Minimum rate to which senders are held back; at this rate a frame of"
                                    + " the largest size must take at most 2 ms.")
                    @Otherwise(
                            "10Mbps, or the rate that sends a frame of the MTU in 2 ms if that"
                                    + " is more")
                    long floorBps,
            @Key(name = "tap-queue", unit = "frames", min = "64", max = "65536", absent = "8192")
                    @Says(
                            "Number of frames that the TAP holds until they are read (its"
                                    + " txqueuelen); further frames from the kernel are lost and"
                                    + " shown as an incident.")
                    int tapQueueFrames)
            implements HostConfigThrottlingBuilder.With, Checked {
        private static final long FLOOR_BPS = 10_000_000;
        private static final long LONGEST_FRAME_NS = 2_000_000;

        static long floorBps(Known known) {
            return leastFloorBps(known.count("mtu"));
        }

        @Override
        public void check(Known known, Place place) {
            long least = leastFloorBps(known.count("mtu"));
            if (floorBps < least) {
                place.child("floor")
                        .refuse(
                                Quantity.RATE.format(floorBps),
                                ("at least %s; otherwise senders may pause for milliseconds after"
                                                + " their release")
                                        .formatted(Quantity.RATE.format(least)));
            }
        }

        /** The minimum floor: 10 Mb/s, or a frame of the MTU in 2 ms if that is more. */
        public static long leastFloorBps(int mtuBytes) {
            long bits =
                    8L
                            * new Headroom(FLOOR_BPS, mtuBytes, FlowControlConfig.Link.DEFAULT)
                                    .maxWireBytes();
            return Math.max(FLOOR_BPS, Math.ceilDiv(bits * 1_000_000_000L, LONGEST_FRAME_NS));
        }
    }
}
