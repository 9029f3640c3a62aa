package io.headgate.dataplane.flowcontrol;

import io.headgate.config.DetourNeeds;
import io.headgate.config.FlowControlConfig;
import io.headgate.config.PortConfig;
import io.headgate.dataplane.linkcontrol.AccountsView;
import io.headgate.dataplane.memory.Accounts;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.Prefetch;
import io.headgate.dataplane.policy.Threshold;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Ingress accounting of one half: the frames that it has admitted and not got back, per account, in
 * bytes and in slots. Decides whether a frame may come in, and which priorities' senders must
 * pause. Accounts 0 to 7 are the priorities. {@link Accounts#ORIGINATED} holds copies of lossless
 * frames, and is lossy. {@link Accounts#DETOUR} holds frames that came by a detour, which count for
 * no pause and have slots of their own. Owned by the half.
 *
 * <p><b>Static thresholds.</b> A lossless account asks for a pause when it has reached xoff, in
 * bytes or in slots, and ends it when it is down to xon in both (IEEE 802.1Q annex N). Above xoff
 * it has headroom. A lossy account has a cap; all lossy accounts together get only the slots that
 * lossless accounts were not promised.
 *
 * <p><b>Dynamic thresholds.</b> An account uses its reserved room first, then a {@link SharedPool}
 * up to a {@link Threshold}, then, if lossless, its headroom. A lossless account asks for a pause
 * when it has reached the threshold or is in its headroom, and ends it when the headroom is empty
 * again and it holds little enough of the pool. Frames that leave free the headroom first, then the
 * pool. Shared-memory switch chips keep accounts in this way, as Li et al. model them for HPCC
 * (SIGCOMM 2019). If a threshold sinks because others take from the pool, the account notices it at
 * its own next frame.
 */
public final class IngressAccounts implements AccountsView, Prefetch {
    private static final int COUNT = Accounts.COUNT;

    private final Accounts ledger;
    private final int slots;
    private final int lossless;

    // Accounts that are not lossy: these, and that of frames that came by a detour.
    private final int promised;
    private final int detourSlots;
    private final @Nullable SharedPool pool;
    private @Nullable Threshold threshold;

    // The bounds that are applied: those under which the held frames were admitted; while a change
    // is pending, no less cautious than either configuration's.
    private Bounds bounds;
    private Bounds inForce;

    // The newest pending bounds, which come into force once the held frames fit them; null: no
    // change is pending.
    private @Nullable Bounds next;

    private final long[] inHeadroomBytes = new long[COUNT];
    private final int[] inHeadroomSlots = new int[COUNT];

    private final long[] maxBytes = new long[COUNT];
    private final int[] maxSlots = new int[COUNT];
    private int lossySlots;
    private int pauseWanted;

    /**
     * Creates the accounts of a port's configuration.
     *
     * @param slots slots at home in the half, including those that its device's ring holds
     * @param ledger the half's ledger of held frames; only this object charges it
     * @param threshold threshold of the pool that they share; null: thresholds are static
     * @param common the buffer that ports share; null: the port has a pool of its own
     */
    public IngressAccounts(
            PortConfig config,
            int slots,
            Accounts ledger,
            @Nullable Threshold threshold,
            BufferPool.@Nullable Share common) {
        this.ledger = ledger;
        this.slots = slots;
        this.lossless = config.traffic().losslessMask();
        this.promised = lossless | 1 << Accounts.DETOUR;
        this.detourSlots =
                config.traffic().lossless().size()
                        * DetourNeeds.of(config.mechanisms()).reservedSlots();
        this.inForce = new Bounds(config, slots, threshold);
        this.bounds = inForce;
        this.threshold = threshold;
        this.pool =
                threshold == null
                        ? null
                        : new SharedPool(bounds.sharedBytes, bounds.sharedSlots, common);
    }

    @Override
    public long prefetch(int distance) {
        return bounds.capBytes[0]
                + bounds.capSlots[0]
                + bounds.xoffBytes[0]
                + bounds.xoffSlots[0]
                + maxBytes[0]
                + maxSlots[0];
    }

    /** The stricter of two thresholds, while a port changes from one to the other. */
    private record Stricter(Threshold one, Threshold two) implements Threshold {
        @Override
        public long thresholdBytes(int account, long freeBytes) {
            return Math.min(
                    one.thresholdBytes(account, freeBytes), two.thresholdBytes(account, freeBytes));
        }

        @Override
        public long thresholdSlots(int account, long freeSlots) {
            return Math.min(
                    one.thresholdSlots(account, freeSlots), two.thresholdSlots(account, freeSlots));
        }
    }

    /** Limits of each account in a configuration. */
    private static final class Bounds {
        // Static: where a pause begins and ends, and where all ends. Dynamic: xon is the distance
        // below the threshold.
        private final long[] xoffBytes = new long[COUNT];
        private final long[] xonBytes = new long[COUNT];
        private final long[] capBytes = new long[COUNT];
        private final int[] xoffSlots = new int[COUNT];
        private final int[] xonSlots = new int[COUNT];
        private final int[] capSlots = new int[COUNT];
        private int lossyLimitSlots;

        // Dynamic only.
        private final long[] reservedBytes = new long[COUNT];
        private final int[] reservedSlots = new int[COUNT];
        private final long[] headroomBytes = new long[COUNT];
        private final int[] headroomSlots = new int[COUNT];
        private @Nullable Threshold threshold;
        private long sharedBytes;
        private int sharedSlots;

        Bounds(PortConfig config, int slots, @Nullable Threshold threshold) {
            this.threshold = threshold;
            FlowControlConfig.Buffers buffers = config.flowControl().buffers();
            FlowControlConfig.Credits credits = config.flowControl().credits();
            Arrays.fill(xoffBytes, Long.MAX_VALUE);
            Arrays.fill(xoffSlots, Integer.MAX_VALUE);
            Arrays.fill(capBytes, config.accountCapBytes());
            Arrays.fill(capSlots, config.accountCapSlots());
            // Frames that came by a detour take nothing from a pool.
            reservedBytes[Accounts.DETOUR] = Long.MAX_VALUE;
            reservedSlots[Accounts.DETOUR] = Integer.MAX_VALUE;
            if (buffers != null && buffers.isDynamic()) {
                sharedBytes = buffers.sharedBytes();
                sharedSlots = buffers.sharedSlots();
            }
            for (int account : config.traffic().lossless()) {
                if (buffers != null) {
                    bound(account, buffers);
                } else if (credits != null) {
                    capBytes[account] = credits.bufferBytes();
                    capSlots[account] = credits.bufferSlots();
                }
            }
            int ringSlots = config.device().receiveSlots();
            lossyLimitSlots =
                    config.traffic().lossless().isEmpty()
                            ? Integer.MAX_VALUE
                            : Math.max(0, slots - ringSlots - config.promisedSlots());
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
         * Combines two configurations: pauses if either would, lets lossy accounts hold what both
         * allow, and keeps the first one's caps of lossless accounts, because frames that can no
         * longer be stopped need that room.
         */
        Bounds(Bounds one, Bounds two, int lossless) {
            boolean dynamic = one.threshold != null;
            for (int at = 0; at < COUNT; at++) {
                xoffBytes[at] = Math.min(one.xoffBytes[at], two.xoffBytes[at]);
                xoffSlots[at] = Math.min(one.xoffSlots[at], two.xoffSlots[at]);
                xonBytes[at] = stricter(dynamic, one.xonBytes[at], two.xonBytes[at]);
                xonSlots[at] = (int) stricter(dynamic, one.xonSlots[at], two.xonSlots[at]);
                reservedBytes[at] = Math.min(one.reservedBytes[at], two.reservedBytes[at]);
                reservedSlots[at] = Math.min(one.reservedSlots[at], two.reservedSlots[at]);
                headroomBytes[at] = one.headroomBytes[at];
                headroomSlots[at] = one.headroomSlots[at];
                boolean isKept = (lossless >>> at & 1) != 0;
                Bounds other = isKept ? one : two;
                capBytes[at] = Math.min(one.capBytes[at], other.capBytes[at]);
                capSlots[at] = Math.min(one.capSlots[at], other.capSlots[at]);
            }
            lossyLimitSlots = Math.min(one.lossyLimitSlots, two.lossyLimitSlots);
            threshold =
                    one.threshold == null || two.threshold == null
                            ? one.threshold
                            : new Stricter(one.threshold, two.threshold);
            sharedBytes = Math.min(one.sharedBytes, two.sharedBytes);
            sharedSlots = Math.min(one.sharedSlots, two.sharedSlots);
        }

        /** With dynamic thresholds, xon is a distance below the threshold. */
        private static long stricter(boolean dynamic, long one, long two) {
            return dynamic ? Math.max(one, two) : Math.min(one, two);
        }
    }

    /** Called once per burst, before frames are charged: reads what other ports have taken. */
    void look() {
        if (pool != null) {
            pool.look();
        }
    }

    // ---- changes while frames are held

    /**
     * Changes to another configuration of the same mode, with a threshold if there was one: at once
     * if the held frames fit it, otherwise as soon as they do; until then it pauses if either
     * configuration would.
     */
    public void change(PortConfig config, @Nullable Threshold newThreshold) {
        Bounds wanted = new Bounds(config, slots, newThreshold);
        // A pending change that has not settled leaves no trace: it never was in force.
        bounds = new Bounds(inForce, wanted, lossless);
        next = wanted;
        takeBounds();
        settle();
    }

    /** Whether a change still waits until the held frames fit it. */
    public boolean isChanging() {
        return next != null;
    }

    /** Ends a change if the held frames fit it. */
    public void settle() {
        Bounds wanted = next;
        if (wanted != null && fits(wanted)) {
            next = null;
            inForce = wanted;
            bounds = wanted;
            takeBounds();
        }
    }

    private boolean fits(Bounds wanted) {
        long inPoolBytes = 0;
        long inPoolSlots = 0;
        for (int account = 0; account < COUNT; account++) {
            long heldBytes = bytes(account) - inHeadroomBytes[account];
            int heldSlots = slots(account) - inHeadroomSlots[account];
            inPoolBytes += Math.max(0, heldBytes - wanted.reservedBytes[account]);
            inPoolSlots += Math.max(0, heldSlots - wanted.reservedSlots[account]);
            boolean lessHeadroom =
                    wanted.headroomBytes[account] < bounds.headroomBytes[account]
                            || wanted.headroomSlots[account] < bounds.headroomSlots[account];
            if (!isLossy(account)
                    && (heldBytes > wanted.xoffBytes[account]
                            || heldSlots > wanted.xoffSlots[account]
                            || (lessHeadroom && isInHeadroom(account)))) {
                return false;
            }
        }
        return lossySlots <= wanted.lossyLimitSlots
                && (pool == null
                        || (inPoolBytes <= wanted.sharedBytes
                                && inPoolSlots <= wanted.sharedSlots));
    }

    /** Returns its part of the buffer that ports share, when no frame is held any longer. */
    public void leavePool() {
        if (pool != null) {
            pool.resize(0, 0, 0, 0);
        }
    }

    /** Recomputes the state that depends on the limits after they have changed. */
    private void takeBounds() {
        SharedPool shared = pool;
        if (shared != null) {
            long inPoolBytes = 0;
            int inPoolSlots = 0;
            for (int account = 0; account < COUNT; account++) {
                inPoolBytes += sharedBytes(account);
                inPoolSlots += sharedSlots(account);
            }
            shared.resize(bounds.sharedBytes, bounds.sharedSlots, inPoolBytes, inPoolSlots);
            threshold = bounds.threshold;
        }
        for (int rest = lossless; rest != 0; rest &= rest - 1) {
            wantPause(Integer.numberOfTrailingZeros(rest));
        }
    }

    private void wantPause(int account) {
        boolean must;
        boolean may;
        if (pool != null && threshold != null) {
            must = mustPause(account, pool, threshold);
            may = mayResume(account, pool, threshold);
        } else {
            must =
                    bytes(account) >= bounds.xoffBytes[account]
                            || slots(account) >= bounds.xoffSlots[account];
            may =
                    bytes(account) <= bounds.xonBytes[account]
                            && slots(account) <= bounds.xonSlots[account];
        }
        if (must) {
            pauseWanted |= 1 << account;
        } else if (may) {
            pauseWanted &= ~(1 << account);
        }
    }

    // ---- frames that come and go

    /**
     * Charges a frame to an account, or returns false if the account has no room for it: for a
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
     * Charges a frame that came by a detour to the slots reserved for such frames; returns false if
     * they are all taken: more frames came than this port had asked for.
     */
    boolean chargeDetoured(Frame frame) {
        if (slots(Accounts.DETOUR) >= detourSlots) {
            return false;
        }
        chargeLedger(Accounts.DETOUR, 1, frame.lengthBytes);
        frame.account = Accounts.DETOUR;
        frame.chargedBytes = frame.lengthBytes;
        return true;
    }

    /**
     * As {@link #charge(Frame, int)} for several frames, which the caller marks: all of them, or
     * none and false. A single frame may still fit where all together do not.
     */
    boolean charge(int account, int frames, long bytes) {
        if (pool != null) {
            return frames == 1 && chargeShared(account, bytes);
        }
        long bytesAfter = ledger.bytes(account) + bytes;
        int slotsAfter = ledger.slots(account) + frames;
        if (slotsAfter > bounds.capSlots[account] || bytesAfter > bounds.capBytes[account]) {
            return false;
        }
        if (isLossy(account)) {
            if (lossySlots + frames > bounds.lossyLimitSlots) {
                return false;
            }
            lossySlots += frames;
        } else if (bytesAfter >= bounds.xoffBytes[account]
                || slotsAfter >= bounds.xoffSlots[account]) {
            pauseWanted |= 1 << account;
        }
        chargeLedger(account, frames, bytes);
        return true;
    }

    private boolean isLossy(int account) {
        return (promised >>> account & 1) == 0;
    }

    private void chargeLedger(int account, int frames, long bytes) {
        ledger.chargeUnbounded(account, frames, bytes);
        if (bytes(account) > maxBytes[account]) {
            maxBytes[account] = bytes(account);
        }
        if (slots(account) > maxSlots[account]) {
            maxSlots[account] = slots(account);
        }
    }

    private boolean chargeShared(int account, long length) {
        if (isLossy(account)
                && (slots(account) >= bounds.capSlots[account]
                        || bytes(account) + length > bounds.capBytes[account])) {
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
                                - bounds.reservedBytes[account]);
        int wantedSlots =
                Math.max(
                        0,
                        slots(account)
                                - inHeadroomSlots[account]
                                + 1
                                - bounds.reservedSlots[account]);
        long moreBytes = wantedBytes - bytesBefore;
        int moreSlots = wantedSlots - slotsBefore;
        boolean fits =
                moreBytes <= shared.freeBytes()
                        && moreSlots <= shared.freeSlots()
                        && (wantedBytes == 0
                                || wantedBytes <= limit.thresholdBytes(account, shared.leftBytes()))
                        && (wantedSlots == 0
                                || wantedSlots
                                        <= limit.thresholdSlots(account, shared.leftSlots()));
        if (fits) {
            shared.take(moreBytes, moreSlots);
        } else if (isLossy(account)
                || inHeadroomBytes[account] + length > bounds.headroomBytes[account]
                || inHeadroomSlots[account] + 1 > bounds.headroomSlots[account]) {
            return false;
        } else {
            inHeadroomBytes[account] += length;
            inHeadroomSlots[account]++;
        }
        chargeLedger(account, 1, length);
        if (!isLossy(account) && mustPause(account, shared, limit)) {
            pauseWanted |= 1 << account;
        }
        return true;
    }

    private long sharedBytes(int account) {
        return Math.max(
                0, bytes(account) - inHeadroomBytes[account] - bounds.reservedBytes[account]);
    }

    private int sharedSlots(int account) {
        return Math.max(
                0, slots(account) - inHeadroomSlots[account] - bounds.reservedSlots[account]);
    }

    /**
     * Bytes and slots of the headroom may empty at different times, because an admitted frame does
     * not record which of the two it is in.
     */
    private boolean isInHeadroom(int account) {
        return (inHeadroomBytes[account] | inHeadroomSlots[account]) != 0;
    }

    private boolean mustPause(int account, SharedPool shared, Threshold limit) {
        long inPoolBytes = sharedBytes(account);
        int inPoolSlots = sharedSlots(account);
        return isInHeadroom(account)
                || (inPoolBytes > 0
                        && inPoolBytes >= limit.thresholdBytes(account, shared.leftBytes()))
                || (inPoolSlots > 0
                        && inPoolSlots >= limit.thresholdSlots(account, shared.leftSlots()));
    }

    private boolean mayResume(int account, SharedPool shared, Threshold limit) {
        long inPoolBytes = sharedBytes(account);
        int inPoolSlots = sharedSlots(account);
        return !isInHeadroom(account)
                && (inPoolBytes == 0
                        || inPoolBytes + bounds.xonBytes[account]
                                <= limit.thresholdBytes(account, shared.leftBytes()))
                && (inPoolSlots == 0
                        || inPoolSlots + bounds.xonSlots[account]
                                <= limit.thresholdSlots(account, shared.leftSlots()));
    }

    /** Releases a frame's charge; a frame that was not charged has 0 bytes charged. */
    public void release(Frame frame) {
        if (frame.chargedBytes != 0) {
            release(frame.account, 1, frame.chargedBytes);
            frame.chargedBytes = 0;
        }
    }

    /** As {@link #release(Frame)} for several frames, which the caller marks. */
    void release(int account, int frames, long bytes) {
        if (pool != null) {
            releaseShared(account, frames, bytes);
            return;
        }
        ledger.release(account, frames, bytes);
        if (isLossy(account)) {
            lossySlots -= frames;
        } else if ((pauseWanted >>> account & 1) != 0
                && ledger.bytes(account) <= bounds.xonBytes[account]
                && ledger.slots(account) <= bounds.xonSlots[account]) {
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
    @Override
    public int pauseWanted() {
        return pauseWanted;
    }

    /** Bytes of an account that lie in its headroom. */
    public long headroomUsedBytes(int account) {
        return pool != null
                ? inHeadroomBytes[account]
                : Math.max(0, bytes(account) - bounds.xoffBytes[account]);
    }

    @Override
    public long bytes(int account) {
        return ledger.bytes(account);
    }

    @Override
    public int slots(int account) {
        return ledger.slots(account);
    }

    /** Maximum bytes that an account has held since {@link #clearWatermarks}. */
    public long maxBytes(int account) {
        return maxBytes[account];
    }

    /** Maximum slots that an account has held since {@link #clearWatermarks}. */
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
