package io.headgate.dataplane.linkcontrol;

import io.headgate.config.PortConfig;

/** What both ends of a link protocol at a port have in common. */
public sealed interface LinkEnd permits LinkReceiver, LinkSender {

    /** The link went up or down: what was said before no longer counts. */
    default void linkChanged() {
        // It remembers nothing of what was said.
    }

    /**
     * Follows another configuration of its port from now on, between two bursts; a stop that is on,
     * and what was asked for, stay. {@link PortConfig#mechanisms} has a mechanism's own
     * configuration.
     */
    default void change(PortConfig port) {
        // What it does follows from nothing that can change.
    }

    /**
     * What it has counted.
     *
     * @param counter its place among {@link LinkSpeaker#receiverCounters} or {@link
     *     LinkSpeaker#senderCounters}
     */
    default long counted(int counter) {
        return 0;
    }

    /**
     * Whether what {@link #counted} answers may be another than when this was asked last. What has
     * not changed is not read again.
     */
    default boolean hasCounted() {
        return true;
    }

    /** Whether it counts blocks of data. */
    default boolean countsBlocks() {
        return false;
    }
}
