package io.headgate.control.show;

import io.headgate.control.daemon.DaemonException;

/**
 * What {@code headgate show NAME} shows. A jar on the class path names its own in {@code
 * META-INF/services/io.headgate.control.show.ShowTable}. Most are a {@link CounterTable}, made of
 * counters alone, or a {@link SwitchTable}, of what only the running switch knows.
 */
public interface ShowTable {
    Heading heading();

    default String name() {
        return heading().name();
    }

    /** Whether it may be asked of some ports only. */
    default boolean isOfPorts() {
        return false;
    }

    /** Whether its text says itself of which switch it is, so that no heading need say it. */
    default boolean namesSwitch() {
        return false;
    }

    /** For a person: whole lines. */
    String text(ShowRequest request) throws DaemonException, InterruptedException;

    /** For programs: what is written as JSON. */
    Object json(ShowRequest request) throws DaemonException, InterruptedException;
}
