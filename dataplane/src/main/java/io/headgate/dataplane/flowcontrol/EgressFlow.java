package io.headgate.dataplane.flowcontrol;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.frame.MacControl;
import io.headgate.dataplane.queue.DataQueues;
import io.headgate.dataplane.queue.Gate;
import io.headgate.dataplane.queue.PriorityRates;
import io.headgate.dataplane.queue.WireFormat;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Flow control at the transmitting half of a port: says which queues may send and which frame may
 * start, makes the port's link-control frames, and keeps the watchdog. Owned by the egress half; a
 * port with neither flow control nor rates of single priorities has none.
 */
public final class EgressFlow implements Gate {
    private final int lossless;
    private final PauseRegister pauseRegister;
    private final PresentTime time;
    private final @Nullable PauseSender sender;
    private final @Nullable PauseState state;
    private final @Nullable CreditTransmitter credits;
    private final @Nullable PfcWatchdog watchdog;
    private final PriorityRates rates;
    private final int limited;
    private final long[] transmitted = new long[DataQueues.PRIORITIES];
    private int dropping;

    /**
     * Flow control as configured.
     *
     * @param digest of the port's classification
     */
    public EgressFlow(
            PortConfig config,
            long maxCatchUpNs,
            WireFormat wire,
            long digest,
            PauseRegister pauseRegister,
            CreditRegister creditRegister,
            PresentTime time) {
        FlowControlConfig flowControl = config.flowControl();
        FlowControlConfig.Pause pause = flowControl.pause();
        FlowControlConfig.Credits credit = flowControl.credits();
        FlowControlConfig.Watchdog dog = flowControl.watchdog();
        this.lossless = config.traffic().losslessMask();
        this.pauseRegister = pauseRegister;
        this.time = time;
        this.sender =
                pause == null ? null : new PauseSender(flowControl.mode(), pause, config.rateBps());
        this.state = pause == null ? null : new PauseState(pauseRegister, time);
        this.credits =
                credit == null
                        ? null
                        : new CreditTransmitter(credit, lossless, digest, creditRegister, time);
        this.watchdog = dog == null ? null : new PfcWatchdog(dog, lossless);
        long[] limits =
                config.traffic().rateLimitsBps().stream().mapToLong(Long::longValue).toArray();
        this.rates = new PriorityRates(limits, maxCatchUpNs, wire);
        this.limited = rates.limited();
    }

    /** Whether a port needs this at all. */
    public static boolean isConfigured(PortConfig config) {
        return IngressFlow.isConfigured(config)
                || config.traffic().rateLimitsBps().stream()
                        .anyMatch(rate -> rate != TrafficConfig.UNLIMITED);
    }

    // ---- data

    /** Takes in what the ingress half has published; answers the queues that are not paused. */
    public int eligible(long nowNs) {
        if (credits != null) {
            credits.update();
        }
        if (state == null) {
            return DataQueues.ALL;
        }
        int ignored = watchdog == null ? 0 : watchdog.ignoring();
        return DataQueues.ALL & ~(state.paused(nowNs) & ~ignored);
    }

    @Override
    public int room(long nowNs, int queue, int headBytes) {
        boolean oneByOne = (limited >>> queue & 1) != 0;
        if (oneByOne && (rates.eligible(nowNs) >>> queue & 1) == 0) {
            return 0;
        }
        int room = credits == null ? Integer.MAX_VALUE : credits.room(nowNs, queue, headBytes);
        return oneByOne ? Math.min(room, cost(headBytes)) : room;
    }

    /** Blocks of credits, or each frame the same. */
    @Override
    public int cost(int frameBytes) {
        return credits == null ? 1 : credits.blocks(frameBytes);
    }

    @Override
    public void started(long nowNs, int queue, int frames, long bytes, int cost) {
        transmitted[queue] += frames;
        if ((limited >>> queue & 1) != 0) {
            rates.start(nowNs, queue, (int) bytes, nowNs);
        }
        if (credits != null) {
            credits.sent(queue, cost);
        }
    }

    /**
     * When a queue that has frames may be able to send without anything else. A rate that would let
     * it send now is not what it waits for.
     */
    public long dataDeadlineNs(long nowNs, int occupied) {
        long next = state == null ? Long.MAX_VALUE : state.deadlineNs();
        return limited == 0
                ? next
                : Math.min(next, rates.nextStartNs(occupied & ~rates.eligible(nowNs)));
    }

    // ---- link control

    /** Whether a link-control frame is due. */
    public boolean isControlDue(long nowNs) {
        if (sender != null) {
            return sender.due(nowNs, wanted()) != 0;
        }
        return credits != null && credits.isDue(nowNs);
    }

    private int wanted() {
        return pauseRegister.loadWantedAcquire() & ~dropping;
    }

    /** When one is due, unless something changes before. */
    public long controlDeadlineNs() {
        if (sender != null) {
            return sender.deadlineNs();
        }
        return credits == null ? Long.MAX_VALUE : credits.deadlineNs();
    }

    /**
     * Writes the link-control frame that is due and takes it as sent.
     *
     * @param frame where in the segment there is room for {@link CreditTransmitter#MAX_FRAME_BYTES}
     * @param source the port's MAC address
     * @return its length in bytes
     */
    public int writeControl(long nowNs, MemorySegment segment, long frame, long source) {
        // It leaves no earlier than now: the far end's pause then runs out no earlier than we
        // think.
        long presentNs = time.presentNs(nowNs);
        if (sender != null) {
            int wanted = wanted();
            sender.write(presentNs, wanted, sender.due(presentNs, wanted), segment, frame, source);
            return MacControl.FRAME_BYTES;
        }
        if (credits == null) {
            throw new IllegalStateException("no link control is due");
        }
        return credits.write(presentNs, segment, frame, source);
    }

    // ---- watchdog

    /** When the watchdog looks next; {@link Long#MAX_VALUE} if there is none. */
    public long watchdogDeadlineNs() {
        return watchdog == null ? Long.MAX_VALUE : watchdog.deadlineNs();
    }

    /**
     * Has the watchdog look, if it is time.
     *
     * @return the queues whose frames must be dropped, those that wait and those that come
     */
    public int watch(long nowNs, DataQueues queues) {
        if (watchdog == null || !watchdog.isDue(nowNs)) {
            return dropping;
        }
        if (state != null) {
            // While the half was held up it was not asked: what ran out then lasted no longer.
            state.runOut(nowNs);
        }
        watchdog.beginPoll(nowNs, time.presentNs(nowNs));
        StopTimes times = times();
        for (int rest = lossless; rest != 0 && times != null; rest &= rest - 1) {
            int priority = Integer.numberOfTrailingZeros(rest);
            watchdog.sample(
                    priority,
                    queues.frames(priority),
                    transmitted[priority],
                    times,
                    state == null ? times.stops(priority) : state.pausesReceived(priority));
        }
        publishDropping(watchdog.dropping());
        return dropping;
    }

    private void publishDropping(int priorities) {
        if (priorities != dropping) {
            dropping = priorities;
            pauseRegister.storeDroppingRelease(priorities);
        }
    }

    /** The queues whose frames must be dropped. */
    public int dropping() {
        return dropping;
    }

    /** The link went up or down: what was said before no longer counts. */
    public void linkChanged() {
        if (sender != null) {
            sender.reset();
        }
        if (credits != null) {
            credits.reset();
        }
        if (watchdog != null) {
            watchdog.reset();
            publishDropping(0);
        }
    }

    // ---- what a person may ask

    /** How long priorities could not send; null without flow control. */
    public @Nullable StopTimes times() {
        if (state != null) {
            return state.times();
        }
        return credits == null ? null : credits.times();
    }

    public @Nullable PauseSender sender() {
        return sender;
    }

    public @Nullable PauseState state() {
        return state;
    }

    public @Nullable CreditTransmitter credits() {
        return credits;
    }

    public @Nullable PfcWatchdog watchdog() {
        return watchdog;
    }

    /** Frames of a priority that have started. */
    public long transmitted(int priority) {
        return transmitted[priority];
    }

    @Override
    public String toString() {
        return "egress flow[transmitted " + Arrays.toString(transmitted) + "]";
    }
}
