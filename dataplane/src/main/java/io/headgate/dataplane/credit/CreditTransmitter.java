package io.headgate.dataplane.credit;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.PortConfig;
import io.headgate.dataplane.frame.CreditControl;
import io.headgate.dataplane.linkcontrol.LinkSender;
import io.headgate.dataplane.linkcontrol.PresentTime;
import io.headgate.dataplane.linkcontrol.StopTimes;
import io.headgate.dataplane.policy.QueueFields;
import java.lang.foreign.MemorySegment;

/**
 * The sending side of credits (InfiniBand architecture volume 1, 7.9): decides whether a frame of a
 * lane may start, counts sent blocks, and makes the port's credit frames. Owned by the egress half.
 *
 * <p>A frame of b blocks may start if (FCCL − (FCTBS + b)) modulo 4,096 is at most 2,048, where
 * FCCL is the far end's latest. Credit frames are made every period; or, when our grant has
 * changed, with at least the minimum gap between them, and at least every period. A credit frame
 * carries the count of sent data, so it must not overtake data that has started.
 */
public final class CreditTransmitter implements LinkSender {
    private static final int COUNTER_MASK = CreditControl.MODULUS - 1;
    private static final int MIN_BLOCK_SHIFT = 6;

    /** Maximum interval of greetings until each end has received the other's. */
    private static final long GREETING_NS = 1_000_000;

    private FlowControlConfig.Credits config;
    private final int lanes;
    private final long digest;
    private final CreditRegister register;
    private final PresentTime time;
    private final StopTimes times = new StopTimes();

    /** Blocks sent in a lane, modulo 4,096. */
    final int[] fctbs = new int[PRIORITIES];

    private final int[] limit = new int[PRIORITIES];

    // Per lane, the grant for the far end, and the grant last sent to it.
    private final int[] grant = new int[PRIORITIES];
    private final int[] told = new int[PRIORITIES];
    private long heardNs;
    private int seenVersion;
    private int state;

    // Lanes in which the far end has granted something, since both ends are up.
    private int granted;

    // Lanes whose limit the last update moved.
    private int limitsMoved;
    private int session;
    private int shift;
    private int sequence;
    private boolean grantsChanged;
    private boolean mustSend = true;
    private long sentNs = Long.MIN_VALUE / 2;
    private long nextPeriodNs = Long.MIN_VALUE / 2;

    public CreditTransmitter(
            FlowControlConfig.Credits credits,
            int lanes,
            long digest,
            CreditRegister register,
            PresentTime time) {
        this.config = credits;
        this.lanes = lanes;
        this.digest = digest;
        this.register = register;
        this.time = time;
        this.seenVersion = register.loadVersionAcquire();
        takeIn();
    }

    /** Maximum bytes on the way in a lane with a block scale. */
    public static long windowBytes(int scale) {
        return (long) CreditControl.MAX_GRANT_BLOCKS << (MIN_BLOCK_SHIFT + scale);
    }

    /**
     * Reads the state that the ingress half has published, and ends the stops of lanes whose first
     * frame may now start, even if the wire is busy for long. It also ends the stops of empty
     * lanes.
     */
    @Override
    public void look(long nowNs, QueueFields queues) {
        int raised = update(nowNs) ? limitsMoved : 0;
        for (int rest = times.stopped(); rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            int headBytes = queues.headBytes(lane);
            if (queues.frames(lane) == 0) {
                // What stood first was taken out, and nothing waits for credits any longer.
                times.end(lane, time.presentNs(nowNs));
            } else if (headBytes > 0 && isCovered(lane, cost(headBytes))) {
                // Not by a grant: what stood first was taken out, and this one needs less.
                boolean granted = (raised >>> lane & 1) != 0;
                times.end(lane, granted ? heardNs : time.presentNs(nowNs));
            }
        }
    }

    @Override
    public boolean hasNews() {
        return register.loadVersionAcquire() != seenVersion || (!grantsChanged && areGrantsNew());
    }

    @Override
    public void emptied(long nowNs, int queues) {
        for (int rest = queues & times.stopped(); rest != 0; rest &= rest - 1) {
            times.end(Integer.numberOfTrailingZeros(rest), time.presentNs(nowNs));
        }
    }

    /**
     * Reads the state that the ingress half has published; true if a frame has come from the far
     * end. Our grants change with every arriving frame: once they have changed they are read again
     * only when they are sent.
     */
    public boolean update(long nowNs) {
        int version = register.loadVersionAcquire();
        boolean isNew = version != seenVersion;
        if (isNew) {
            seenVersion = version;
            int oldState = state;
            takeIn();
            mustSend |= oldState != state;
        }
        if (!grantsChanged || isDue(nowNs)) {
            grantsChanged |= areGrantsNew();
        }
        return isNew;
    }

    /** Reads the grants for the far end; returns whether any has changed since they were sent. */
    private boolean areGrantsNew() {
        boolean areNew = false;
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            int newGrant = register.loadGrantOpaque(lane, session);
            // Of another session, whose state is seen next: its blocks may have another length.
            grant[lane] = newGrant == CreditRegister.NO_LIMIT ? grant[lane] : newGrant;
            areNew |= grant[lane] != told[lane];
        }
        return areNew;
    }

    private void takeIn() {
        int word = register.loadStateAcquire();
        session = CreditRegister.session(word);
        state = CreditRegister.state(word);
        shift = MIN_BLOCK_SHIFT + CreditRegister.scale(word);
        int grantedBefore = granted;
        granted = 0;
        limitsMoved = 0;
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            int limitBefore = limit[lane];
            limit[lane] = register.loadLimitOpaque(lane, session);
            if (state == CreditRegister.UP && limit[lane] != CreditRegister.NO_LIMIT) {
                granted |= 1 << lane;
            }
            boolean moved = limit[lane] != limitBefore || (granted & ~grantedBefore) != 0;
            limitsMoved |= moved ? 1 << lane : 0;
        }
        heardNs = register.loadHeardOpaque();
    }

    @Override
    public void linkChanged() {
        mustSend = true;
    }

    /** Changes the times at which credit frames are sent. */
    @Override
    public void change(PortConfig port) {
        FlowControlConfig.Credits credits = port.flowControl().credits();
        if (credits != null) {
            config = credits;
            nextPeriodNs = Math.min(nextPeriodNs, sentNs + credits.periodNs());
        }
    }

    // ---- data

    /**
     * Number of blocks of a lane that may start, for the first frame's length; 0 if that frame may
     * not. Frames in no lane always may.
     */
    @Override
    public int room(long nowNs, int lane, int headBytes) {
        if ((lanes >>> lane & 1) == 0) {
            return Integer.MAX_VALUE;
        }
        int blocks = cost(headBytes);
        if (isCovered(lane, blocks)) {
            return (limit[lane] - fctbs[lane]) & COUNTER_MASK;
        }
        if ((times.stopped() >>> lane & 1) == 0) {
            times.begin(lane, time.presentNs(nowNs));
        }
        return 0;
    }

    private boolean isCovered(int lane, int blocks) {
        int left = (limit[lane] - fctbs[lane] - blocks) & COUNTER_MASK;
        return (granted >>> lane & 1) != 0 && left <= CreditControl.MAX_GRANT_BLOCKS;
    }

    /** Bytes that a lane may still send; {@link Long#MAX_VALUE} for frames in no lane. */
    @Override
    public long creditBytes(int lane) {
        return (lanes >>> lane & 1) == 0 ? Long.MAX_VALUE : (long) credits(lane) << shift;
    }

    @Override
    public boolean countsBlocks() {
        return true;
    }

    @Override
    public int blockShift() {
        return shift;
    }

    @Override
    public void started(long nowNs, int queue, int frames, long bytes, int cost) {
        sent(queue, cost);
    }

    /** Notes that frames with {@code blocks} blocks in all start. */
    public void sent(int lane, int blocks) {
        if ((lanes >>> lane & 1) != 0) {
            fctbs[lane] = (fctbs[lane] + blocks) & COUNTER_MASK;
        }
    }

    public int credits(int lane) {
        int left = (limit[lane] - fctbs[lane]) & COUNTER_MASK;
        boolean counts = (granted >>> lane & 1) != 0 && left <= CreditControl.MAX_GRANT_BLOCKS;
        return counts ? left : 0;
    }

    // ---- credit frames

    @Override
    public boolean isDue(long nowNs) {
        return deadlineNs() - nowNs <= 0;
    }

    @Override
    public long deadlineNs() {
        if (mustSend) {
            return Long.MIN_VALUE / 2;
        }
        if (state != CreditRegister.UP) {
            return sentNs + Math.min(GREETING_NS, config.periodNs());
        }
        if (config.update() == FlowControlConfig.Credits.Update.PERIODIC) {
            return nextPeriodNs;
        }
        return sentNs + (grantsChanged ? config.minGapNs() : config.periodNs());
    }

    /**
     * The gap before the next frame counts from this one; the period only if this one was due by
     * period.
     */
    @Override
    public int write(long nowNs, MemorySegment segment, long frame, long source) {
        boolean up = state == CreditRegister.UP;
        int op = up ? CreditControl.NORMAL : CreditControl.INITIALISE;
        int scale = up ? shift - MIN_BLOCK_SHIFT : config.blockScale();
        CreditControl.writeHeader(
                segment,
                frame,
                source,
                Integer.bitCount(lanes),
                scale,
                state != CreditRegister.DOWN,
                sequence++);
        int index = 0;
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            told[lane] = grant[lane];
            CreditControl.writeFcp(segment, frame, index++, op, fctbs[lane], lane, told[lane]);
        }
        mustSend = false;
        grantsChanged = false;
        sentNs = nowNs;
        if (nextPeriodNs - nowNs <= 0) {
            // In step, unless a whole period was missed: then from now, once and not many times.
            long inStepNs = nextPeriodNs + config.periodNs();
            nextPeriodNs = inStepNs - nowNs > 0 ? inStepNs : nowNs + config.periodNs();
        }
        return CreditControl.finish(segment, frame, digest);
    }

    public int state() {
        return state;
    }

    /** Times for which lanes have had a frame but no credits for it. */
    @Override
    public StopTimes stops() {
        return times;
    }
}
