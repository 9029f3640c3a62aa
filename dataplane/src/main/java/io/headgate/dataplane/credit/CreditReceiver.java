package io.headgate.dataplane.credit;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import io.headgate.config.FlowControlConfig;
import io.headgate.dataplane.frame.CreditControl;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.linkcontrol.AccountsView;
import io.headgate.dataplane.linkcontrol.LinkReceiver;
import io.headgate.dataplane.queue.Gate;
import java.lang.foreign.MemorySegment;

/**
 * The receiving side of credits (InfiniBand architecture volume 1, 7.9): counts the blocks that
 * arrive per lane and the blocks held, computes the far end's limit from both, and processes the
 * far end's credit frames. Owned by the ingress half, which publishes to {@link CreditRegister}.
 *
 * <p>ABR counts received blocks. Every FCP sets it to the far end's FCTBS, so the next FCP corrects
 * for blocks lost on the link. The grant is ABR plus the free blocks, at most 2,048. The free
 * blocks are bounded by the free slots, because each block may come in a frame of its own. All
 * counts are modulo 4,096. Without loss a grant never shrinks: an arriving frame adds to ABR the
 * blocks that it takes from the free ones.
 *
 * <p>In InfiniBand the link layer brings a link up. Here the ends send greetings until each knows
 * that the other has received its own (as in RFC 5880, 6.2), and compare a digest of the settings
 * that must match: the lanes and the classification. The block scale is the smaller one of both
 * ends. An end that greets again has restarted, so the other end restarts, too. No data is sent
 * until both are up, and only limits in frames of this session count: those of the previous session
 * may be for another buffer and in other blocks.
 */
public final class CreditReceiver implements LinkReceiver {
    private static final int COUNTER_MASK = CreditControl.MODULUS - 1;
    private static final int HALF = CreditControl.MODULUS / 2;
    private static final int MIN_BLOCK_SHIFT = 6;

    /** Maximum number of credit frames that may be lost in a row. */
    private static final int MOST_MISSING = 1024;

    private static final int MOST_OTHER_SCALES = 3;

    private final int lanes;
    private final int ownScale;
    private final long bufferBytes;
    private final int bufferSlots;
    private final long digest;
    private final CreditRegister register;

    private final int[] abr = new int[PRIORITIES];
    private final int[] heldBlocks = new int[PRIORITIES];
    private final int[] heldSlots = new int[PRIORITIES];
    private final int[] granted = new int[PRIORITIES];

    // Lanes without room for a frame of the largest size; per lane, the start of that state, and
    // its duration at the last look.
    private final int maxFrameBytes;
    private int full;
    private int timed;
    private int moved;
    private final long[] fullSinceNs = new long[PRIORITIES];
    private final long[] fullNs = new long[PRIORITIES];
    private int state = CreditRegister.DOWN;
    private int session = CreditRegister.sessionAfter(0);

    // Whether the egress half must still receive the state: it does together with its grants.
    private boolean stateIsNew;
    private int shift;
    private int bufferBlocks;
    private int lastSequence;
    private int oddSequence;
    private boolean outOfStep;
    private boolean heardAny;
    private int otherScales;
    private boolean mismatch;

    /** Whether frames that were counted in another block scale must leave before the link is up. */
    boolean scaleWaits;

    /** Incomplete credit frames, and valid FCPs with another op than their frame's. */
    long malformed;

    /** FCPs with a wrong CRC, ignored. */
    long badCrc;

    /** Ignored frames: received twice, after later ones, or far ahead in sequence. */
    long repeated;

    /** Lost credit frames, by their sequence numbers. */
    long missing;

    private long mismatches;

    /** Number of restarts of the far end. */
    long restarts;

    private final long[] lostBlocks = new long[PRIORITIES];
    private int changes;

    /** FCPs by which fewer blocks of a lane had been sent than had already arrived. */
    final long[] reordered = new long[PRIORITIES];

    /**
     * Creates the receiver of one port.
     *
     * @param lanes mask of the lossless priorities
     * @param digest of the port's classification
     * @param maxFrameBytes the largest frame that may come
     */
    public CreditReceiver(
            FlowControlConfig.Credits credits,
            int lanes,
            long digest,
            CreditRegister register,
            int maxFrameBytes) {
        this.lanes = lanes;
        this.maxFrameBytes = maxFrameBytes;
        this.ownScale = credits.blockScale();
        this.bufferBytes = credits.bufferBytes();
        this.bufferSlots = credits.bufferSlots();
        this.digest = digest;
        this.register = register;
        scale(ownScale);
        register.storeStateRelease(state, ownScale, session);
    }

    private void scale(int scale) {
        shift = MIN_BLOCK_SHIFT + scale;
        bufferBlocks = (int) Math.min(bufferBytes >> shift, Integer.MAX_VALUE);
    }

    // ---- data

    @Override
    public boolean countsBlocks() {
        return true;
    }

    @Override
    public int blockShift() {
        return shift;
    }

    @Override
    public void arrived(int lane, int blocks) {
        abr[lane] = (abr[lane] + blocks) & COUNTER_MASK;
    }

    @Override
    public void charged(int lane, int frames, int blocks) {
        heldBlocks[lane] += blocks;
        heldSlots[lane] += frames;
    }

    @Override
    public void released(int lane, int frames, int blocks) {
        charged(lane, -frames, -blocks);
        moved |= 1 << lane;
    }

    private int free(int lane) {
        return Math.min(bufferBlocks - heldBlocks[lane], bufferSlots - heldSlots[lane]);
    }

    /** The count up to which a lane accepts blocks now. */
    public int grant(int lane) {
        return grant(lane, free(lane));
    }

    private int grant(int lane, int free) {
        int blocks = Math.min(Math.max(free, 0), CreditControl.MAX_GRANT_BLOCKS);
        return (abr[lane] + blocks) & COUNTER_MASK;
    }

    /** Publishes the grants; blocks counted as received must already have been charged. */
    @Override
    public boolean publish(long nowNs, AccountsView accounts) {
        return publish(nowNs);
    }

    boolean publish(long nowNs) {
        boolean changed = false;
        int frameBlocks = Gate.blocks(maxFrameBytes, shift);
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            int free = free(lane);
            if (free < frameBlocks || (full >>> lane & 1) != 0) {
                noteFull(nowNs, lane, free < frameBlocks);
            }
            int grant = grant(lane, free);
            if (grant != granted[lane] || stateIsNew) {
                granted[lane] = grant;
                register.storeGrantOpaque(lane, session, grant);
                changed = true;
            }
        }
        moved = 0;
        if (stateIsNew) {
            // After the grants: the first credit frame of an end that is up has them, and must have
            // them counted from where the far end says, in blocks of the scale of both ends.
            storeState();
            register.storeVersionRelease();
            changed = true;
        }
        return changed;
    }

    private void storeState() {
        stateIsNew = false;
        register.storeStateRelease(state, shift - MIN_BLOCK_SHIFT, session);
    }

    private void noteFull(long nowNs, int lane, boolean isFull) {
        int bit = 1 << lane;
        changes++;
        if (!isFull) {
            full &= ~bit;
            fullNs[lane] = 0;
            return;
        }
        if ((full & bit) == 0 || (moved & bit) != 0) {
            full |= bit;
            timed &= ~bit;
        } else if ((timed & bit) == 0) {
            // From the call after the one that filled it: that one may have been held up before.
            timed |= bit;
            fullSinceNs[lane] = nowNs;
        }
        fullNs[lane] = (timed & bit) == 0 ? 1 : Math.max(1, nowNs - fullSinceNs[lane]);
    }

    // ---- credit frames

    @Override
    public int etherType() {
        return EtherType.LINK_CONTROL;
    }

    @Override
    public boolean takes(int opcode) {
        return CreditControl.isOpcode(opcode);
    }

    @Override
    public boolean receive(long receivedNs, MemorySegment segment, long frame, int availableBytes) {
        if (!CreditControl.isValid(segment, frame, availableBytes)) {
            malformed++;
            return false;
        }
        boolean initialising = CreditControl.isInitialising(segment, frame);
        if (!saysSurely(segment, frame, initialising)) {
            return false;
        }
        int sequence = CreditControl.sequence(segment, frame);
        // An end that restarts counts from 0 again. While this end is up, a restarting far end
        // greets first.
        boolean mayBegin =
                initialising
                        && (state != CreditRegister.UP || !CreditControl.isHeard(segment, frame));
        int step = heardAny ? sequence - lastSequence : 1;
        if (step == 0 || (!mayBegin && isOutOfStep(step, sequence))) {
            repeated++;
            return false;
        }
        missing += step > MOST_MISSING ? 0 : Math.max(0, step - 1);
        heardAny = true;
        outOfStep = false;
        lastSequence = sequence;
        if (initialising && !agrees(segment, frame)) {
            mismatch = true;
            mismatches++;
            return change(CreditRegister.DOWN);
        }
        boolean changed = shakeHands(segment, frame, initialising);
        boolean count = state == CreditRegister.UP && !initialising;
        if (count && CreditControl.scale(segment, frame) != shift - MIN_BLOCK_SHIFT) {
            mismatches++;
            // Once is a damaged frame; again and again, the ends have agreed on different ones.
            return ++otherScales == MOST_OTHER_SCALES ? change(CreditRegister.DOWN) : changed;
        }
        otherScales = 0;
        register.storeHeardOpaque(receivedNs);
        int fcps = CreditControl.count(segment, frame);
        for (int i = 0; i < fcps; i++) {
            takeFcp(segment, frame, i, count);
        }
        if (count) {
            register.storeVersionRelease();
        }
        return changed || count;
    }

    /**
     * Whether the kind of a frame is certain: its first FCP has it, and an initialising frame is
     * accepted as a whole or not at all. Otherwise the next frame is used.
     */
    private boolean saysSurely(MemorySegment segment, long frame, boolean initialising) {
        int fcps = initialising ? CreditControl.count(segment, frame) : 1;
        for (int i = 0; i < fcps; i++) {
            if (!CreditControl.isFcpSound(segment, frame, i)) {
                badCrc += damaged(segment, frame);
                return false;
            }
            if (CreditControl.op(segment, frame, i) != CreditControl.op(segment, frame, 0)) {
                malformed++;
                return false;
            }
        }
        return true;
    }

    private static int damaged(MemorySegment segment, long frame) {
        int damaged = 0;
        for (int i = 0; i < CreditControl.count(segment, frame); i++) {
            damaged += CreditControl.isFcpSound(segment, frame, i) ? 0 : 1;
        }
        return damaged;
    }

    /**
     * Whether a frame was received before, is late, or has a damaged sequence number, which no CRC
     * covers. Consecutive frames that are all out of step show that the last accepted number was
     * wrong.
     */
    private boolean isOutOfStep(int step, int sequence) {
        if (step > 0 && step <= MOST_MISSING) {
            return false;
        }
        int onward = sequence - oddSequence;
        boolean follows = outOfStep && onward > 0 && onward <= MOST_MISSING;
        outOfStep = true;
        oddSequence = sequence;
        return !follows;
    }

    /** Whether both ends have the same lanes and classify frames alike. */
    private boolean agrees(MemorySegment segment, long frame) {
        int theirs = 0;
        int fcps = CreditControl.count(segment, frame);
        for (int i = 0; i < fcps; i++) {
            theirs |= 1 << CreditControl.lane(segment, frame, i);
        }
        return theirs == lanes && CreditControl.digest(segment, frame) == digest;
    }

    private boolean shakeHands(MemorySegment segment, long frame, boolean initialising) {
        boolean heard = CreditControl.isHeard(segment, frame);
        if (initialising && !heard) {
            if (state == CreditRegister.UP) {
                restarts++;
                return change(CreditRegister.DOWN);
            }
            return agreeOnScale(segment, frame) && change(CreditRegister.INIT);
        }
        if (initialising) {
            return state != CreditRegister.UP
                    && agreeOnScale(segment, frame)
                    && change(CreditRegister.UP);
        }
        return state == CreditRegister.INIT && change(CreditRegister.UP);
    }

    /** Uses the smaller scale; held frames were counted in another scale and must leave before. */
    private boolean agreeOnScale(MemorySegment segment, long frame) {
        int scale = Math.min(ownScale, CreditControl.scale(segment, frame));
        mismatch = false;
        scaleWaits = false;
        if (scale == shift - MIN_BLOCK_SHIFT) {
            return true;
        }
        for (int held : heldSlots) {
            if (held != 0) {
                scaleWaits = true;
                return false;
            }
        }
        scale(scale);
        stateIsNew = true;
        return true;
    }

    private boolean change(int newState) {
        if (newState == state) {
            return false;
        }
        otherScales = 0;
        state = newState;
        stateIsNew = true;
        if (newState == CreditRegister.DOWN) {
            // What was granted so far was granted by an end that may be another now.
            session = CreditRegister.sessionAfter(session);
        }
        return true;
    }

    private void takeFcp(MemorySegment segment, long frame, int index, boolean count) {
        int lane = CreditControl.lane(segment, frame, index);
        if (!CreditControl.isFcpSound(segment, frame, index)) {
            badCrc++;
            return;
        }
        // All have the frame's op: what another would grant is reserved, and not for us to guess.
        if (CreditControl.op(segment, frame, index) != CreditControl.op(segment, frame, 0)) {
            malformed++;
            return;
        }
        if (lane >= PRIORITIES || (lanes >>> lane & 1) == 0) {
            return;
        }
        int fctbs = CreditControl.fctbs(segment, frame, index);
        if (count) {
            int ahead = (fctbs - abr[lane]) & COUNTER_MASK;
            if (ahead > HALF) {
                // More has come than was sent: data overtook credits, which links must not do.
                reordered[lane]++;
            } else if (ahead > 0) {
                lostBlocks[lane] += ahead;
                changes++;
            }
            register.storeLimitOpaque(lane, session, CreditControl.fccl(segment, frame, index));
        }
        abr[lane] = fctbs;
    }

    @Override
    public void linkChanged() {
        heardAny = false;
        change(CreditRegister.DOWN);
        // At once: this half may be taking leave of its device.
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            register.storeGrantOpaque(lane, session, granted[lane]);
        }
        storeState();
        register.storeVersionRelease();
    }

    // ---- what a person may ask

    /** Returned slots always matter: they are free, and so may be granted. */
    @Override
    public boolean awaitsReturns(AccountsView accounts) {
        return true;
    }

    @Override
    public long ignored() {
        return malformed + badCrc + repeated;
    }

    /** {@link CreditRegister#DOWN}, {@code INIT} or {@code UP}. */
    public int state() {
        return state;
    }

    /** The block scale in use; while the link is down, the offered or last used one. */
    public int scale() {
        return shift - MIN_BLOCK_SHIFT;
    }

    /**
     * Whether the far end has other lanes or another classification; no data moves until they
     * match.
     */
    public boolean isMismatched() {
        return mismatch;
    }

    /** Frames that show another classification, other lanes, or another block scale. */
    @Override
    public long mismatches() {
        return mismatches;
    }

    /**
     * Time in ns for which, at the last {@link #publish}, a lane had certainly had no room for a
     * frame of the largest size and released no frame; 0 if it has room.
     */
    public long fullNs(int lane) {
        return fullNs[lane];
    }

    /** Grows with every change of {@link #fullNs} and {@link #lostBlocks}. */
    public int changes() {
        return changes;
    }

    /** Blocks of a lane that were sent but never arrived, detected and corrected by FCPs. */
    public long lostBlocks(int lane) {
        return lostBlocks[lane];
    }
}
