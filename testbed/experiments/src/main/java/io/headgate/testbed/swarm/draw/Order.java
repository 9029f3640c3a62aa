package io.headgate.testbed.swarm.draw;

import io.headgate.config.SwitchConfig;

/**
 * A change of a switch's configuration while a case runs, like a change by {@code headgate set}. An
 * order that the switch would refuse has no effect.
 *
 * @param name name such as {@code order2}
 * @param node the switch's name
 * @param link link whose port is changed; empty: the switch itself
 * @param assignment a key with its new value; a port's key without the port's name
 */
public record Order(String name, String node, String link, long atPs, String assignment) {
    /** The argument for {@code headgate set}. */
    public String assignmentAt(SwitchConfig now) {
        return now.ports().stream()
                .filter(port -> !link.isEmpty() && LinkNames.of(port).equals(link))
                .findFirst()
                .map(port -> port.name() + "." + assignment)
                .orElse(assignment);
    }

    String describe() {
        return "%s: %s%s, %s at %d ps"
                .formatted(name, node, link.isEmpty() ? "" : " at " + link, assignment, atPs);
    }
}
