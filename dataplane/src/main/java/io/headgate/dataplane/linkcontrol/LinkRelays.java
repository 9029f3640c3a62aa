package io.headgate.dataplane.linkcontrol;

import io.headgate.config.PortConfig;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The {@link LinkRelay}s of a switch: of each mechanism that relays, one for each port. */
public final class LinkRelays {
    /** Where nothing is relayed, as at a host's card. */
    public static final LinkRelays NONE = new LinkRelays(List.of(), (in, out) -> () -> {});

    private final Map<String, LinkRelay[]> byMechanism = new TreeMap<>();

    public LinkRelays(List<PortConfig> ports, LinkRelay.Doorbells doorbells) {
        Map<String, int[]> records = new TreeMap<>();
        for (int port = 0; port < ports.size(); port++) {
            int at = port;
            new LinkMechanisms(ports.get(port).mechanisms())
                    .showRelayed((name, most) ->
                            records.computeIfAbsent(name, _ -> new int[ports.size()])[at] = most);
        }
        records.forEach((name, each) -> byMechanism.put(name, LinkRelay.between(each, doorbells)));
    }

    /** A port's of a mechanism. */
    public LinkRelay of(String mechanism, int port) {
        LinkRelay[] relays = byMechanism.get(mechanism);
        return relays == null ? LinkRelay.NONE : relays[port];
    }
}
