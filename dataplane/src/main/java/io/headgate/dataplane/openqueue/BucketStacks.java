package io.headgate.dataplane.openqueue;

import org.jspecify.annotations.Nullable;

/**
 * What {@link BucketRanking} does, for the admission of packets that are sent in the order in which
 * they came: a stack for each key, the newest on top. What is sent is at the bottom of its stack,
 * and only counted off.
 */
final class BucketStacks extends Buckets {
    /** Nothing is ever in it. */
    static final BucketStacks NONE = new BucketStacks();

    /** Stale where there is none; so is what is below the bottom. */
    private final @Nullable Place[] tops = new Place[KEYS];

    private final int[] counts = new int[KEYS];

    @Override
    void insert(Place place, long key) {
        int bucket = bucket(key);
        place.at = bucket;
        place.before = tops[bucket];
        tops[bucket] = place;
        if (counts[bucket]++ == 0) {
            use(bucket);
        }
    }

    @Override
    void removeOldest(Place place) {
        int bucket = place.at;
        if (--counts[bucket] == 0) {
            empty(bucket);
        }
    }

    /** Quick for the newest of its key. */
    @Override
    void remove(Place place) {
        Place above = tops[place.at];
        if (above == place) {
            tops[place.at] = place.before;
        } else {
            while (above != null && above.before != place) {
                above = above.before;
            }
            if (above != null) {
                above.before = place.before;
            }
        }
        removeOldest(place);
    }

    @Override
    @Nullable Packet best() {
        throw new IllegalStateException("of these the worst is known only");
    }

    @Override
    @Nullable Packet worst() {
        int bucket = last();
        Place top = bucket < 0 ? null : tops[bucket];
        return top == null ? null : top.packet;
    }
}
