package io.headgate.testbed.virtual.host;

import org.jspecify.annotations.Nullable;

/**
 * A flow of frames from one host to another: what its sender and its receiver know of it. The
 * sender's part is changed by the device of the host that sends, the receiver's by the other's; in
 * a run these are one thread, and neither reads the other's part to decide anything.
 */
public final class Flow extends Timed {
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

    private static final long[] NO_WORDS = {};

    private final FlowScheduler scheduler;

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
    long frameBytesSent;

    // The receiver's, every frame.
    long expectedFrame;
    long framesReceived;
    long frameBytesReceived;
    long firstArrivalPs;
    long lastArrivalPs;
    long delaySumPs;
    long delayMaxPs;
    long ackTimePs;

    // What it is. Not final: flows of a source are used again.
    long sizeBytes;
    long startPs;
    FlowGroup group;
    FrameShape shape;
    final int sourceHost;
    int destinationHost;
    int number;

    /** The priorities that the cards of its two hosts find in its frames and acknowledgements. */
    int priority;

    int ackPriority;
    int windowFrames;
    int fullFrameBytes;
    int lastFrameBytes;
    @Nullable Pacing pacing;
    @Nullable FlowSource origin;

    /** The headers of a full frame, as {@link FrameTemplate} made them. */
    long[] words = NO_WORDS;

    /** The headers of an acknowledgement; empty until the first. */
    long[] ackWords = NO_WORDS;

    // The rest of the sender's.
    State state = State.IDLE;
    boolean timing;
    @Nullable Flow nextReady;
    @Nullable Flow nextTimeout;
    @Nullable Flow previousTimeout;
    long timeouts;
    long rewinds;
    long acknowledgedCe;
    long acknowledgedUe;
    long roundTripSumPs;
    long roundTripMaxPs;
    long roundTrips;
    long acknowledgedPs;

    // When it was complete and, from a while later, is nobody's to ask for; of those of sources.
    long completedPs;
    @Nullable Flow nextCompleted;

    // The rest of the receiver's.
    boolean complained;
    boolean ackPending;
    int ackFlags;
    @Nullable Flow nextAck;
    long framesMissing;
    long framesReordered;
    long framesDuplicate;
    long framesDiscarded;
    long framesCe;
    long framesUe;
    long finishedPs;

    Flow(FlowScheduler scheduler, int sourceHost, FlowGroup group, FrameShape shape) {
        this.scheduler = scheduler;
        this.sourceHost = sourceHost;
        this.group = group;
        this.shape = shape;
    }

    /** Sets everything to how it is before the first frame. */
    void reset() {
        state = State.IDLE;
        nextFrame = 0;
        highestFrame = 0;
        acknowledgedFrames = 0;
        timeoutPs = 0;
        framesSent = 0;
        frameBytesSent = 0;
        timeouts = 0;
        rewinds = 0;
        acknowledgedCe = 0;
        acknowledgedUe = 0;
        roundTripSumPs = 0;
        roundTripMaxPs = 0;
        roundTrips = 0;
        acknowledgedPs = NOT_YET;
        completedPs = Long.MAX_VALUE;
        expectedFrame = 0;
        framesReceived = 0;
        frameBytesReceived = 0;
        framesMissing = 0;
        framesReordered = 0;
        framesDuplicate = 0;
        framesDiscarded = 0;
        framesCe = 0;
        framesUe = 0;
        firstArrivalPs = NOT_YET;
        lastArrivalPs = NOT_YET;
        finishedPs = NOT_YET;
        delaySumPs = 0;
        delayMaxPs = 0;
        complained = false;
        ackPending = false;
        ackFlags = 0;
        ackTimePs = 0;
        ackWords = NO_WORDS;
    }

    @Override
    void onDue() {
        scheduler.ready(this);
    }

    FlowScheduler scheduler() {
        return scheduler;
    }

    boolean isWindowed() {
        return windowFrames != FlowSpec.DATAGRAMS;
    }

    /** Whether its window lets another frame go and there is one. */
    boolean maySend() {
        return nextFrame < totalFrames
                && (windowFrames == FlowSpec.DATAGRAMS
                        || nextFrame - acknowledgedFrames < windowFrames);
    }

    /** Whether the next frame would be a new one that is not to be made any more. */
    boolean isPastStop(long nowPs) {
        return (pacing == null ? nowPs : duePs) >= stopPs && nextFrame == highestFrame;
    }

    /** Length of the frame to be sent next, without FCS. */
    int nextFrameBytes() {
        if (pacing != null) {
            int bytes = pacing.frameBytes(fullFrameBytes);
            if (bytes != fullFrameBytes) {
                return Math.max(bytes, shape.minFrameBytes());
            }
        }
        return nextFrame + 1 == totalFrames ? lastFrameBytes : fullFrameBytes;
    }

    /** The full number of a frame of which the low 32 bits are given: the nearest. */
    static long widen(int sequence, long near) {
        return near + (sequence - (int) near);
    }

    public FlowGroup group() {
        return group;
    }

    public FrameShape shape() {
        return shape;
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

    /** As its segmentation counts; {@link FlowSpec#UNLIMITED}. */
    public long sizeBytes() {
        return sizeBytes;
    }

    /** When it began, in ps. */
    public long startPs() {
        return startPs;
    }

    /** Frames that it has in all; {@link Long#MAX_VALUE} if it has no end. */
    public long totalFrames() {
        return totalFrames;
    }

    /** Length of all its frames but the last, without FCS. */
    public int fullFrameBytes() {
        return fullFrameBytes;
    }

    /** Length of its last frame, without FCS. */
    public int lastFrameBytes() {
        return lastFrameBytes;
    }

    /** When its receiver had all of it, in ps; {@link #NOT_YET}. */
    public long finishedPs() {
        return finishedPs;
    }

    /** When its sender knew that all of it had arrived, in ps; {@link #NOT_YET}. */
    public long acknowledgedPs() {
        return acknowledgedPs;
    }

    /** What is known of it now. */
    public FlowStatistics statistics() {
        return FlowStatistics.of(this);
    }
}
