package io.headgate.control.show;

import io.headgate.control.daemon.DaemonException;

/**
 * A table that {@code headgate show NAME} shows. A jar on the class path names its own in {@code
 * META-INF/services/io.headgate.control.show.ShowTable}. Most are a {@link CounterTable}, made from
 * counters alone, or a {@link SwitchTable}, made from data that only the running switch has.
 */
public interface ShowTable {
    Heading heading();

    default String name() {
        return heading().name();
    }

    /** Whether it can be limited to some ports. */
    default boolean isOfPorts() {
        return false;
    }

    /** Whether its text names the switch, so that it needs no heading. */
    default boolean namesSwitch() {
        return false;
    }

    /** The table for a person: whole lines. */
    String text(ShowRequest request) throws DaemonException, InterruptedException;

    /** The table for programs: an object that is written as JSON. */
    Object json(ShowRequest request) throws DaemonException, InterruptedException;
}
