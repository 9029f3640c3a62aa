package io.headgate.testbed.swarm.draw;

import io.headgate.config.FlowControlConfig.Mode;
import io.headgate.config.Mechanisms;
import io.headgate.config.PortConfig;
import io.headgate.dataplane.escape.Escape;
import io.headgate.dataplane.escape.EscapeConfig;
import io.headgate.testbed.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The detours in a case: Escape, or a breaker of deadlocks.
 *
 * @param switches switches with a detour, by name, with the settings of each of their ports; slots
 *     follow from these
 * @param hosts hosts that the switch at the other end of the link knows to be hosts
 */
public record DetourSettings(Map<String, Mechanisms.Use> switches, Set<String> hosts) {
    static final DetourSettings NONE = new DetourSettings(Map.of(), Set.of());

    public DetourSettings {
        switches = new TreeMap<>(switches);
        hosts = new TreeSet<>(hosts);
    }

    /** Whether no switch has a detour. */
    public boolean isNone() {
        return switches.isEmpty();
    }

    /** Whether some switch has Escape. */
    public boolean hasEscape() {
        return switches.values().stream()
                .anyMatch(use -> use.configuration() instanceof EscapeConfig);
    }

    /** The ports of a switch, with the detour added to those with PFC. Links by port name. */
    List<PortConfig> on(String node, List<PortConfig> ports, Map<String, Topology.Link> links) {
        Mechanisms.Use own = switches.get(node);
        if (own == null) {
            return ports;
        }
        List<PortConfig> with = new ArrayList<>();
        for (PortConfig port : ports) {
            Topology.Link link = links.get(LinkNames.of(port));
            with.add(
                    port.flowControl().mode() == Mode.PFC && link != null
                            ? on(port, node, link, own, ports.size())
                            : port);
        }
        return with;
    }

    private PortConfig on(
            PortConfig port, String node, Topology.Link link, Mechanisms.Use use, int ports) {
        if (!(use.configuration() instanceof EscapeConfig)) {
            return port.withMechanisms(port.mechanisms().with(use));
        }
        String far = link.a().equals(node) ? link.b() : link.a();
        Escape escape = new Escape();
        EscapeConfig own = escape.of(use);
        EscapeConfig here =
                own.at(
                        hosts.contains(far) ? EscapeConfig.Peer.HOST : EscapeConfig.Peer.SWITCH,
                        ports * own.pools());
        Mechanisms.Use placed = escape.use(here).enabled(use.isEnabled());
        return port.withMechanisms(port.mechanisms().with(placed));
    }
}
