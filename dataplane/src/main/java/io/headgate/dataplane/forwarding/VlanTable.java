package io.headgate.dataplane.forwarding;

import io.headgate.config.PortConfig.VlanConfig;
import java.util.List;

/**
 * The VLANs of each port, tagged or untagged (IEEE 802.1Q clause 8.8). Immutable, shared by all
 * halves.
 */
public final class VlanTable {
    private static final int VLANS = 4096;
    private static final int REFUSE_UNTAGGED = 0;

    private final int[] nativeVlan;
    private final boolean[] trunk;
    private final long[][] membersByVlan = new long[VLANS][];
    private final boolean[] owned = new boolean[VLANS];
    private final int words;

    /**
     * @param ports what each port carries, in the order of port numbers
     */
    public VlanTable(List<VlanConfig> ports) {
        words = (ports.size() + 63) >>> 6;
        nativeVlan = new int[ports.size()];
        trunk = new boolean[ports.size()];
        long[] nobody = new long[words];
        for (int vlan = 0; vlan < VLANS; vlan++) {
            membersByVlan[vlan] = nobody;
        }
        for (int port = 0; port < ports.size(); port++) {
            VlanConfig config = ports.get(port);
            Integer untagged = config.nativeVlan();
            nativeVlan[port] = untagged == null ? REFUSE_UNTAGGED : untagged;
            trunk[port] = config.mode() == VlanConfig.Mode.TRUNK;
            addMemberships(port, config);
        }
    }

    private void addMemberships(int port, VlanConfig config) {
        if (nativeVlan[port] != REFUSE_UNTAGGED) {
            add(port, nativeVlan[port]);
        }
        if (trunk[port]) {
            for (int vlan = 1; vlan < VLANS - 1; vlan++) {
                if (config.allowed().isEmpty() || config.allowed().contains(vlan)) {
                    add(port, vlan);
                }
            }
        }
    }

    private void add(int port, int vlan) {
        long[] members = membersByVlan[vlan];
        if (!owned[vlan]) {
            owned[vlan] = true;
            members = new long[words];
            membersByVlan[vlan] = members;
        }
        members[port >>> 6] |= 1L << port;
    }

    /**
     * The VLAN of a frame received on a port, or 0 if the port does not take it.
     *
     * @param tagged whether the frame has a tag; a tag with VLAN id 0 only carries a priority
     */
    public int classify(int port, boolean tagged, int vlanId) {
        int own = nativeVlan[port];
        if (!tagged || vlanId == 0) {
            return own;
        }
        return carries(port, vlanId) && (trunk[port] || vlanId == own) ? vlanId : 0;
    }

    public boolean carries(int port, int vlan) {
        return (membersByVlan[vlan][port >>> 6] & (1L << port)) != 0;
    }

    /** Whether any frames leave by a port with a tag. */
    public boolean isTrunk(int port) {
        return trunk[port];
    }

    /** Whether frames of a VLAN leave by a port with a tag. */
    public boolean leavesTagged(int port, int vlan) {
        return trunk[port] && vlan != nativeVlan[port] && vlan != 0;
    }

    /** The ports that carry a VLAN, as words of bits, which the caller must not change. */
    public long[] members(int vlan) {
        return membersByVlan[vlan];
    }
}
