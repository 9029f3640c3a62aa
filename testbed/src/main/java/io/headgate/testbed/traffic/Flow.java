package io.headgate.testbed.traffic;

import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.frame.FrameTemplate;
import io.headgate.testbed.traffic.spec.FlowSpec;
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

    /** Where flows come from that are begun one after another. */
    interface Origin {
        /** Whether the next flow begins after the last frame of the one before has left. */
        boolean isClosedLoop();

        /** The last frame of its flow has left the network card. */
        void onDeparture(long nowPs);
    }

    /** Whom a flow tells that its next frame is due. */
    @FunctionalInterface
    interface Turns {
        void ready(Flow flow);
    }

    private static final long[] NO_WORDS = {};

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
    @Nullable Origin origin;

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

    Flow(Turns turns, int sourceHost, FlowGroup group, FrameShape shape) {
        this.turns = turns;
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
        turns.ready(this);
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

    /** Goes back to a frame: it is sent next, and the timer starts with it. */
    void rewind(long sequence) {
        nextFrame = sequence;
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
        return new FlowStatistics(
                group.name(),
                sourceHost,
                destinationHost,
                number,
                startPs,
                framesSent,
                frameBytesSent,
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
                finishedPs,
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
