package io.headgate.testbed.traffic;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * What a connection that is kept carries one after the other, each a flow of its size to all that
 * counts flows: the connection itself has no end. Changed by the sending host and by the receiving
 * one, so only in a run whose nodes are all at the same time.
 */
final class KeptMessages {
    /**
     * A message.
     *
     * @param endFrames of the connection, up to its last one
     * @param idealPs the time it takes alone in an idle network; 0 if unknown
     */
    record Message(long endFrames, long sizeBytes, long startPs, long idealPs) {}

    private final Deque<Message> open = new ArrayDeque<>();

    void begin(Message message) {
        open.add(message);
    }

    /** Takes the next message of which the receiver has all; null: there is none. */
    @Nullable Message poll(long framesReceived) {
        Message first = open.peek();
        return first == null || framesReceived < first.endFrames ? null : open.remove();
    }

    /** Those that are under way, in their order. */
    Iterable<Message> open() {
        return open;
    }
}
