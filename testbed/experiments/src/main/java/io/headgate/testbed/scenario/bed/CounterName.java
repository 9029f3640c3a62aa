package io.headgate.testbed.scenario.bed;

import io.headgate.dataplane.counter.CounterDirectory.Entry;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import java.util.List;

/**
 * A scenario's name for a counter: {@code s1/p4 red.marked.p0} of a switch's port, {@code h1/wire
 * frames.transmitted} of one side of a host's card, {@code s1 LABEL} of a switch or host itself. If
 * both halves of a port have the label, {@code s1/p4/in LABEL} is the ingress half's, {@code
 * s1/p4/out LABEL} the egress half's.
 *
 * @param node the switch or host
 * @param part its port or side; empty: none
 * @param way {@code in} or {@code out}; empty: the only one
 * @param label label as in {@code headgate show counters}
 */
public record CounterName(String node, String part, String way, String label) {
    /** Parses the text in a file; the schema has already checked its form. */
    public static CounterName parse(String said) {
        int space = said.indexOf(' ');
        String[] place = said.substring(0, Math.max(0, space)).split("/", -1);
        return new CounterName(
                place[0],
                place.length > 1 ? place[1] : "",
                place.length > 2 ? place[2] : "",
                said.substring(space + 1));
    }

    /**
     * The counter among those of its node.
     *
     * @throws IllegalArgumentException if the node has none of that name, or two
     */
    public Entry find(List<Entry> entries) {
        List<Entry> found =
                entries.stream()
                        .filter(entry -> entry.label().equals(label))
                        .filter(entry -> isOwner(entry.owner()) && isThatWay(entry.scope()))
                        .toList();
        if (found.size() == 1) {
            return found.getFirst();
        }
        String place = part.isEmpty() ? node : node + "/" + part;
        if (found.size() > 1) {
            throw new IllegalArgumentException(
                    "two counters '%s' at %s: allowed is %s/in %s (ingress) or %s/out %s"
                            .formatted(label, place, place, label, place, label));
        }
        List<String> near =
                entries.stream()
                        .filter(entry -> isOwner(entry.owner()))
                        .map(Entry::label)
                        .filter(one ->
                                one.startsWith(label.substring(0, Math.min(4, label.length()))))
                        .limit(6)
                        .toList();
        throw new IllegalArgumentException(
                "no counter '"
                        + label
                        + "' at "
                        + (way.isEmpty() ? place : place + "/" + way)
                        + (near.isEmpty()
                                ? "; 'headgate show counters' lists the counters of a switch"
                                : "; there is " + String.join(", ", near)));
    }

    private boolean isThatWay(Scope scope) {
        return switch (way) {
            case "in" -> scope == Scope.INGRESS;
            case "out" -> scope == Scope.EGRESS;
            default -> true;
        };
    }

    /** A card's sides are named after their host. */
    private boolean isOwner(String owner) {
        return part.isEmpty()
                ? owner.equals(node)
                : owner.equals(part) || owner.equals(node + "." + part);
    }
}
