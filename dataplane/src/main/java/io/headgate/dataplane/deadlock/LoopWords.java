package io.headgate.dataplane.deadlock;

import io.headgate.dataplane.memory.sync.PublishedWords;
import io.headgate.dataplane.memory.sync.WordRing;

/**
 * Shared words from the ingress half of a port to its egress half.
 *
 * @param tokens received tokens
 * @param paused one word: the priorities whose sender the port asks to pause
 */
public record LoopWords(WordRing tokens, PublishedWords paused) {
    /** Maximum number of tokens that wait to be processed. */
    private static final int ROOM = 64;

    /** Creates empty words. */
    public static LoopWords make() {
        return new LoopWords(new WordRing(ROOM, LoopMessage.WORDS), new PublishedWords(1));
    }
}
