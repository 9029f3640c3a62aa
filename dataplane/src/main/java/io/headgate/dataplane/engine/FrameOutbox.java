package io.headgate.dataplane.engine;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.SlotPlace;
import org.jspecify.annotations.Nullable;

/**
 * The sending side of one worker: a channel to each half, and the set of halves whose doorbells
 * must still be rung. Every duty flushes once, at the end of its work. Halves are numbered: port p
 * has ingress half 2p and egress half 2p + 1.
 */
final class FrameOutbox {
    private static final int PACKET_ID_BITS = 48;

    private final @Nullable FrameChannel[] channels;
    private final Doorbell[] doorbells;
    private final long[] touched;

    // By half: of this worker's ingress halves, which take frames home at once, within the call of
    // the half that sends them. Null for the others.
    private final @Nullable HomeSlots[] homes;

    FrameOutbox(@Nullable FrameChannel[] channels, Doorbell[] doorbells) {
        this.channels = channels;
        this.doorbells = doorbells;
        this.touched = new long[(channels.length + 63) >>> 6];
        this.homes = new HomeSlots[channels.length];
    }

    /** Registers an ingress half on the same worker, and its home. */
    void home(int half, HomeSlots home) {
        homes[half] = home;
    }

    static int ingressHalf(int port) {
        return port << 1;
    }

    static int egressHalf(int port) {
        return (port << 1) | 1;
    }

    static boolean isIngress(int half) {
        return (half & 1) == 0;
    }

    static int portOf(int half) {
        return half >> 1;
    }

    /** First number for a half's frames, so that no two frames of a switch have the same number. */
    static long packetIdBase(int half) {
        return (half + 1L) << PACKET_ID_BITS;
    }

    void sendToEgress(int port, Frame frame) {
        frame.place = SlotPlace.RING;
        send(egressHalf(port), frame);
    }

    void sendToEgress(int port, Frame[] frames, int from, int count) {
        for (int i = from; i < from + count; i++) {
            frames[i].place = SlotPlace.RING;
        }
        int half = egressHalf(port);
        channel(half).offer(frames, from, count);
        touched[half >>> 6] |= 1L << half;
    }

    /** Sends a finished frame back to its home, whichever half held it. */
    void sendHome(Frame frame) {
        int half = frame.home;
        HomeSlots home = homes[half];
        if (home != null) {
            home.takeBack(frame);
            touched[half >>> 6] |= 1L << half;
        } else {
            frame.place = SlotPlace.RETURN;
            send(half, frame);
        }
    }

    /**
     * Sends finished frames home; usually many in a row came from the same port.
     *
     * @return their bytes
     */
    long sendHome(Frame[] frames, int from, int count) {
        if (count == 1) {
            // Most often, in virtual time and where there is little traffic.
            int length = frames[from].lengthBytes;
            sendHome(frames[from]);
            return length;
        }
        long bytes = 0;
        int end = from + count;
        for (int first = from; first < end; ) {
            int half = frames[first].home;
            int next = first;
            while (next < end && frames[next].home == half) {
                bytes += frames[next++].lengthBytes;
            }
            HomeSlots home = homes[half];
            if (home != null) {
                home.takeBack(frames, first, next - first);
            } else {
                offerHome(half, frames, first, next - first);
            }
            touched[half >>> 6] |= 1L << half;
            first = next;
        }
        return bytes;
    }

    private void offerHome(int half, Frame[] frames, int from, int count) {
        for (int i = from; i < from + count; i++) {
            frames[i].place = SlotPlace.RETURN;
        }
        channel(half).offer(frames, from, count);
    }

    private FrameChannel channel(int half) {
        FrameChannel channel = channels[half];
        if (channel == null) {
            throw new IllegalStateException("frames to half " + half + " have no channel");
        }
        return channel;
    }

    /** Marks the egress half of a port to be rung, without a frame for it. */
    void callEgress(int port) {
        int half = egressHalf(port);
        touched[half >>> 6] |= 1L << half;
    }

    private void send(int half, Frame frame) {
        channel(half).offer(frame);
        touched[half >>> 6] |= 1L << half;
    }

    /** Rings the doorbell of every half that received anything since the last flush. */
    void flush() {
        for (int word = 0; word < touched.length; word++) {
            long bits = touched[word];
            if (bits != 0) {
                touched[word] = 0;
                ring(word << 6, bits);
            }
        }
    }

    private void ring(int base, long bits) {
        for (long rest = bits; rest != 0; rest &= rest - 1) {
            int half = base + Long.numberOfTrailingZeros(rest);
            doorbells[half].ring(isIngress(half) ? Doorbell.RETURNS : Doorbell.FRAMES);
        }
    }
}
