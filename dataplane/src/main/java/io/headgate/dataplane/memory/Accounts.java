package io.headgate.dataplane.memory;

/**
 * What one ingress half has let in and not got back, per account, in bytes and in slots. Account 0
 * to 7 are the priorities; {@link #ORIGINATED} is what the switch itself sends. Owned by the half.
 */
public final class Accounts {
    public static final int ORIGINATED = 8;
    public static final int COUNT = 9;

    private final long capBytes;
    private final int capSlots;
    private final long[] bytes = new long[COUNT];
    private final int[] slots = new int[COUNT];
    private long totalBytes;
    private int totalSlots;

    /** The caps hold for each account by itself. */
    public Accounts(long capBytes, int capSlots) {
        this.capBytes = capBytes;
        this.capSlots = capSlots;
    }

    /** Charges a frame to an account, or answers false if the account is at its cap. */
    public boolean charge(Frame frame, int account) {
        int length = frame.lengthBytes;
        if (slots[account] >= capSlots || bytes[account] + length > capBytes) {
            return false;
        }
        slots[account]++;
        bytes[account] += length;
        totalSlots++;
        totalBytes += length;
        frame.account = account;
        frame.chargedBytes = length;
        return true;
    }

    /** Takes back what a frame was charged; one that was not charged has 0 bytes charged. */
    public void release(Frame frame) {
        int charged = frame.chargedBytes;
        if (charged != 0) {
            int account = frame.account;
            slots[account]--;
            bytes[account] -= charged;
            totalSlots--;
            totalBytes -= charged;
            frame.chargedBytes = 0;
        }
    }

    public long bytes(int account) {
        return bytes[account];
    }

    public int slots(int account) {
        return slots[account];
    }

    public long totalBytes() {
        return totalBytes;
    }

    public int totalSlots() {
        return totalSlots;
    }
}
