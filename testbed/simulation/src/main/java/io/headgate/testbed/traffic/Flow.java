package io.headgate.testbed.traffic;

import io.headgate.dataplane.counter.NoticeCounter;
import io.headgate.dataplane.memory.HopRecords;
import io.headgate.hostagent.rate.NoticeLimit;
import io.headgate.hostagent.rate.NotificationPoint;
import io.headgate.hostagent.rate.RateControl;
import io.headgate.hostagent.rate.Sample;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.frame.FrameTemplate;
import io.headgate.testbed.traffic.spec.FlowSpec;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A flow of frames from one host to another, with the sender's state and the receiver's state. Only
 * the sending host's device changes the sender's part, and only the receiving host's device the
 * receiver's part; in a run of several threads both may do so at once. Neither part's decisions
 * depend on what the other does meanwhile.
 */
public final class Flow extends Timed {
    /** A listener that begins something when this flow, and perhaps others, are complete. */
    interface Follower {
        /** Called when a host has all of the flow, or knows that its receiver has. */
        void complete(int host, long nowPs);
    }

    /**
     * A message on a kept connection, which carries one after the other. All flow counters count
     * each message as a flow of its size.
     *
     * @param endFrames of the connection, up to its last one
     * @param idealPs the time it takes alone in an idle network; 0 if unknown
     */
    record Message(long endFrames, long sizeBytes, long startPs, long idealPs) {}

    /** {@link #finishedPs} and {@link #acknowledgedPs} of what has not happened. */
    public static final long NOT_YET = -1;

    enum State {
        /** Waits for an acknowledgement, or has no more to send. */
        IDLE,
        /** In the scheduler's list, to be sent now. */
        READY,
        /** In the timer heap. */
        TIMED
    }

    /** The source of flows that begin one after another. */
    interface Origin {
        /** Whether the next flow begins after the last frame of the one before has left. */
        boolean isClosedLoop();

        /** The last frame of its flow has left the network card. */
        void onDeparture(long nowPs);
    }

    /**
     * The listener that a flow calls when its next frame is due, or its control at another time.
     */
    interface Turns {
        void ready(Flow flow);

        /** The number of the card's next visit, or of the one that has not ended. */
        int visit();

        /** The flow's window may be larger. */
        void resume(Flow flow, long untilPs);

        /** The flow's control must be called at a time; {@link TimerHeap#NEVER}: not at all. */
        void controlled(Timed timer, long duePs);
    }

    /** How its receiver acknowledges without frames. */
    interface Acknowledging {
        /**
         * @param sequence the frame that is expected next
         * @param flags as of {@link #ackFlags}
         * @param timePs when the frame was due that this answers
         */
        void acknowledge(long sequence, int flags, long timePs);
    }

    private static final long[] NO_WORDS = {};
    private static final long PS_PER_NS = 1000;
    private static final VarHandle ALLOWED_BPS;
    private static final VarHandle TOTAL_FRAMES;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            ALLOWED_BPS = lookup.findVarHandle(Flow.class, "allowedBps", long.class);
            TOTAL_FRAMES = lookup.findVarHandle(Flow.class, "totalFrames", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Turns turns;

    // Fields that every frame needs lie together, eight longs a cache line: with thousands of flows
    // each line that is not in cache costs as much as all that is done with it.

    // The sender's, every frame.
    long totalFrames;
    long stopPs;
    long nextFrame;
    long highestFrame;
    long acknowledgedFrames;
    long timeoutPs;
    long framesSent;
    long roundTripSumPs;

    // The receiver's, every frame.
    long expectedFrame;
    long framesReceived;
    long frameBytesReceived;
    long firstArrivalPs = NOT_YET;
    long lastArrivalPs = NOT_YET;
    long delaySumPs;
    long delayMaxPs;
    long ackTimePs;

    // What it is.
    long sizeBytes;
    long startPs;
    final FlowGroup group;
    final FrameShape shape;
    final int sourceHost;
    int destinationHost;
    final int number;

    /** The priorities that the cards of its two hosts find in its frames and acknowledgements. */
    int priority;

    int ackPriority;
    int windowFrames;
    int fullFrameBytes;
    int lastFrameBytes;
    @Nullable Pacing pacing;
    @Nullable Origin origin;

    /** The headers of a full frame, as {@link FrameTemplate} made them. */
    long[] words = NO_WORDS;

    /** The headers of an acknowledgement; empty until the first. */
    long[] ackWords = NO_WORDS;

    // For a flow with a rate control: the control, its input, the largest window, and the bytes of
    // a frame on the wire.
    @Nullable RateControl control;
    private @Nullable Sample sample;

    // What the acknowledgement that arrives knows of its way.
    @Nullable HopRecords way;
    int mostWindowFrames;
    int wireFrameBytes;

    // The rate that the control allows; any thread may read it.
    @SuppressWarnings("unused") // through ALLOWED_BPS
    private long allowedBps;

    // Made when it is first needed: the control's own times, and what it may have of notices.
    private @Nullable Timed timer;
    private @Nullable NoticeLimit notices;
    private long noticePeriodNs;

    private @Nullable List<Follower> followers;

    // For a connection that is kept from one flow to the next: it has no end.
    // Those under way are changed by the sending host and by the receiving one, so only in a run
    // whose nodes are all at the same time.
    @Nullable Deque<Message> kept;

    // For a flow that is a reliable connection.
    @Nullable MessageEnds ends;
    private @Nullable Timed answerTimer;

    // The rest of the sender's; at which visit of the card its next frame was due.
    State state = State.IDLE;
    int dueVisit = -1;
    boolean timing;
    private boolean isCut;
    private boolean isJustCut;
    @Nullable Flow nextReady;
    @Nullable Flow nextTimeout;
    @Nullable Flow previousTimeout;
    long timeouts;
    long rewinds;
    long acknowledgedCe;
    long acknowledgedUe;
    long roundTripMaxPs;
    long roundTrips;
    long acknowledgedPs = NOT_YET;

    // When the flow was complete; a while later it can no longer be looked up. The list links
    // completed flows of sources.
    long completedPs = Long.MAX_VALUE;
    @Nullable Flow nextCompleted;

    // The rest of the receiver's.
    NotificationPoint echo = NotificationPoint.ECHO;
    boolean readsFecn;
    boolean complained;
    boolean ackPending;
    int ackFlags;
    @Nullable Acknowledging outOfBand;
    @Nullable Flow nextAck;

    // For a receiver that reports marks by packets: those not yet reported, 0: none.
    int cnpPriority;
    int cnpMarks;
    @Nullable Flow nextCnp;
    @Nullable Timed cnpTimer;
    long framesMissing;
    long framesReordered;
    long framesDuplicate;
    long framesDiscarded;
    long framesCe;
    long framesUe;
    long finishedPs = NOT_YET;

    Flow(Turns turns, int sourceHost, int number, FlowGroup group, FrameShape shape) {
        super(number);
        this.number = number;
        this.turns = turns;
        this.sourceHost = sourceHost;
        this.group = group;
        this.shape = shape;
    }

    void precede(Follower follower) {
        List<Follower> all = followers;
        if (all == null) {
            all = new ArrayList<>();
            followers = all;
        }
        all.add(follower);
    }

    void completeAt(int host, long nowPs) {
        List<Follower> all = followers;
        if (all != null) {
            all.forEach(follower -> follower.complete(host, nowPs));
        }
    }

    @Override
    void onDue() {
        dueVisit = turns.visit();
        turns.ready(this);
    }

    boolean isWindowed() {
        return windowFrames != FlowSpec.DATAGRAMS;
    }

    /** Whether all facts about its end are known, so that it is in the log. */
    boolean isComplete() {
        return (isWindowed() ? acknowledgedPs : finishedPs) != NOT_YET;
    }

    /** Whether it was stopped before all of its size was sent: what arrived of it is not all. */
    boolean isCutShort() {
        return isCut && sizeBytes != FlowSpec.UNLIMITED;
    }

    /** Ends the flow at what was sent; the receiver does not know it before {@link #showCut}. */
    void cutShort() {
        isCut = true;
        isJustCut = true;
        lastFrameBytes = fullFrameBytes;
        TOTAL_FRAMES.setRelease(this, highestFrame);
    }

    boolean isJustCut() {
        return isJustCut;
    }

    /**
     * Makes the cut known to the receiver. Called while the receiver is not run, or when it has all
     * frames.
     */
    void showCut() {
        isJustCut = false;
    }

    /** Whether the receiver has all frames of the flow, as far as it may know in this turn. */
    boolean hasArrived() {
        return framesReceived == (long) TOTAL_FRAMES.getAcquire(this) && !isJustCut;
    }

    /** Whether it has another frame and its window allows to send it. */
    boolean maySend() {
        return nextFrame < totalFrames
                && (ends == null || !ends.requester.hasFailed())
                && (windowFrames == FlowSpec.DATAGRAMS
                        || nextFrame - acknowledgedFrames < windowFrames);
    }

    /** Whether the next frame would be a new one and the flow has stopped making new ones. */
    boolean isPastStop(long nowPs) {
        MessageEnds messages = ends;
        return (pacing == null ? nowPs : duePs) >= stopPs
                && nextFrame == highestFrame
                && (messages == null || messages.isBetweenMessages());
    }

    /** Copies the frame numbers of a reliable connection's sending end, and sets its timer. */
    void follow(MessageEnds messages) {
        nextFrame = messages.requester.next();
        highestFrame = messages.requester.highest();
        acknowledgedFrames = messages.requester.acknowledged();
        setAnswerTimer(messages);
    }

    private void setAnswerTimer(MessageEnds messages) {
        long dueNs = messages.requester.deadlineNs();
        Timed own = answerTimer;
        if (own == null) {
            own =
                    new Timed(Integer.MIN_VALUE / 4 + number) {
                        @Override
                        void onDue() {
                            retry(this.duePs);
                        }
                    };
            answerTimer = own;
        }
        turns.controlled(own, dueNs == Long.MAX_VALUE ? TimerHeap.NEVER : dueNs * PS_PER_NS);
    }

    /** Nothing was acknowledged for too long: goes back. */
    private void retry(long nowPs) {
        MessageEnds messages = ends;
        if (messages != null && messages.requester.tick(nowPs / PS_PER_NS)) {
            timeouts++;
            follow(messages);
            tellLost(nowPs);
            turns.resume(this, nowPs);
        }
    }

    /** Attaches a rate control from the flow's beginning. */
    void control(Pacing.Controlled by, long lineRateBps, int frameWireBytes) {
        RateControl begun = by.control;
        control = begun;
        echo = by.echo;
        readsFecn = by.readsFecn;
        noticePeriodNs = by.noticePeriodNs;
        mostWindowFrames = windowFrames;
        wireFrameBytes = frameWireBytes;
        sample = new Sample(by.hopEcho);
        begun.begin(startPs / PS_PER_NS, lineRateBps, frameWireBytes);
        follow(begun, startPs);
    }

    /** The control's time may be another, while there is a flow to be controlled. */
    private void setTimer(RateControl by) {
        // Readers that see an older rate see this one a moment later.
        ALLOWED_BPS.setOpaque(this, isOver() ? 0L : by.rateBps());
        long dueNs = isOver() ? Long.MAX_VALUE : by.deadlineNs();
        Timed own = timer;
        if (own == null && dueNs != Long.MAX_VALUE) {
            // Before all frames that are due at the same time.
            own =
                    new Timed(Integer.MIN_VALUE / 2 + number) {
                        @Override
                        void onDue() {
                            tick(this.duePs);
                        }
                    };
            timer = own;
        }
        if (own != null) {
            turns.controlled(own, dueNs == Long.MAX_VALUE ? TimerHeap.NEVER : dueNs * PS_PER_NS);
        }
    }

    /**
     * The rate that its rate control allows now, in bits per second on the wire; 0 before it
     * begins, after its end, and without a rate control. Any thread may call this.
     */
    public long allowedBps() {
        return (long) ALLOWED_BPS.getOpaque(this);
    }

    /** Whether its sender has nothing more to do with it. */
    private boolean isOver() {
        return kept == null && (isWindowed() ? acknowledgedFrames : nextFrame) >= totalFrames;
    }

    /** It is time for what the control does by itself. */
    private void tick(long nowPs) {
        RateControl by = control;
        if (by != null && !isOver()) {
            by.tick(nowPs / PS_PER_NS);
            if (by.deadlineNs() * PS_PER_NS <= nowPs && by.deadlineNs() != Long.MAX_VALUE) {
                throw new IllegalStateException(
                        "the rate control of flow %d of %s is due at %d ns, after its call at %d ns"
                                .formatted(
                                        number, group.name(), by.deadlineNs(), nowPs / PS_PER_NS));
            }
            follow(by, nowPs);
            turns.resume(this, nowPs);
        }
    }

    /** Passes a congestion point's notice to the flow; returns the counter to increment. */
    NoticeCounter tellNotice(long nowPs, int kind, long origin, long value) {
        RateControl by = control;
        if (by == null || noticePeriodNs == 0 || isOver()) {
            return NoticeCounter.UNKNOWN_FLOW;
        }
        NoticeLimit limit = notices;
        if (limit == null) {
            limit = new NoticeLimit(noticePeriodNs);
            notices = limit;
        }
        NoticeCounter became = limit.give(by, nowPs / PS_PER_NS, kind, origin, value);
        follow(by, nowPs);
        return became;
    }

    /**
     * Whether notices slow it forever: it has more to send, is slower than its host's line, and has
     * no time at which that changes.
     */
    public boolean isHeldForGood(long lineRateBps) {
        RateControl by = control;
        return by != null
                && noticePeriodNs != 0
                && !isOver()
                && by.rateBps() < lineRateBps
                && by.deadlineNs() == Long.MAX_VALUE;
    }

    /** Tells the flow's control that a frame was sent at a time. */
    void sent(long nowPs) {
        RateControl by = control;
        if (by != null) {
            follow(by, nowPs);
        }
    }

    /** The control was called: its window may be another, and its time. */
    private void follow(RateControl by, long nowPs) {
        takeWindow(by, nowPs);
        setTimer(by);
    }

    /** The window is what the control says now, a frame at the least. */
    private void takeWindow(RateControl by, long nowPs) {
        if (isWindowed()) {
            long frames = by.windowBytes() / wireFrameBytes;
            windowFrames = Math.clamp(frames, 1, mostWindowFrames);
            MessageEnds messages = ends;
            if (messages != null) {
                messages.requester.window(nowPs / PS_PER_NS, windowFrames);
                setAnswerTimer(messages);
            }
        }
    }

    /**
     * Counts an acknowledgement.
     *
     * @param flags {@link RateControl#MARKED_CE}, {@link RateControl#MARKED_UE}
     * @param roundTripPs measured round-trip time; below 0: none
     */
    void countAnswer(int flags, long roundTripPs) {
        acknowledgedCe += (flags & RateControl.MARKED_CE) != 0 ? 1 : 0;
        acknowledgedUe += (flags & RateControl.MARKED_UE) != 0 ? 1 : 0;
        if (roundTripPs >= 0) {
            roundTrips++;
            roundTripSumPs += roundTripPs;
            roundTripMaxPs = Math.max(roundTripMaxPs, roundTripPs);
        }
    }

    /** Reads the report about packets' paths in an acknowledgement, for the control. */
    void readEcho(MemorySegment segment, long at, int bytes) {
        Sample shown = sample;
        if (shown != null) {
            shown.readEcho(segment, at, bytes);
        }
    }

    /**
     * Tells the control, if there is one, how far the receiver has come, and what marks it has
     * found.
     */
    void tellAcknowledged(long nowPs, int flags, long roundTripNs) {
        RateControl by = control;
        Sample shown = sample;
        if (by == null || shown == null) {
            return;
        }
        by.acknowledged(
                nowPs / PS_PER_NS,
                shown.set(
                                acknowledgedFrames * wireFrameBytes,
                                highestFrame * wireFrameBytes,
                                flags & (RateControl.MARKED_CE | RateControl.MARKED_UE),
                                roundTripNs)
                        .way(way));
        follow(by, nowPs);
        if (state == State.IDLE && pacing instanceof Pacing.Controlled paced) {
            duePs = paced.nextDuePs(duePs);
        }
    }

    /** Tells the control, if there is one, that a frame is missing. */
    void tellLost(long nowPs) {
        RateControl by = control;
        if (by != null) {
            by.lost(nowPs / PS_PER_NS);
            follow(by, nowPs);
        }
    }

    /** Goes back to a frame: it is sent next, and the timer starts with it. */
    void rewind(long sequence) {
        nextFrame = sequence;
    }

    /** Length of the next frame, without FCS. */
    int nextFrameBytes() {
        if (pacing != null) {
            int bytes = pacing.frameBytes(fullFrameBytes);
            if (bytes != fullFrameBytes) {
                return Math.max(bytes, shape.minFrameBytes());
            }
        }
        return nextFrame + 1 == totalFrames ? lastFrameBytes : fullFrameBytes;
    }

    /** The full number of a frame from its low 32 bits: the nearest to {@code near}. */
    static long widen(int sequence, long near) {
        return near + (sequence - (int) near);
    }

    public FlowGroup group() {
        return group;
    }

    public int sourceHost() {
        return sourceHost;
    }

    public int destinationHost() {
        return destinationHost;
    }

    /** Its number at the host that sends, from 0 in the order in which flows began there. */
    public int number() {
        return number;
    }

    /** Total number of its frames; {@link Long#MAX_VALUE} if it has no end. */
    public long totalFrames() {
        return totalFrames;
    }

    /** Length of all its frames but the last, without FCS. */
    public int fullFrameBytes() {
        return fullFrameBytes;
    }

    /** Whether it began before a time, in ps. */
    public boolean hasBegun(long beforePs) {
        return startPs < beforePs;
    }

    /** Time at which its receiver had all of it, in ps, or {@link #NOT_YET}. */
    public long finishedPs() {
        return finishedPs;
    }

    /** Time at which its sender knew that all of it had arrived, in ps, or {@link #NOT_YET}. */
    public long acknowledgedPs() {
        return acknowledgedPs;
    }

    /** A snapshot of its statistics. */
    public FlowStatistics statistics() {
        return new FlowStatistics(
                group.name(),
                framesSent,
                framesReceived,
                frameBytesReceived,
                framesMissing,
                framesReordered,
                framesDuplicate,
                framesDiscarded,
                framesCe,
                framesUe,
                acknowledgedCe,
                acknowledgedUe,
                timeouts,
                rewinds,
                firstArrivalPs,
                lastArrivalPs,
                acknowledgedPs,
                meanNs(delaySumPs, framesReceived),
                delayMaxPs,
                meanNs(roundTripSumPs, roundTrips),
                roundTripMaxPs);
    }

    private static double meanNs(long sumPs, long count) {
        return sumPs / 1000.0 / count;
    }
}
