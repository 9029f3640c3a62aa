package io.headgate.dataplane.openqueue;

import org.jspecify.annotations.Nullable;

/**
 * Packets in the order in which they came, or in the opposite one: a ring, with holes where packets
 * were taken out between others.
 */
final class ArrivalRanking extends Ranking {
    /** Nothing is ever in it. */
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
        int count = 0;
        for (Place place : ring) {
            count += place == null ? 0 : 1;
        }
        @Nullable Place[] old = ring;
        @Nullable Place[] closed = new Place[2 * count > old.length ? 2 * old.length : old.length];
        int to = 0;
        for (int from = first; from != end; from++) {
            Place place = old[from & (old.length - 1)];
            if (place != null) {
                place.at = to;
                closed[to++] = place;
            }
        }
        ring = closed;
        first = 0;
        end = to;
    }

    @Override
    void remove(Place place) {
        ring[place.at & (ring.length - 1)] = null;
    }

    /**
     * Most often {@link #best} has just been asked which one it is. Then no hole is made of it: to
     * look for the next one waits for nothing that this has written.
     */
    @Override
    void removeOldest(Place place) {
        if (ring[first & (ring.length - 1)] == place) {
            first++;
        } else {
            remove(place);
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
