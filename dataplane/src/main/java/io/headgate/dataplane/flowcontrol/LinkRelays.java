package io.headgate.dataplane.flowcontrol;

import io.headgate.config.PortConfig;
import io.headgate.dataplane.linkcontrol.LinkRelay;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The {@link LinkRelay}s of a switch: for each mechanism that relays, one for each port. */
public final class LinkRelays {
    /** For engines without relays, such as a host's card. */
    public static final LinkRelays NONE = new LinkRelays(List.of(), _ -> (in, out) -> () -> {});

    private final Map<String, LinkRelay[]> byMechanism = new TreeMap<>();

    /**
     * Supplies the doorbells of the other ports' egress halves, for calls from a sender or a
     * receiver.
     */
    @FunctionalInterface
    public interface Doorbells {
        LinkRelay.Doorbells from(boolean sender);
    }

    public LinkRelays(List<PortConfig> ports, Doorbells doorbells) {
        Map<String, int[]> records = new TreeMap<>();
        Set<String> fromSender = new TreeSet<>();
        for (int port = 0; port < ports.size(); port++) {
            for (LinkMechanisms.Joined<?> one : new LinkMechanisms(ports.get(port)).joined()) {
                records.computeIfAbsent(one.name(), _ -> new int[ports.size()])[port] =
                        one.relayed();
                if (one.mechanism().relaysFromSender()) {
                    fromSender.add(one.name());
                }
            }
        }
        records.forEach((name, each) ->
                byMechanism.put(
                        name, LinkRelay.between(each, doorbells.from(fromSender.contains(name)))));
    }

    public LinkRelay of(String mechanism, int port) {
        LinkRelay[] relays = byMechanism.get(mechanism);
        return relays == null ? LinkRelay.NONE : relays[port];
    }
}
