package io.headgate.dataplane.flowcontrol;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.FlowControlConfig;
import io.headgate.config.PortConfig;
import io.headgate.dataplane.memory.Accounts;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.policy.Threshold;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What one ingress half has let in and not got back, per account, in bytes and in slots, and what
 * follows: whether a frame may come in, and which priorities' senders must pause. Accounts 0 to 7
 * are the priorities; {@link Accounts#ORIGINATED} is copies of lossless frames, and lossy. Owned by
 * the half.
 *
 * <p><b>Static thresholds.</b> A lossless account asks for a pause when it has reached xoff, in
 * bytes or in slots, and ends it when it is down to xon in both (IEEE 802.1Q annex N). Above xoff
 * it has headroom. A lossy account has a cap; all of them together get no more slots than lossless
 * accounts were not promised.
 *
 * <p><b>Dynamic thresholds.</b> An account has what is reserved for it, then shares a {@link
 * SharedPool} up to a {@link Threshold}, then, if lossless, has headroom; a lossless account asks
 * for a pause when it has reached the threshold or is in its headroom, and ends it when the
 * headroom is empty again and it holds little enough of the pool. What leaves is taken from the
 * headroom first, then from the pool. This is how shared-memory switch chips keep accounts, as Li
 * et al. model them for HPCC (SIGCOMM 2019). A threshold that sinks because others take from the
 * pool is noticed at the account's own next frame.
 */
public final class IngressAccounts {
    private static final int COUNT = Accounts.COUNT;
    private static final int PRIORITIES = 8;

    private final Accounts ledger;
    private final int lossless;
    private final @Nullable SharedPool pool;
    private final @Nullable Threshold threshold;

    // Static: where a pause begins and ends, and where all ends. Dynamic: xon is the distance below
    // the threshold.
    private final long[] xoffBytes = filled(Long.MAX_VALUE);
    private final long[] xonBytes = new long[COUNT];
    private final long[] capBytes = new long[COUNT];
    private final int[] xoffSlots = new int[COUNT];
    private final int[] xonSlots = new int[COUNT];
    private final int[] capSlots = new int[COUNT];
    private final int lossyLimitSlots;

    // Dynamic only.
    private final long[] reservedBytes = new long[COUNT];
    private final int[] reservedSlots = new int[COUNT];
    private final long[] headroomBytes = new long[COUNT];
    private final int[] headroomSlots = new int[COUNT];
    private final long[] inHeadroomBytes = new long[COUNT];
    private final int[] inHeadroomSlots = new int[COUNT];

    private final long[] maxBytes = new long[COUNT];
    private final int[] maxSlots = new int[COUNT];
    private int lossySlots;
    private int pauseWanted;

    /**
     * Accounts as a port is configured.
     *
     * @param slots slots at home in the half, those included that its device's ring holds
     * @param ledger the half's, which keeps what is held; nobody else may charge it
     */
    public IngressAccounts(PortConfig config, int slots, Accounts ledger) {
        this.ledger = ledger;
        FlowControlConfig.Buffers buffers = config.flowControl().buffers();
        FlowControlConfig.Credits credits = config.flowControl().credits();
        this.lossless = config.traffic().losslessMask();
        Arrays.fill(xoffSlots, Integer.MAX_VALUE);
        Arrays.fill(capBytes, config.accountCapBytes());
        Arrays.fill(capSlots, config.accountCapSlots());
        Integer alpha = buffers == null ? null : buffers.alphaExponent();
        this.pool =
                buffers == null || alpha == null
                        ? null
                        : new SharedPool(buffers.sharedBytes(), buffers.sharedSlots());
        this.threshold = alpha == null ? null : new AlphaThreshold(alpha);
        for (int account = 0; account < PRIORITIES; account++) {
            if ((lossless >>> account & 1) == 0) {
                continue;
            }
            if (buffers != null) {
                bound(account, buffers);
            } else if (credits != null) {
                capBytes[account] = credits.bufferBytes();
                capSlots[account] = credits.bufferSlots();
            }
        }
        int ringSlots = ConfigDefaults.ringSlots(config.device());
        this.lossyLimitSlots =
                lossless == 0
                        ? Integer.MAX_VALUE
                        : Math.max(0, slots - ringSlots - config.promisedSlots());
    }

    private static long[] filled(long value) {
        long[] array = new long[COUNT];
        Arrays.fill(array, value);
        return array;
    }

    private void bound(int account, FlowControlConfig.Buffers buffers) {
        headroomBytes[account] = buffers.headroomBytes();
        headroomSlots[account] = buffers.headroomSlots();
        xonBytes[account] = buffers.xonBytes();
        xonSlots[account] = buffers.xonSlots();
        if (buffers.isDynamic()) {
            reservedBytes[account] = buffers.reservedBytes();
            reservedSlots[account] = buffers.reservedSlots();
            return;
        }
        xoffBytes[account] = buffers.xoffBytes();
        xoffSlots[account] = buffers.xoffSlots();
        capBytes[account] = buffers.xoffBytes() + buffers.headroomBytes();
        capSlots[account] = buffers.xoffSlots() + buffers.headroomSlots();
    }

    /**
     * Charges a frame to an account, or answers false if the account has no room for it: for a
     * lossy account an ordinary event, for a lossless one a loss that must not happen.
     */
    public boolean charge(Frame frame, int account) {
        if (!charge(account, 1, frame.lengthBytes)) {
            return false;
        }
        frame.account = account;
        frame.chargedBytes = frame.lengthBytes;
        return true;
    }

    /**
     * As {@link #charge(Frame, int)} for several frames, which are the caller's to mark: all of
     * them, or none and false. What they may not have together, one may have by itself.
     *
     * @param bytes of all of them
     */
    boolean charge(int account, int frames, long bytes) {
        if (pool != null) {
            return frames == 1 && chargeShared(account, bytes);
        }
        long bytesAfter = ledger.bytes(account) + bytes;
        int slotsAfter = ledger.slots(account) + frames;
        if (slotsAfter > capSlots[account] || bytesAfter > capBytes[account]) {
            return false;
        }
        if (isLossy(account)) {
            if (lossySlots + frames > lossyLimitSlots) {
                return false;
            }
            lossySlots += frames;
        } else if (bytesAfter >= xoffBytes[account] || slotsAfter >= xoffSlots[account]) {
            pauseWanted |= 1 << account;
        }
        hold(account, frames, bytes);
        return true;
    }

    private boolean isLossy(int account) {
        return (lossless >>> account & 1) == 0;
    }

    private void hold(int account, int frames, long bytes) {
        ledger.hold(account, frames, bytes);
        if (bytes(account) > maxBytes[account]) {
            maxBytes[account] = bytes(account);
        }
        if (slots(account) > maxSlots[account]) {
            maxSlots[account] = slots(account);
        }
    }

    private boolean chargeShared(int account, long length) {
        if (isLossy(account)
                && (slots(account) >= capSlots[account]
                        || bytes(account) + length > capBytes[account])) {
            return false;
        }
        SharedPool shared = pool;
        Threshold limit = threshold;
        if (shared == null || limit == null) {
            throw new IllegalStateException("no pool");
        }
        long bytesBefore = sharedBytes(account);
        int slotsBefore = sharedSlots(account);
        long wantedBytes =
                Math.max(
                        0,
                        bytes(account)
                                - inHeadroomBytes[account]
                                + length
                                - reservedBytes[account]);
        int wantedSlots =
                Math.max(0, slots(account) - inHeadroomSlots[account] + 1 - reservedSlots[account]);
        long moreBytes = wantedBytes - bytesBefore;
        int moreSlots = wantedSlots - slotsBefore;
        boolean fits =
                moreBytes <= shared.freeBytes()
                        && moreSlots <= shared.freeSlots()
                        && (wantedBytes == 0
                                || wantedBytes <= limit.threshold(account, shared.freeBytes()))
                        && (wantedSlots == 0
                                || wantedSlots <= limit.threshold(account, shared.freeSlots()));
        if (fits) {
            shared.take(moreBytes, moreSlots);
        } else if (isLossy(account)
                || inHeadroomBytes[account] + length > headroomBytes[account]
                || inHeadroomSlots[account] + 1 > headroomSlots[account]) {
            return false;
        } else {
            inHeadroomBytes[account] += length;
            inHeadroomSlots[account]++;
        }
        hold(account, 1, length);
        if (!isLossy(account) && mustPause(account, shared, limit)) {
            pauseWanted |= 1 << account;
        }
        return true;
    }

    private long sharedBytes(int account) {
        return Math.max(0, bytes(account) - inHeadroomBytes[account] - reservedBytes[account]);
    }

    private int sharedSlots(int account) {
        return Math.max(0, slots(account) - inHeadroomSlots[account] - reservedSlots[account]);
    }

    /** Frames are told apart no more once they are in, so bytes and slots may empty apart. */
    private boolean isInHeadroom(int account) {
        return (inHeadroomBytes[account] | inHeadroomSlots[account]) != 0;
    }

    private boolean mustPause(int account, SharedPool shared, Threshold limit) {
        long inPoolBytes = sharedBytes(account);
        int inPoolSlots = sharedSlots(account);
        return isInHeadroom(account)
                || (inPoolBytes > 0 && inPoolBytes >= limit.threshold(account, shared.freeBytes()))
                || (inPoolSlots > 0 && inPoolSlots >= limit.threshold(account, shared.freeSlots()));
    }

    private boolean mayResume(int account, SharedPool shared, Threshold limit) {
        long inPoolBytes = sharedBytes(account);
        int inPoolSlots = sharedSlots(account);
        return !isInHeadroom(account)
                && (inPoolBytes == 0
                        || inPoolBytes + xonBytes[account]
                                <= limit.threshold(account, shared.freeBytes()))
                && (inPoolSlots == 0
                        || inPoolSlots + xonSlots[account]
                                <= limit.threshold(account, shared.freeSlots()));
    }

    /** Takes back what a frame was charged; one that was not charged has 0 bytes charged. */
    public void release(Frame frame) {
        if (frame.chargedBytes != 0) {
            release(frame.account, 1, frame.chargedBytes);
            frame.chargedBytes = 0;
        }
    }

    /**
     * As {@link #release(Frame)} for several frames, which are the caller's to mark.
     *
     * @param bytes charged for all of them
     */
    void release(int account, int frames, long bytes) {
        if (pool != null) {
            releaseShared(account, frames, bytes);
            return;
        }
        ledger.release(account, frames, bytes);
        if (isLossy(account)) {
            lossySlots -= frames;
        } else if ((pauseWanted >>> account & 1) != 0
                && ledger.bytes(account) <= xonBytes[account]
                && ledger.slots(account) <= xonSlots[account]) {
            pauseWanted &= ~(1 << account);
        }
    }

    private void releaseShared(int account, int frames, long bytes) {
        SharedPool shared = pool;
        Threshold limit = threshold;
        if (shared == null || limit == null) {
            throw new IllegalStateException("no pool");
        }
        long bytesBefore = sharedBytes(account);
        int slotsBefore = sharedSlots(account);
        inHeadroomBytes[account] -= Math.min(bytes, inHeadroomBytes[account]);
        inHeadroomSlots[account] -= Math.min(frames, inHeadroomSlots[account]);
        ledger.release(account, frames, bytes);
        shared.give(bytesBefore - sharedBytes(account), slotsBefore - sharedSlots(account));
        if ((pauseWanted >>> account & 1) != 0 && mayResume(account, shared, limit)) {
            pauseWanted &= ~(1 << account);
        }
    }

    /** The priorities whose senders must pause, or stay paused: bit i for priority i. */
    public int pauseWanted() {
        return pauseWanted;
    }

    /** The priorities that are lossless. */
    public int lossless() {
        return lossless;
    }

    /** Bytes of an account that lie in its headroom. */
    public long headroomUsedBytes(int account) {
        return pool != null
                ? inHeadroomBytes[account]
                : Math.max(0, bytes(account) - xoffBytes[account]);
    }

    public long bytes(int account) {
        return ledger.bytes(account);
    }

    public int slots(int account) {
        return ledger.slots(account);
    }

    /** The most bytes that an account has held since {@link #clearWatermarks}. */
    public long maxBytes(int account) {
        return maxBytes[account];
    }

    /** The most slots that an account has held since {@link #clearWatermarks}. */
    public int maxSlots(int account) {
        return maxSlots[account];
    }

    public void clearWatermarks() {
        for (int account = 0; account < COUNT; account++) {
            maxBytes[account] = bytes(account);
            maxSlots[account] = slots(account);
        }
    }

    /** The pool that the accounts share; null with static thresholds. */
    public @Nullable SharedPool pool() {
        return pool;
    }
}
