package io.headgate.dataplane.openqueue;

import org.jspecify.annotations.Nullable;

/**
 * Ranks packets in order of arrival, or in reverse order: a ring, with holes where packets were
 * taken out between others.
 */
final class ArrivalRanking extends Ranking {
    /** Always empty. */
    static final ArrivalRanking NONE = new ArrivalRanking(false);

    private static final int FIRST_PLACES = 64;

    private final boolean isNewestFirst;

    /** From {@code first} to below {@code end}; null is a hole. */
    private @Nullable Place[] ring = new Place[FIRST_PLACES];

    private int first;
    private int end;

    ArrivalRanking(boolean isNewestFirst) {
        this.isNewestFirst = isNewestFirst;
    }

    @Override
    void insert(Place place, long key) {
        if (end - first == ring.length) {
            closeUp();
        }
        place.at = end;
        ring[end++ & (ring.length - 1)] = place;
    }

    /** Leaves out holes; where that makes little room, in a ring of twice the size. */
    private void closeUp() {
        @Nullable Place[] old = ring;
        int to = first;
        for (int from = first; from != end; from++) {
            Place place = old[from & (old.length - 1)];
            if (place != null) {
                place.at = to;
                old[to++ & (old.length - 1)] = place;
            }
        }
        end = to;
        if (2 * (end - first) > old.length) {
            ring = new Place[2 * old.length];
            for (int at = first; at != end; at++) {
                ring[at & (ring.length - 1)] = old[at & (old.length - 1)];
            }
        }
    }

    @Override
    void remove(Place place) {
        if (place.at == first) {
            // Most often. No hole is made: to look for the next one waits for nothing written here.
            first++;
        } else if (place.at == end - 1) {
            end--;
        } else {
            ring[place.at & (ring.length - 1)] = null;
        }
    }

    @Override
    @Nullable Packet best() {
        return isNewestFirst ? newest() : oldest();
    }

    @Override
    @Nullable Packet worst() {
        return isNewestFirst ? oldest() : newest();
    }

    private @Nullable Packet oldest() {
        while (first != end) {
            Place place = ring[first & (ring.length - 1)];
            if (place != null) {
                return place.packet;
            }
            first++;
        }
        return null;
    }

    private @Nullable Packet newest() {
        while (first != end) {
            Place place = ring[end - 1 & (ring.length - 1)];
            if (place != null) {
                return place.packet;
            }
            end--;
        }
        return null;
    }
}
