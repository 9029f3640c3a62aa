package io.headgate.testbed.lab.deadlock;

import java.util.List;
import java.util.Locale;

/** What is turned on, while it runs, in a ring that stands still. */
public enum Remedy {
    /** Nothing: the deadlock lasts. */
    NONE,
    /** Frames leave paused queues against tokens; nothing is lost. */
    ESCAPE,
    /** Priorities that stay paused are let go, as SONiC's PFC watchdog does: frames are dropped. */
    WATCHDOG;

    /** As the command line writes it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * What {@code headgate set} is given for a switch with these ports; empty for nothing.
     *
     * @param on false: to turn it off again
     */
    public List<String> assignments(List<String> ports, boolean on) {
        return switch (this) {
            case ESCAPE -> of(ports, "detour.escape.enabled=" + on);
            case WATCHDOG -> of(ports, "watchdog.action=" + (on ? "drop" : "off"));
            case NONE -> List.of();
        };
    }

    private static List<String> of(List<String> ports, String assignment) {
        return ports.stream().map(port -> port + "." + assignment).toList();
    }
}
