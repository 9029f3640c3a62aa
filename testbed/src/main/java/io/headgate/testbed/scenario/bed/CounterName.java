package io.headgate.testbed.scenario.bed;

import io.headgate.dataplane.counter.CounterDirectory.Entry;
import java.util.List;

/**
 * A counter as a scenario names it: {@code s1/p4 red.marked.p0} of a switch's port, {@code h1/wire
 * frames.transmitted} of the side of a host's card, {@code s1 LABEL} of a switch or host itself.
 *
 * @param node the switch or host
 * @param part its port or side; empty: none
 * @param label as {@code headgate show counters} has it
 */
record CounterName(String node, String part, String label) {
    /** Parses text of a file, whose form its schema has checked. */
    static CounterName parse(String said) {
        int space = said.indexOf(' ');
        String place = said.substring(0, Math.max(0, space));
        int slash = place.indexOf('/');
        return new CounterName(
                slash < 0 ? place : place.substring(0, slash),
                slash < 0 ? "" : place.substring(slash + 1),
                said.substring(space + 1));
    }

    /**
     * The counter among those of its node.
     *
     * @throws IllegalArgumentException if the node has none of that name
     */
    Entry find(List<Entry> entries) {
        for (Entry entry : entries) {
            if (entry.label().equals(label) && isOwner(entry.owner())) {
                return entry;
            }
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
                        + (part.isEmpty() ? node : node + "/" + part)
                        + (near.isEmpty()
                                ? "; 'headgate show counters' lists those of a switch"
                                : "; there is " + String.join(", ", near)));
    }

    /** A card's sides are named after their host. */
    private boolean isOwner(String owner) {
        return part.isEmpty()
                ? owner.equals(node)
                : owner.equals(part) || owner.equals(node + "." + part);
    }
}
