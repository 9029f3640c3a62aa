package io.headgate.dataplane.openqueue;

import java.util.Arrays;

/**
 * Packets in a binary heap that knows where each one is: the best of them, or the worst, on top;
 * insertion and removal of any in logarithmic time. Ranked by keys, or, in a class that is made of
 * this one for a comparator, by that: {@link #isHigher} then is the policy's.
 */
final class HeapRanking extends Ranking {
    final PacketTable table;
    private final boolean hasWorstOnTop;
    private int[] heap;
    private int[] places;
    private long[] keys;
    private int size;

    HeapRanking(PacketTable table, boolean hasWorstOnTop) {
        this.table = table;
        this.hasWorstOnTop = hasWorstOnTop;
        this.heap = new int[table.capacity()];
        this.places = new int[table.capacity()];
        this.keys = new long[table.capacity()];
    }

    /** Whether the comparator ranks the first packet higher than the second: by keys it is this. */
    boolean isHigher(int first, int second) {
        return keys[first] < keys[second];
    }

    /** Whether a packet is to be nearer to the top than another; never both of two. */
    private boolean isAbove(int first, int second) {
        boolean isFirst = isHigher(first, second);
        boolean isBetter =
                isFirst != isHigher(second, first)
                        ? isFirst
                        : table.arrivals[first] < table.arrivals[second];
        return isBetter != hasWorstOnTop;
    }

    @Override
    void insert(int packet, long key) {
        keys[packet] = key;
        rise(size++, packet);
    }

    @Override
    void remove(int packet) {
        int place = places[packet];
        int last = heap[--size];
        if (last == packet) {
            return;
        }
        if (place > 0 && isAbove(last, heap[(place - 1) >>> 1])) {
            rise(place, last);
        } else {
            sink(place, last);
        }
    }

    private void rise(int from, int packet) {
        int place = from;
        while (place > 0) {
            int parent = (place - 1) >>> 1;
            if (!isAbove(packet, heap[parent])) {
                break;
            }
            put(place, heap[parent]);
            place = parent;
        }
        put(place, packet);
    }

    private void sink(int from, int packet) {
        int place = from;
        for (int child = 2 * place + 1; child < size; child = 2 * place + 1) {
            if (child + 1 < size && isAbove(heap[child + 1], heap[child])) {
                child++;
            }
            if (!isAbove(heap[child], packet)) {
                break;
            }
            put(place, heap[child]);
            place = child;
        }
        put(place, packet);
    }

    private void put(int place, int packet) {
        heap[place] = packet;
        places[packet] = place;
    }

    @Override
    int best() {
        return top(false);
    }

    @Override
    int worst() {
        return top(true);
    }

    private int top(boolean worst) {
        if (worst != hasWorstOnTop) {
            throw new IllegalStateException("this heap has the other end on top");
        }
        return size == 0 ? NONE : heap[0];
    }

    @Override
    void grow(int capacity) {
        heap = Arrays.copyOf(heap, capacity);
        places = Arrays.copyOf(places, capacity);
        keys = Arrays.copyOf(keys, capacity);
    }
}
