package io.headgate.dataplane.openqueue;

import io.headgate.dataplane.memory.Frame;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds the frame to drop in a ring of frames that are sent in order of arrival and dropped by a
 * key from 0 to 255: the newest frame of the highest key. It has a stack of places per key, linked
 * through an array as long as the ring. Frames that are sent, which are most, cost nothing here: a
 * place without its frame stays, and is recognized because it is before the ring's first, or empty.
 */
final class PlaceStacks extends KeySet {
    private final long[] tops = new long[KEYS];

    /** For each place in the ring, the next older one of the same key. */
    private long[] older = {};

    PlaceStacks(int places) {
        clear(places);
    }

    /** Forgets all places, for a ring of a new length. Keys without places are detected later. */
    void clear(int places) {
        Arrays.fill(tops, PolicyState.NONE);
        if (older.length != places) {
            older = new long[places];
        }
    }

    /** Adds the place of a new frame, which is behind all others. */
    void push(long number, long place) {
        int key = key(number);
        older[(int) place & (older.length - 1)] = tops[key];
        tops[key] = place;
        add(key);
    }

    /** Whether an arriving frame with this key would be the one to drop. */
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
