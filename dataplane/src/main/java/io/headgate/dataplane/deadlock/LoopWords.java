package io.headgate.dataplane.deadlock;

import io.headgate.dataplane.memory.sync.PublishedWords;
import io.headgate.dataplane.memory.sync.WordRing;

/**
 * What goes from the ingress half of a port to its egress half.
 *
 * @param tokens that came in
 * @param paused one word: the priorities whose sender the port asks to pause
 */
public record LoopWords(WordRing tokens, PublishedWords paused) {
    /** Tokens that may wait to be looked at. */
    private static final int ROOM = 64;

    /** Nothing came yet. */
    public static LoopWords make() {
        return new LoopWords(new WordRing(ROOM, LoopMessage.WORDS), new PublishedWords(1));
    }
}
