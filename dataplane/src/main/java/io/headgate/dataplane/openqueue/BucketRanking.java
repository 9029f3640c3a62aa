package io.headgate.dataplane.openqueue;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Ranks packets by a key from 0 to 255: a list per key, in order of arrival, and a bit per list
 * that is not empty. All operations take constant time.
 */
final class BucketRanking extends Ranking {
    /** Always empty. */
    static final BucketRanking NONE = new BucketRanking();

    /** Those that have packets. */
    private final KeySet keys = new KeySet();

    /** A list: the place is before its first and behind its last, which makes it a ring. */
    private final Place[] ends = new Place[KeySet.KEYS];

    BucketRanking() {
        Arrays.setAll(ends, _ -> new Place());
        for (Place end : ends) {
            end.before = end;
            end.behind = end;
        }
    }

    @Override
    void insert(Place place, long key) {
        int bucket = KeySet.key(key);
        Place end = ends[bucket];
        Place last = present(end.before);
        place.at = bucket;
        place.before = last;
        place.behind = end;
        last.behind = place;
        end.before = place;
        keys.add(bucket);
    }

    private static Place present(@Nullable Place place) {
        if (place == null) {
            throw new IllegalStateException("a place of a list without a neighbour");
        }
        return place;
    }

    @Override
    void remove(Place place) {
        Place before = present(place.before);
        Place behind = present(place.behind);
        before.behind = behind;
        behind.before = before;
        if (before == behind) {
            // Both are the end of the list, which nothing is in any more.
            keys.remove(place.at);
        }
    }

    /** Whether an arriving packet with this key would rank lowest. */
    boolean isLowest(long key) {
        return keys.last() <= KeySet.key(key);
    }

    @Override
    @Nullable Packet best() {
        int bucket = keys.first();
        return bucket < 0 ? null : present(ends[bucket].behind).packet;
    }

    @Override
    @Nullable Packet worst() {
        int bucket = keys.last();
        return bucket < 0 ? null : present(ends[bucket].before).packet;
    }
}
