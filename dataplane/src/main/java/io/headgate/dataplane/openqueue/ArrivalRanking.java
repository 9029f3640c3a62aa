package io.headgate.dataplane.openqueue;

import java.util.Arrays;

/** Packets in the order in which they came, or in the opposite one: a list, linked both ways. */
final class ArrivalRanking extends Ranking {
    private final boolean isNewestFirst;
    private int[] next;
    private int[] previous;
    private int oldest = NONE;
    private int newest = NONE;

    ArrivalRanking(boolean isNewestFirst, int capacity) {
        this.isNewestFirst = isNewestFirst;
        this.next = new int[capacity];
        this.previous = new int[capacity];
    }

    @Override
    void insert(int packet, long key) {
        int before = newest;
        previous[packet] = before;
        next[packet] = NONE;
        if (before == NONE) {
            oldest = packet;
        } else {
            next[before] = packet;
        }
        newest = packet;
    }

    @Override
    void remove(int packet) {
        int before = previous[packet];
        int behind = next[packet];
        if (before == NONE) {
            oldest = behind;
        } else {
            next[before] = behind;
        }
        if (behind == NONE) {
            newest = before;
        } else {
            previous[behind] = before;
        }
    }

    @Override
    int best() {
        return isNewestFirst ? newest : oldest;
    }

    @Override
    int worst() {
        return isNewestFirst ? oldest : newest;
    }

    @Override
    void grow(int capacity) {
        next = Arrays.copyOf(next, capacity);
        previous = Arrays.copyOf(previous, capacity);
    }
}
