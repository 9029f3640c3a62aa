package io.headgate.testbed.lab.deadlock;

import java.util.ArrayList;
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

    /** What {@code headgate set} is given for a switch with these ports; empty for nothing. */
    public List<String> assignments(List<String> ports) {
        List<String> assignments = new ArrayList<>();
        for (String port : ports) {
            switch (this) {
                case ESCAPE -> assignments.add(port + ".escape.enabled=true");
                case WATCHDOG -> assignments.add(port + ".watchdog.action=drop");
                case NONE -> {}
            }
        }
        return assignments;
    }
}
