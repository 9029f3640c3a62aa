package io.headgate.dataplane.memory;

import java.util.Arrays;

/**
 * Buffer accounts of one ingress half: frames that it has admitted and that have not returned yet,
 * per account, in bytes and in slots. Accounts 0 to 7 are the priorities; {@link #ORIGINATED} is
 * for copies that the switch makes of flooded lossless frames; {@link #DETOUR} is for frames that
 * came by a detour, for which room was reserved. Owned by the half.
 */
public final class Accounts implements Prefetch {
    public static final int ORIGINATED = 8;
    public static final int DETOUR = 9;
    public static final int COUNT = 10;

    // Slots and bytes of an account in one word, so that one load and one store do.
    private static final int SLOTS_SHIFT = Long.SIZE - FrameRegion.COUNT_BITS;
    private static final long SLOT = 1L << SLOTS_SHIFT;
    private static final long BYTES_MASK = SLOT - 1;

    private long capBytes;
    private int capSlots;
    private final long[] held = new long[COUNT];
    private long total;

    /** The caps apply to each account separately. Bytes are bounded by 1 TB. */
    public Accounts(long capBytes, int capSlots) {
        this.capBytes = capBytes;
        this.capSlots = capSlots;
    }

    /** Changes the caps for frames charged from now on. */
    public void caps(long newCapBytes, int newCapSlots) {
        capBytes = newCapBytes;
        capSlots = newCapSlots;
    }

    /** Sets all accounts to zero. */
    public void clear() {
        Arrays.fill(held, 0);
        total = 0;
    }

    /** Charges a frame to an account; returns false if the account is at its cap. */
    public boolean charge(Frame frame, int account) {
        int length = frame.lengthBytes;
        long charge = SLOT + length;
        long after = held[account] + charge;
        if (after >>> SLOTS_SHIFT > capSlots || (after & BYTES_MASK) > capBytes) {
            return false;
        }
        held[account] = after;
        total += charge;
        frame.account = account;
        frame.chargedBytes = length;
        return true;
    }

    /** As {@link #charge(Frame, int)} for several: all of them, or none and false. */
    public boolean charge(Frame[] batch, int from, int count, int account) {
        int end = from + count;
        long charge = count * SLOT;
        for (int i = from; i < end; i++) {
            Frame frame = batch[i];
            int length = frame.lengthBytes;
            charge += length;
            if (frame.account != account) {
                frame.account = account;
            }
            frame.chargedBytes = length;
        }
        long after = held[account] + charge;
        if (after >>> SLOTS_SHIFT > capSlots || (after & BYTES_MASK) > capBytes) {
            for (int i = from; i < end; i++) {
                batch[i].chargedBytes = 0;
            }
            return false;
        }
        held[account] = after;
        total += charge;
        return true;
    }

    /**
     * Charges an account for frames without checking its caps: the caller has found room, and marks
     * the frames.
     *
     * @param bytes bytes of all the frames
     */
    public void chargeUnbounded(int account, int slots, long bytes) {
        held[account] += slots * SLOT + bytes;
        total += slots * SLOT + bytes;
    }

    /** Releases a frame's charge; for a frame without a charge, that is 0 bytes. */
    public void release(Frame frame) {
        if (frame.chargedBytes != 0) {
            giveBack(frame.account, SLOT + frame.chargedBytes);
            frame.chargedBytes = 0;
        }
    }

    /**
     * As {@link #release(Frame)} for several frames, and sets their place to {@link
     * SlotPlace#FREE}; fast if most of a batch was charged to one account.
     */
    public void release(Frame[] batch, int from, int count) {
        int account = 0;
        long released = 0;
        for (int i = from; i < from + count; i++) {
            Frame frame = batch[i];
            // Here, where they are looked at anyway: a loop of its own cost 5 % of a frame-hop.
            frame.place = SlotPlace.FREE;
            int charged = frame.chargedBytes;
            if (charged != 0) {
                frame.chargedBytes = 0;
                if (frame.account != account) {
                    giveBack(account, released);
                    account = frame.account;
                    released = 0;
                }
                released += SLOT + charged;
            }
        }
        giveBack(account, released);
    }

    /** The reverse of {@link #chargeUnbounded}. */
    public void release(int account, int slots, long bytes) {
        giveBack(account, slots * SLOT + bytes);
    }

    private void giveBack(int account, long released) {
        held[account] -= released;
        total -= released;
    }

    @Override
    public long prefetch(int distance) {
        return held[0];
    }

    public long bytes(int account) {
        return held[account] & BYTES_MASK;
    }

    public int slots(int account) {
        return (int) (held[account] >>> SLOTS_SHIFT);
    }

    public long totalBytes() {
        return total & BYTES_MASK;
    }

    public int totalSlots() {
        return (int) (total >>> SLOTS_SHIFT);
    }
}
