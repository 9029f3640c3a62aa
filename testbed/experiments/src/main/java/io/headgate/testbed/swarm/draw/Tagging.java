package io.headgate.testbed.swarm.draw;

import io.headgate.config.BridgeConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.PortConfig.VlanConfig;
import io.headgate.testbed.traffic.frame.FrameShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The VLANs of a case: those that each link carries, tagged and untagged; both ends of a link have
 * the same. Hosts are known in all VLANs that their link carries.
 *
 * @param vlans all ids, 1 to 4094
 * @param ofLinks configuration of links, by name; absent: only untagged frames of VLAN 1
 */
record Tagging(List<Integer> vlans, Map<String, VlanConfig> ofLinks) {
    /** No tags between switches; the default of ports. */
    static final Tagging NONE = new Tagging(List.of(1), Map.of());

    Tagging {
        vlans = List.copyOf(vlans);
        ofLinks = Map.copyOf(ofLinks);
    }

    VlanConfig of(String link) {
        return ofLinks.getOrDefault(link, VlanConfig.DEFAULT);
    }

    boolean carries(String link, int vlan) {
        VlanConfig config = of(link);
        Integer untagged = config.nativeVlan();
        return (untagged != null && untagged == vlan)
                || (config.mode() == VlanConfig.Mode.TRUNK
                        && (config.allowed().isEmpty() || config.allowed().contains(vlan)));
    }

    /**
     * Whether frames from one link, with this tag or without one, reach the other, and replies with
     * the same tag come back.
     *
     * @param tag as {@link FrameShape#vlan}
     */
    boolean connects(String one, String other, int tag) {
        return reaches(one, other, tag) && reaches(other, one, tag);
    }

    private boolean reaches(String from, String to, int tag) {
        boolean named = tag != FrameShape.UNTAGGED && tag != 0;
        Integer vlan = named ? Integer.valueOf(tag) : of(from).nativeVlan();
        return vlan != null && carries(from, vlan) && carries(to, vlan);
    }

    /** A bridge's configuration, its static entries in all VLANs that their ports carry. */
    BridgeConfig onBridge(BridgeConfig plain, List<PortConfig> ports) {
        List<BridgeConfig.StaticEntry> entries = new ArrayList<>();
        for (BridgeConfig.StaticEntry entry : plain.staticEntries()) {
            for (int vlan : vlans) {
                if (carries(LinkNames.of(named(ports, entry.port())), vlan)) {
                    entries.add(new BridgeConfig.StaticEntry(entry.mac(), vlan, entry.port()));
                }
            }
        }
        return plain.withStaticEntries(entries)
                .withFdbEntries(plain.fdbEntries() + entries.size() - plain.staticEntries().size());
    }

    private static PortConfig named(List<PortConfig> ports, String name) {
        return ports.stream().filter(port -> port.name().equals(name)).findFirst().orElseThrow();
    }

    /** A description of a link's tags for people; empty for the default. */
    String describe(String link) {
        VlanConfig config = of(link);
        if (config.equals(VlanConfig.DEFAULT)) {
            return "";
        }
        Integer untagged = config.nativeVlan();
        String carried = config.allowed().isEmpty() ? "all" : config.allowed().toString();
        return switch (config.mode()) {
            case ACCESS -> ", access to VLAN " + untagged;
            case TRUNK ->
                    ", trunk of VLANs %s, %s"
                            .formatted(
                                    carried,
                                    untagged == null
                                            ? "none of them untagged"
                                            : untagged + " untagged");
        };
    }
}
