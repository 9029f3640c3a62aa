package io.headgate.testbed.swarm.check;

import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.escape.TokenManager;
import io.headgate.testbed.virtual.SwitchNode;
import io.headgate.testbed.virtual.VirtualNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Checks that every token of Escape has reached a named end. A token that arrived took a frame out,
 * was sent on, or was refused; a token that a port gave out brought a frame, was taken back, or is
 * under way.
 */
public record TokenEnds(CaseNetwork built) {
    /** The labels of the counters that are summed over all switches. */
    public static final List<String> LABELS =
            List.of(
                    "made",
                    "passed",
                    "escaped",
                    "arrived",
                    "through",
                    "exchanged",
                    "reclaimed",
                    "refused.unknown",
                    "refused.open",
                    "refused.pool");

    /** The Escape of a port; empty if it has none. */
    static Optional<TokenManager> escape(SwitchNode node, int port) {
        return Optional.ofNullable(node.engine().egress(port).detour())
                .filter(TokenManager.class::isInstance)
                .map(TokenManager.class::cast);
    }

    /** Checks a network that is at rest. */
    public void check() {
        for (VirtualNode node : built.nodes()) {
            if (node instanceof SwitchNode switchNode) {
                check(switchNode);
            }
        }
    }

    private static void check(SwitchNode node) {
        CounterDirectory counters = node.engine().counters();
        long given = 0;
        long sent = 0;
        for (int port = 0; port < node.ports(); port++) {
            if (escape(node, port).isEmpty()) {
                continue;
            }
            Ports of = new Ports(counters, port);
            equal(
                    node + ", port " + port + ", tokens received against their ends",
                    Conservation.value(counters, Scope.INGRESS, port, "escape.received"),
                    Conservation.value(counters, Scope.INGRESS, port, "escape.overrun")
                            + of.sum("escaped", "passed", "refused.unknown", "refused.open")
                            + of.sum(
                                    "refused.pool", "refused.busy", "refused.off", "refused.down"));
            equal(
                    node + ", port " + port + ", tokens given out against those that have returned",
                    of.sum("made", "passed"),
                    of.sum("arrived", "through", "dropped", "reclaimed"));
            given += of.sum("made", "passed");
            sent += of.sum("sent", "unsent");
        }
        equal(node + ", tokens given out against sent", given, sent);
    }

    /** Escape's counters over all switches, by label. */
    public Map<String, Long> counted() {
        Map<String, Long> counted = new TreeMap<>();
        for (VirtualNode node : built.nodes()) {
            for (int port = 0; port < node.ports() && node instanceof SwitchNode on; port++) {
                if (escape(on, port).isPresent()) {
                    Ports of = new Ports(on.engine().counters(), port);
                    LABELS.forEach(label -> counted.merge(label, of.sum(label), Long::sum));
                }
            }
        }
        return counted;
    }

    private record Ports(CounterDirectory counters, int port) {
        long sum(String... labels) {
            long sum = 0;
            for (String label : labels) {
                sum += Conservation.value(counters, Scope.EGRESS, port, "escape." + label);
            }
            return sum;
        }
    }

    private static void equal(String what, long one, long other) {
        if (one != other) {
            throw new BrokenException("%s: %d against %d".formatted(what, one, other));
        }
    }

    /** A sentence on what is not at rest: tokens that are not back, or frames that still escape. */
    static String notFull(VirtualNode node) {
        if (node instanceof SwitchNode switchNode) {
            for (int port = 0; port < node.ports(); port++) {
                Optional<TokenManager> escape = escape(switchNode, port);
                if (escape.isPresent() && !escape.get().arePoolsFull()) {
                    return "%s: tokens of port %d have not returned".formatted(node, port);
                }
            }
        }
        return "";
    }
}
