package io.headgate.dataplane.openqueue;

import io.headgate.dataplane.memory.Frame;
import java.util.Arrays;

/** The packet objects of a port. More are created when more packets wait than ever before. */
final class PacketPool {
    private static final int FIRST_COUNT = 256;

    /** All that there are, waiting or not. */
    private Packet[] all = {};

    /** Those that do not wait: a stack, and no list, in which each would have to be waited for. */
    private Packet[] free = {};

    private int freeCount;

    private final boolean keepsFields;

    /** A dummy packet with all fields 0. */
    final Packet none = new Packet(new Packet.Fields());

    PacketPool(boolean keepsFields) {
        this.keepsFields = keepsFields;
        grow(FIRST_COUNT);
    }

    Packet add(Frame frame, long timeNs) {
        if (freeCount == 0) {
            grow(2 * all.length);
        }
        Packet packet = free[--freeCount];
        packet.frame = frame;
        packet.timeNs = timeNs;
        return packet;
    }

    void remove(Packet packet) {
        packet.frame = null;
        free[freeCount++] = packet;
    }

    /** All packet objects; those without a frame are not waiting. */
    Packet[] all() {
        return all;
    }

    private void grow(int count) {
        int from = all.length;
        all = Arrays.copyOf(all, count);
        free = new Packet[count];
        for (int i = from; i < count; i++) {
            all[i] = new Packet(keepsFields ? new Packet.Fields() : none.fields);
            free[freeCount++] = all[i];
        }
    }
}
