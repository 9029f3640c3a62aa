package io.headgate.dataplane.openqueue;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Ranks packets in a binary heap that knows the position of each: the best, or the worst, is on
 * top; insertion and removal of any packet take logarithmic time. Ranks by keys; a copy of this
 * class for a comparator ranks by that, with the policy's {@link #isHigher}.
 */
final class HeapRanking extends Ranking {
    private static final int FIRST_CAPACITY = 256;

    private final boolean hasWorstOnTop;
    private Place[] heap = new Place[FIRST_CAPACITY];
    private int size;

    HeapRanking(boolean hasWorstOnTop) {
        this.hasWorstOnTop = hasWorstOnTop;
    }

    /** Whether the first packet ranks higher than the second; this version compares keys. */
    boolean isHigher(Place first, Place second) {
        return first.key < second.key;
    }

    /** Whether a packet belongs nearer to the top than another; never both of two. */
    private boolean isAbove(Place first, Place second) {
        boolean isFirst = isHigher(first, second);
        boolean isBetter =
                isFirst != isHigher(second, first) ? isFirst : arrival(first) < arrival(second);
        return isBetter != hasWorstOnTop;
    }

    private static long arrival(Place place) {
        return packet(place).frame().arrival;
    }

    private static Packet packet(Place place) {
        Packet packet = place.packet;
        if (packet == null) {
            throw new IllegalStateException("no packet at a place of a heap");
        }
        return packet;
    }

    @Override
    void insert(Place place, long key) {
        place.key = key;
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, 2 * size);
        }
        rise(size++, place);
    }

    @Override
    void remove(Place place) {
        int at = place.at;
        Place last = heap[--size];
        if (last == place) {
            return;
        }
        if (at > 0 && isAbove(last, heap[(at - 1) >>> 1])) {
            rise(at, last);
        } else {
            sink(at, last);
        }
    }

    private void rise(int from, Place place) {
        int at = from;
        while (at > 0) {
            int parent = (at - 1) >>> 1;
            if (!isAbove(place, heap[parent])) {
                break;
            }
            put(at, heap[parent]);
            at = parent;
        }
        put(at, place);
    }

    private void sink(int from, Place place) {
        int at = from;
        for (int child = 2 * at + 1; child < size; child = 2 * at + 1) {
            if (child + 1 < size && isAbove(heap[child + 1], heap[child])) {
                child++;
            }
            if (!isAbove(heap[child], place)) {
                break;
            }
            put(at, heap[child]);
            at = child;
        }
        put(at, place);
    }

    private void put(int at, Place place) {
        heap[at] = place;
        place.at = at;
    }

    @Override
    @Nullable Packet best() {
        return top(false);
    }

    @Override
    @Nullable Packet worst() {
        return top(true);
    }

    private @Nullable Packet top(boolean worst) {
        if (worst != hasWorstOnTop) {
            throw new IllegalStateException("this heap has the other end on top");
        }
        return size == 0 ? null : heap[0].packet;
    }
}
