package io.headgate.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One port of a switch.
 *
 * @param name the port's name in every output, 1 to 15 characters, unique within its switch
 * @param rateBps the nominal line rate in bits per second, enforced by the egress pacer; 1 Mb/s to
 *     400 Gb/s
 * @param mtuBytes largest layer-3 payload in bytes, 576 to 9000: a frame is at most this plus 14
 *     bytes of Ethernet header and 8 bytes of tags
 * @param queueLimitBytes bytes that one egress data queue holds before its tail drops
 * @param accountCapBytes bytes that frames received here may occupy in the switch per priority
 * @param accountCapSlots slots that frames received here may occupy in the switch per priority
 * @param addresses the port's own addresses in {@code routed} mode; empty in {@code bridge} mode
 * @param traffic how frames are sorted into priorities, and how these are served
 * @param flowControl how lossless priorities are kept lossless
 */
public record PortConfig(
        String name,
        DeviceConfig device,
        long rateBps,
        int mtuBytes,
        VlanConfig vlan,
        long queueLimitBytes,
        long accountCapBytes,
        int accountCapSlots,
        List<InterfaceAddress> addresses,
        TrafficConfig traffic,
        FlowControlConfig flowControl) {

    public PortConfig {
        addresses = List.copyOf(addresses);
    }

    /** A port without flow control that serves its priorities strictly. */
    public PortConfig(
            String name,
            DeviceConfig device,
            long rateBps,
            int mtuBytes,
            VlanConfig vlan,
            long queueLimitBytes,
            long accountCapBytes,
            int accountCapSlots,
            List<InterfaceAddress> addresses) {
        this(
                name,
                device,
                rateBps,
                mtuBytes,
                vlan,
                queueLimitBytes,
                accountCapBytes,
                accountCapSlots,
                addresses,
                TrafficConfig.DEFAULT,
                FlowControlConfig.NONE);
    }

    /** Slots that the port's lossless priorities have for themselves, all together. */
    public int promisedSlots() {
        FlowControlConfig.Buffers buffers = flowControl.buffers();
        FlowControlConfig.Credits credits = flowControl.credits();
        int each =
                buffers != null
                        ? buffers.promisedSlots()
                        : credits != null ? credits.bufferSlots() : 0;
        return traffic.lossless().size() * each;
    }

    /** Slots of the pool that priorities share; 0 where each has its own. */
    public int sharedSlots() {
        FlowControlConfig.Buffers buffers = flowControl.buffers();
        return buffers == null ? 0 : buffers.sharedSlots();
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
