package io.headgate.dataplane.openqueue;

import io.headgate.dataplane.memory.Frame;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Which frame of a ring is dropped, where frames are sent in order of arrival and dropped by a key
 * from 0 to 255, the newest of the highest: a stack of places for each key, linked through an array
 * as long as the ring. Frames that are sent, which are most, cost nothing here: a place whose frame
 * has gone stays, and is known by being before the ring's first, or empty.
 */
final class PlaceStacks extends KeySet {
    private final long[] tops = new long[KEYS];

    /** For each place in the ring, the next older one of the same key. */
    private long[] older = {};

    PlaceStacks(int places) {
        clear(places);
    }

    /** Forgets all places, for a ring of a length. Keys that have none are found so when asked. */
    void clear(int places) {
        Arrays.fill(tops, PolicyState.NONE);
        if (older.length != places) {
            older = new long[places];
        }
    }

    /** The frame that comes next is at a place behind all others. */
    void push(long number, long place) {
        int key = key(number);
        older[(int) place & (older.length - 1)] = tops[key];
        tops[key] = place;
        add(key);
    }

    /** Whether a frame that comes with a key would be the one to drop. */
    boolean isLowest(long number, @Nullable Frame[] ring, long first) {
        int key = key(number);
        if (last() > key) {
            // What is left of higher keys whose frames have gone goes now.
            worst(ring, first);
        }
        return last() <= key;
    }

    /**
     * The place of the frame to drop; −1 if no frame is left.
     *
     * @param first first place in the ring
     */
    long worst(@Nullable Frame[] ring, long first) {
        for (int key = last(); key >= 0; key = last()) {
            long place = tops[key];
            while (place >= first && ring[(int) place & (ring.length - 1)] == null) {
                place = older[(int) place & (older.length - 1)];
            }
            tops[key] = place;
            if (place >= first) {
                return place;
            }
            remove(key);
        }
        return PolicyState.NONE;
    }
}
