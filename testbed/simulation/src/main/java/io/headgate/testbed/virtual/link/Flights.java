package io.headgate.testbed.virtual.link;

import io.headgate.dataplane.memory.Prefetch;
import io.headgate.hostagent.rate.PacingWheel;
import java.util.Arrays;

/**
 * The frames on one direction of a link in the order of their arrival, first those that have
 * arrived and wait to be received, then those in flight, with each one's memory address and arrival
 * time. A ring that grows to the most that the wire holds.
 */
final class Flights implements Prefetch {
    private static final int FIRST_CAPACITY = 8;

    // Words of an entry.
    private static final int WORDS = 4;
    private static final int ARRIVE = 0;
    private static final int DATA = 1;
    private static final int SLOT = 2;
    private static final int LENGTHS = 3;

    private long[] words = new long[FIRST_CAPACITY * WORDS];
    private int mask = FIRST_CAPACITY - 1;

    // Entries are counted on and on: arrived are those from head on, in flight those from flying
    // on.
    private int head;
    private int flying;
    private int tail;

    /**
     * Adds a frame in flight behind all that arrive no later.
     *
     * @param data address of its first byte
     * @param slot address of the slot's memory that it lies in
     * @return whether it is the first in flight
     */
    boolean add(long arrivePs, long data, long slot, int lengthBytes, int storedBytes) {
        if (tail - head > mask) {
            grow();
        }
        int place = tail++;
        while (place != flying && word(place - 1, ARRIVE) > arrivePs) {
            System.arraycopy(words, at(place - 1), words, at(place), WORDS);
            place--;
        }
        int at = at(place);
        words[at + ARRIVE] = arrivePs;
        words[at + DATA] = data;
        words[at + SLOT] = slot;
        words[at + LENGTHS] = ((long) lengthBytes << Integer.SIZE) | storedBytes;
        return place == flying;
    }

    private void grow() {
        int capacity = mask + 1;
        long[] larger = Arrays.copyOf(words, 2 * words.length);
        for (int entry = head; entry != tail; entry++) {
            int to = (entry & (2 * capacity - 1)) * WORDS;
            System.arraycopy(words, at(entry), larger, to, WORDS);
        }
        words = larger;
        mask = 2 * capacity - 1;
    }

    private int at(int entry) {
        return (entry & mask) * WORDS;
    }

    private long word(int entry, int word) {
        return words[at(entry) + word];
    }

    /** Arrival time of the first frame in flight; {@link PacingWheel#NEVER} if there is none. */
    long nextPs() {
        return flying == tail ? PacingWheel.NEVER : word(flying, ARRIVE);
    }

    /** Moves the frames whose time has come to the arrived ones; returns their number. */
    int arrive(long nowPs) {
        int first = flying;
        int next = first;
        int end = tail;
        while (next != end && word(next, ARRIVE) <= nowPs) {
            next++;
        }
        flying = next;
        return next - first;
    }

    @Override
    public long prefetch(int distance) {
        return words[at(head)] + words[at(flying + 2)] + words[at(flying + 4)] + words[at(tail)];
    }

    /**
     * Writes the addresses of the frames that arrive before a time into an array, up to its end.
     *
     * @param into addresses, from {@code from} on
     * @return index behind the last
     */
    int peek(long[] into, int from, long untilPs) {
        int most = Math.min(flying(), into.length - from);
        int count = 0;
        while (count < most && word(flying + count, ARRIVE) < untilPs) {
            into[from + count] = word(flying + count, DATA);
            count++;
        }
        return from + count;
    }

    boolean hasArrived() {
        return head != flying;
    }

    /** Address of the first byte of the frame that arrived first. */
    long data() {
        return word(head, DATA);
    }

    /** Address of the slot that holds the frame that arrived first. */
    long slot() {
        return word(head, SLOT);
    }

    int lengthBytes() {
        return (int) (word(head, LENGTHS) >>> Integer.SIZE);
    }

    int storedBytes() {
        return (int) word(head, LENGTHS);
    }

    void remove() {
        head++;
    }

    /** Removes the last frame in flight (there must be one); returns its slot's memory. */
    long removeLast() {
        tail--;
        return word(tail, SLOT);
    }

    int flying() {
        return tail - flying;
    }

    /** Frames in flight, and those that have arrived. */
    int size() {
        return tail - head;
    }
}
