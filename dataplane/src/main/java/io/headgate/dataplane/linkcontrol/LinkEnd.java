package io.headgate.dataplane.linkcontrol;

import io.headgate.config.PortConfig;

/** Common part of both ends of a link protocol at a port. */
public sealed interface LinkEnd permits LinkReceiver, LinkSender {

    /** Notes that the link went up or down: earlier frames of the far end no longer count. */
    default void linkChanged() {
        // It remembers nothing of what was said.
    }

    /**
     * Follows another configuration of its port from now on, between two bursts; present stops and
     * requests remain. {@link PortConfig#mechanisms} has a mechanism's own configuration.
     */
    default void change(PortConfig port) {
        // What it does follows from nothing that can change.
    }

    /**
     * Present value of a counter.
     *
     * @param counter place of the counter in {@link LinkSpeaker#receiverCounters} or {@link
     *     LinkSpeaker#senderCounters}
     */
    default long counted(int counter) {
        return 0;
    }

    /**
     * Whether values of {@link #counted} may have changed since the last call. Unchanged values are
     * not read again.
     */
    default boolean hasCounted() {
        return true;
    }

    /** Whether it counts blocks of data. */
    default boolean countsBlocks() {
        return false;
    }
}
