package io.headgate.dataplane.flowcontrol;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.credit.CreditTransmitter;
import io.headgate.dataplane.detour.FrameDetour;
import io.headgate.dataplane.linkcontrol.LinkProtocol;
import io.headgate.dataplane.linkcontrol.LinkSender;
import io.headgate.dataplane.linkcontrol.PresentTime;
import io.headgate.dataplane.linkcontrol.StopTimes;
import io.headgate.dataplane.memory.Prefetch;
import io.headgate.dataplane.pause.PauseSender;
import io.headgate.dataplane.pause.PauseState;
import io.headgate.dataplane.pause.PauseTransmitter;
import io.headgate.dataplane.policy.QueueFields;
import io.headgate.dataplane.policy.StopView;
import io.headgate.dataplane.queue.Gate;
import io.headgate.dataplane.queue.PriorityQueues;
import io.headgate.dataplane.queue.PriorityRates;
import io.headgate.dataplane.queue.WireFormat;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Flow control of an egress half. Combines the decisions of the port's link protocols (which queues
 * may send, which frame may start) with the rates of single priorities and the watchdog. Owned by
 * the egress half; a port with neither protocols nor rates has none.
 */
public final class EgressFlowControl implements Gate, StopView, Prefetch {
    private final int lossless;
    private final PortFlowControl shared;
    private final PresentTime time;

    // All, in the order in which their frames leave; and the one of them that counts blocks.
    private final LinkSender[] senders;
    private final @Nullable LinkSender counting;

    // Those of them that rate queues; null if none does.
    private final LinkSender @Nullable [] rating;

    // How long those of them that stop queues have done so; and, of several, each or all of them.
    private final StopTimes[] stops;
    private final StopTimes times;
    private @Nullable PfcWatchdog watchdog;
    private final PriorityRates rates;
    private int limited;
    private final long[] transmitted = new long[PRIORITIES];
    private int dropping;

    // The queues that all protocols let send, when they were last looked at.
    private int eligible = PriorityQueues.ALL;

    /** Flow control as configured, with the state that it shares with the ingress half. */
    public EgressFlowControl(
            PortConfig config,
            long maxCatchUpNs,
            WireFormat wire,
            PortFlowControl shared,
            PresentTime time) {
        this.lossless = config.traffic().losslessMask();
        this.shared = shared;
        this.time = time;
        List<LinkSender> ends = shared.protocols().stream().map(LinkProtocol::sender).toList();
        this.senders = ends.toArray(LinkSender[]::new);
        List<LinkSender> counted = ends.stream().filter(LinkSender::countsBlocks).toList();
        if (counted.size() > 1) {
            throw new IllegalArgumentException(
                    "several of a port's link protocols count blocks: " + counted);
        }
        this.counting = counted.isEmpty() ? null : counted.getFirst();
        LinkSender[] raters =
                ends.stream().filter(LinkSender::ratesQueues).toArray(LinkSender[]::new);
        this.rating = raters.length == 0 ? null : raters;
        this.stops =
                ends.stream()
                        .map(LinkSender::stops)
                        .filter(one -> one != LinkSender.NEVER_STOPPED)
                        .toArray(StopTimes[]::new);
        this.times =
                switch (stops.length) {
                    case 0 -> LinkSender.NEVER_STOPPED;
                    case 1 -> stops[0];
                    default -> new StopTimes();
                };
        this.watchdog = watchdog(config);
        this.rates = new PriorityRates(limits(config), maxCatchUpNs, wire);
        this.limited = rates.limited();
    }

    private static long[] limits(PortConfig config) {
        return config.traffic().rateLimitsBps().stream().mapToLong(Long::longValue).toArray();
    }

    /** A new watchdog for a configuration; null if the configuration has none. */
    public static @Nullable PfcWatchdog watchdog(PortConfig config) {
        FlowControlConfig.Watchdog dog = config.flowControl().watchdog();
        return dog == null ? null : new PfcWatchdog(dog, config.traffic().losslessMask());
    }

    /**
     * Follows another configuration, which must have the same mode and the same priorities.
     *
     * @param another watchdog of that configuration, if there was none before
     */
    public void change(PortConfig config, @Nullable PfcWatchdog another) {
        for (LinkSender sender : senders) {
            sender.change(config);
        }
        rates.limit(limits(config));
        limited = rates.limited();
        FlowControlConfig.Watchdog dog = config.flowControl().watchdog();
        if (watchdog != null) {
            if (dog == null) {
                watchdog.stop();
            } else {
                watchdog.change(dog);
            }
            publishDropping(watchdog.dropping());
        } else {
            watchdog = another;
        }
    }

    /** Whether a port needs this at all. */
    public static boolean isConfigured(PortConfig config) {
        return PortFlowControl.isConfigured(config)
                || config.traffic().rateLimitsBps().stream()
                        .anyMatch(rate -> rate != TrafficConfig.UNLIMITED);
    }

    @Override
    public long prefetch(int distance) {
        if (distance == 1) {
            return (long) eligible + senders.length;
        }
        // What protocols keep lies deeper still, and is not reached by a distance of its own.
        long read = 0;
        for (LinkSender sender : senders) {
            read += sender.eligible() + sender.stops().stopped() + sender.deadlineNs();
        }
        return read;
    }

    // ---- data

    /**
     * Reads the state that the ingress half has published, and ends pauses that have run out.
     *
     * @return the queues whose stop is over; {@link #endedNs} has the time at which it ended
     */
    public int look(long nowNs, QueueFields queues) {
        int released = 0;
        int sending = PriorityQueues.ALL;
        // A stop that began after the last look may be over by this one.
        combine();
        for (LinkSender sender : senders) {
            sender.look(nowNs, queues);
            released |= sender.stops().takeReleased();
            sending &= sender.eligible();
        }
        combine();
        eligible = sending;
        if (rating != null) {
            followRates(nowNs, rating);
        }
        // Of several protocols, the last one that stops a queue releases it.
        return released == 0 ? 0 : released & ~stopped();
    }

    /**
     * Whether {@link #look} may find news although no deadline has passed; true if arriving frames
     * may change any state here.
     */
    public boolean hasNews() {
        if ((limited | dropping) != 0 || rating != null) {
            return true;
        }
        for (LinkSender sender : senders) {
            if (sender.hasNews()) {
                return true;
            }
        }
        return false;
    }

    /** Applies the protocols' rates; if several rate a queue, the lowest rate holds. */
    private void followRates(long nowNs, LinkSender[] by) {
        for (int queue = 0; queue < PRIORITIES; queue++) {
            long rateBps = PriorityRates.UNRATED;
            for (LinkSender sender : by) {
                rateBps = Math.min(rateBps, sender.rateBps(queue));
            }
            rates.rate(nowNs, queue, rateBps);
        }
        limited = rates.limited();
    }

    /** Notes that queues were emptied by other means than sending; {@link #look} must notice it. */
    public void emptied(long nowNs, int queues) {
        for (LinkSender sender : senders) {
            sender.emptied(nowNs, queues);
        }
    }

    /** The queues that were not paused at the last {@link #look}, or whose pauses are ignored. */
    public int eligible() {
        return watchdog == null ? eligible : eligible | watchdog.ignoring();
    }

    @Override
    public int stopped() {
        int stopped = 0;
        for (StopTimes one : stops) {
            stopped |= one.stopped();
        }
        return stopped;
    }

    @Override
    public long endedNs(int queue) {
        long ended = StopView.LONG_AGO_NS;
        for (StopTimes one : stops) {
            ended = Math.max(ended, one.endedNs(queue));
        }
        return ended;
    }

    @Override
    public long creditBytes(int queue) {
        return counting == null ? Long.MAX_VALUE : counting.creditBytes(queue);
    }

    @Override
    public int room(long nowNs, int queue, int headBytes) {
        boolean oneByOne = (limited >>> queue & 1) != 0;
        if (oneByOne && (rates.eligible(nowNs) >>> queue & 1) == 0) {
            return 0;
        }
        int room = counting == null ? Integer.MAX_VALUE : counting.room(nowNs, queue, headBytes);
        return oneByOne ? Math.min(room, cost(headBytes)) : room;
    }

    /** The block length of credits, or that of a gate that counts frames. */
    @Override
    public int blockShift() {
        return counting == null ? WHOLE_FRAMES : counting.blockShift();
    }

    @Override
    public void started(long nowNs, int queue, int frames, long bytes, int cost) {
        transmitted[queue] += frames;
        if ((limited >>> queue & 1) != 0) {
            rates.start(nowNs, queue, (int) bytes, nowNs);
        }
        if (counting != null) {
            counting.started(nowNs, queue, frames, bytes, cost);
        }
    }

    /**
     * The time at which a queue with frames may be able to send without other events. A rate that
     * allows sending now is not what the queue waits for.
     */
    public long dataDeadlineNs(long nowNs, int occupied) {
        long next = stopsEndNs();
        return limited == 0
                ? next
                : Math.min(next, rates.nextStartNs(occupied & ~rates.eligible(nowNs)));
    }

    /** The time at which a stop ends by itself; {@link #look} must then be called. */
    public long stopsEndNs() {
        long next = Long.MAX_VALUE;
        for (LinkSender sender : senders) {
            next = Math.min(next, sender.dataDeadlineNs());
        }
        return next;
    }

    // ---- link control

    /**
     * The protocol whose link-control frame is due, for {@link #writeControl} in the same call;
     * null: none.
     */
    public @Nullable LinkSender controlDue(long nowNs) {
        for (LinkSender sender : senders) {
            if (sender.isDue(nowNs)) {
                return sender;
            }
        }
        return null;
    }

    /**
     * The time at which the next protocol's frame is due, without those due now, unless the state
     * changes before: a frame that is due may wait for long.
     */
    public long controlDeadlineNs(long nowNs) {
        long next = Long.MAX_VALUE;
        for (LinkSender sender : senders) {
            long deadlineNs = sender.deadlineNs();
            if (deadlineNs - nowNs > 0 || !sender.isDue(nowNs)) {
                next = Math.min(next, deadlineNs);
            }
        }
        return next;
    }

    /** As {@link LinkSender#write}, for the result of {@link #controlDue}. */
    public int writeControl(
            long nowNs, LinkSender due, MemorySegment segment, long frame, long source) {
        // It leaves no earlier than now.
        return due.write(time.presentNs(nowNs), segment, frame, source);
    }

    // ---- watchdog

    /** The time of the watchdog's next look; {@link Long#MAX_VALUE} without a watchdog. */
    public long watchdogDeadlineNs() {
        return watchdog == null ? Long.MAX_VALUE : watchdog.deadlineNs();
    }

    /**
     * Runs the watchdog's poll if it is due. {@link #look} must come before, so that pauses that
     * have run out are over.
     *
     * @return the queues whose frames must be dropped, waiting or arriving
     */
    public int watch(long nowNs, QueueFields queues) {
        if (watchdog == null || !watchdog.isDue(nowNs)) {
            return dropping;
        }
        watchdog.beginPoll(nowNs, time.presentNs(nowNs));
        for (int rest = lossless; rest != 0 && senders.length > 0; rest &= rest - 1) {
            int priority = Integer.numberOfTrailingZeros(rest);
            watchdog.sample(
                    priority,
                    queues.frames(priority),
                    transmitted[priority],
                    times,
                    stopsAsked(priority));
        }
        publishDropping(watchdog.dropping());
        return dropping;
    }

    private long stopsAsked(int queue) {
        long asked = 0;
        for (LinkSender sender : senders) {
            asked += sender.stopsAsked(queue);
        }
        return asked;
    }

    private void publishDropping(int priorities) {
        if (priorities != dropping) {
            dropping = priorities;
            for (LinkSender sender : senders) {
                sender.dropping(priorities);
            }
            shared.storeDroppingRelease(priorities);
        }
    }

    public int dropping() {
        return dropping;
    }

    /** Notes that the link went up or down: earlier pauses and credits no longer count. */
    public void linkChanged() {
        for (LinkSender sender : senders) {
            sender.linkChanged();
        }
        if (watchdog != null) {
            watchdog.reset();
            publishDropping(0);
        }
    }

    // ---- what a person may ask

    public void publishCounters(CounterBlock block) {
        shared.mechanisms().publish(false, senders, block);
    }

    /**
     * Times for which flow control stopped each priority, over all protocols; null without
     * protocols.
     */
    public @Nullable StopTimes times() {
        combine();
        return senders.length == 0 ? null : times;
    }

    /**
     * With several protocols, a priority is stopped from the time the first stops it until the last
     * releases it.
     */
    private void combine() {
        if (stops.length < 2) {
            return;
        }
        int stopped = stopped();
        for (int rest = stopped ^ times.stopped(); rest != 0; rest &= rest - 1) {
            int priority = Integer.numberOfTrailingZeros(rest);
            if ((stopped >>> priority & 1) == 0) {
                times.end(priority, endedNs(priority));
                continue;
            }
            long since = Long.MAX_VALUE;
            for (StopTimes one : stops) {
                if ((one.stopped() >>> priority & 1) != 0) {
                    since = Math.min(since, one.sinceNs(priority));
                }
            }
            times.begin(priority, since);
        }
    }

    private @Nullable PauseTransmitter pauses() {
        return senders.length > 0 && senders[0] instanceof PauseTransmitter pauses ? pauses : null;
    }

    /** The sender of pauses; null unless the port has PFC or PAUSE. */
    public @Nullable PauseSender sender() {
        PauseTransmitter pauses = pauses();
        return pauses == null ? null : pauses.sender();
    }

    /** The pauses that the port obeys; null unless the port has PFC or PAUSE. */
    public @Nullable PauseState state() {
        PauseTransmitter pauses = pauses();
        return pauses == null ? null : pauses.state();
    }

    /** The port's detour past the queues, on or off; null unless it has one. */
    public @Nullable FrameDetour detour() {
        for (LinkSender sender : senders) {
            if (sender instanceof FrameDetour detour) {
                return detour;
            }
        }
        return null;
    }

    /** Notes that a frame of a queue starts by the detour, past the gate. */
    public void passedBy(int queue) {
        transmitted[queue]++;
    }

    /** The credits that the port obeys and grants; null unless the port has credits. */
    public @Nullable CreditTransmitter credits() {
        return counting instanceof CreditTransmitter credits ? credits : null;
    }

    public @Nullable PfcWatchdog watchdog() {
        return watchdog;
    }

    public long transmitted(int priority) {
        return transmitted[priority];
    }
}
