package io.headgate.testbed.traffic;

import java.util.Arrays;

/**
 * The heap of a host's timers: the earliest first, then the lowest order. A binary heap with its
 * keys in a separate array, so that a search touches few objects. Grows, never shrinks.
 */
final class TimerHeap {
    /** {@link #nextPs} of an empty heap. */
    static final long NEVER = Long.MAX_VALUE;

    private Timed[] items = new Timed[8];
    private long[] keys = new long[8];
    private int size;

    int size() {
        return size;
    }

    long nextPs() {
        return size == 0 ? NEVER : keys[0];
    }

    void add(Timed item) {
        if (item.heapIndex != Timed.NOT_WAITING) {
            throw new IllegalStateException("waits already, until " + item.duePs + " ps");
        }
        if (size == items.length) {
            items = Arrays.copyOf(items, 2 * size);
            keys = Arrays.copyOf(keys, 2 * size);
        }
        siftUp(size++, item);
    }

    /** Takes the earliest; the heap must not be empty. */
    Timed poll() {
        Timed first = items[0];
        Timed last = items[--size];
        if (size > 0) {
            siftDown(0, last);
        }
        first.heapIndex = Timed.NOT_WAITING;
        return first;
    }

    /** Changes the due time of an item, whether it waits or not; {@link #NEVER}: removes it. */
    void reschedule(Timed item, long duePs) {
        if (item.heapIndex != Timed.NOT_WAITING) {
            remove(item);
        }
        item.duePs = duePs;
        if (duePs != NEVER) {
            add(item);
        }
    }

    private void remove(Timed item) {
        int at = item.heapIndex;
        Timed last = items[--size];
        item.heapIndex = Timed.NOT_WAITING;
        if (at < size) {
            siftUp(at, last);
            siftDown(last.heapIndex, last);
        }
    }

    private void siftUp(int from, Timed item) {
        int at = from;
        while (at > 0) {
            int parent = (at - 1) >>> 1;
            if (!isBefore(item.duePs, item.order, parent)) {
                break;
            }
            place(at, items[parent], keys[parent]);
            at = parent;
        }
        place(at, item, item.duePs);
    }

    private void siftDown(int from, Timed item) {
        int at = from;
        for (int child = 2 * at + 1; child < size; child = 2 * at + 1) {
            if (child + 1 < size && isBefore(keys[child + 1], items[child + 1].order, child)) {
                child++;
            }
            if (isBefore(item.duePs, item.order, child)) {
                break;
            }
            place(at, items[child], keys[child]);
            at = child;
        }
        place(at, item, item.duePs);
    }

    private boolean isBefore(long duePs, int order, int other) {
        return duePs < keys[other] || (duePs == keys[other] && order < items[other].order);
    }

    private void place(int at, Timed item, long key) {
        items[at] = item;
        keys[at] = key;
        item.heapIndex = at;
    }
}
