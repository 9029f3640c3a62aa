package io.headgate.dataplane.openqueue;

import io.headgate.dataplane.memory.Frame;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The packets that wait at a port, each by a number: its frame, its queue, and those of its fields
 * that the policy looks at, taken when it came. Grows when more packets wait than ever before.
 */
final class PacketTable {
    private static final int FIRST_CAPACITY = 256;

    /** By number; null where no packet is. */
    @Nullable Frame[] frames = new Frame[FIRST_CAPACITY];

    int[] queues = new int[FIRST_CAPACITY];

    /** In the order in which packets came to the port. */
    long[] arrivals = new long[FIRST_CAPACITY];

    /** When they came, in ns. */
    long[] times = new long[FIRST_CAPACITY];

    /** By field, as the policy uses them, and number. */
    final long[][] fields;

    private int[] free = new int[FIRST_CAPACITY];
    private int freeCount;
    private int used;

    /** The structures that have packets by their numbers, and grow with this. */
    private final List<Ranking> rankings = new ArrayList<>();

    PacketTable(int captured) {
        fields = new long[captured][FIRST_CAPACITY];
    }

    void growsWith(@Nullable Ranking[] more) {
        for (Ranking ranking : more) {
            if (ranking != null && !rankings.contains(ranking)) {
                rankings.add(ranking);
            }
        }
    }

    int capacity() {
        return frames.length;
    }

    int add(Frame frame, long timeNs) {
        int packet = freeCount > 0 ? free[--freeCount] : used++;
        if (packet == frames.length) {
            grow();
        }
        frames[packet] = frame;
        arrivals[packet] = frame.arrival;
        times[packet] = timeNs;
        return packet;
    }

    Frame frame(int packet) {
        Frame frame = frames[packet];
        if (frame == null) {
            throw new IllegalStateException("no packet " + packet);
        }
        return frame;
    }

    Frame remove(int packet) {
        Frame frame = frame(packet);
        frames[packet] = null;
        free[freeCount++] = packet;
        return frame;
    }

    /** All numbers are below this. */
    int end() {
        return used;
    }

    private void grow() {
        int capacity = 2 * frames.length;
        frames = Arrays.copyOf(frames, capacity);
        queues = Arrays.copyOf(queues, capacity);
        arrivals = Arrays.copyOf(arrivals, capacity);
        times = Arrays.copyOf(times, capacity);
        free = Arrays.copyOf(free, capacity);
        for (int i = 0; i < fields.length; i++) {
            fields[i] = Arrays.copyOf(fields[i], capacity);
        }
        for (Ranking ranking : rankings) {
            ranking.grow(capacity);
        }
    }
}
