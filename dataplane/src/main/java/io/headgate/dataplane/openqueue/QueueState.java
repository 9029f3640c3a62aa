package io.headgate.dataplane.openqueue;

import io.headgate.dataplane.congestion.Mark;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.openqueue.PolicyPlan.QueuePlan;
import io.headgate.dataplane.openqueue.language.Policy;
import org.jspecify.annotations.Nullable;

/**
 * State of one queue of a policy: its occupancy, its variables, and its event counts. The policy's
 * own code reads and writes these fields by name.
 */
final class QueueState {
    // What is left for bytes, 40 bits, holds a region's slots with frames of 64 kB in each.
    static final int FRAMES_SHIFT = Long.SIZE - FrameRegion.COUNT_BITS;
    static final long FRAME = 1L << FRAMES_SHIFT;
    static final long BYTES_MASK = FRAME - 1;

    private static final int FIRST_PLACES = 64;

    final boolean dropsTail;
    final boolean drops;

    /** For a list: whether an arriving packet pushes out the oldest one. */
    final boolean losesOldest;

    /** Whether an arriving packet only needs to be checked against the bound. */
    final boolean isPlain;

    /** Mask of the priorities that it carries. */
    final int carries;

    /** Its bit in masks of queues in the port's order. */
    final int bit;

    /** Its size, rounded down, because occupancies are whole numbers. */
    final long limit;

    /** The same; {@link Long#MAX_VALUE} if arriving packets are not dropped because of it. */
    final long bound;

    final int number;

    final double size;
    double weightAdm;
    double weightSched;
    double admState;
    double schedState;

    /** Frames and bytes in one word, so that one load and one store are enough. */
    long held;

    long dropped;
    long total;

    /** Maximum occupancy so far, in packets or bytes as sizes count. */
    long maxSize;

    /** Dropped packets that had been admitted before. */
    long pushedOut;

    // Packets that the policy wants marked, by Mark#write's outcome.
    final long[] marks = new long[Mark.WRITTEN + 1];

    long events;

    /** Its port. */
    final PortState port;

    /** The buffer that it shares; null if none. */
    final @Nullable BufferState buffer;

    /**
     * For a list: a ring of frames, its length a power of two, from {@link #first} to below {@link
     * #end}. If frames are dropped by a key, the ring has holes (null), but never at its first
     * place.
     */
    @Nullable Frame[] ring = new Frame[FIRST_PLACES];

    long first;
    long end;

    /** Null if frames are not dropped by a key. */
    final @Nullable PlaceStacks stacks;

    // Of ranked packets: what holds them, and for admission besides. Where the policy's shape says
    // so it is the one of an exact type, and the JIT need not look which one it is.
    Ranking processing = ArrivalRanking.NONE;
    @Nullable Ranking separate;
    BucketRanking buckets = BucketRanking.NONE;

    QueueState(
            int number,
            Policy.Queue queue,
            QueuePlan plan,
            int carries,
            int place,
            PortState port,
            @Nullable BufferState buffer) {
        this.dropsTail = plan.dropsTail();
        this.drops = plan.drops();
        this.losesOldest = plan.admission() != null && PolicyPlan.isNewestFirst(plan.admission());
        this.stacks = plan.dropsByKey() ? new PlaceStacks(FIRST_PLACES) : null;
        this.isPlain =
                PolicyPlan.beyondBound(queue).isEmpty()
                        && queue.postAdmission().isEmpty()
                        && plan.admission() == null
                        && buffer == null;
        this.carries = carries;
        this.bit = 1 << place;
        this.size = queue.size();
        this.limit = (long) Math.floor(queue.size());
        this.bound = drops ? limit : Long.MAX_VALUE;
        this.number = number;
        this.weightAdm = queue.initial().weightAdm();
        this.weightSched = queue.initial().weightSched();
        this.admState = queue.initial().admState();
        this.schedState = queue.initial().schedState();
        this.port = port;
        this.buffer = buffer;
    }

    int frames() {
        return (int) (held >>> FRAMES_SHIFT);
    }

    /** Continues with the variables and counts of another queue. */
    void takeOver(QueueState other) {
        weightAdm = other.weightAdm;
        weightSched = other.weightSched;
        admState = other.admState;
        schedState = other.schedState;
        dropped = other.dropped;
        total = other.total;
        maxSize = other.maxSize;
        pushedOut = other.pushedOut;
        System.arraycopy(other.marks, 0, marks, 0, marks.length);
        events = other.events;
    }

    void holds(Ranking all, @Nullable Ranking forAdmission) {
        processing = all;
        separate = forAdmission;
        buckets = all instanceof BucketRanking given ? given : buckets;
    }

    // ---- a list of frames

    /** The ring, with room for {@code more} further frames. */
    @Nullable Frame[] room(int more) {
        while (end - first + more > ring.length) {
            closeUp(more);
        }
        return ring;
    }

    /** Leaves out holes; where that makes little room, in a ring of twice the size. */
    private void closeUp(int more) {
        @Nullable Frame[] old = ring;
        if (2 * (frames() + more) > old.length) {
            ring = new Frame[2 * old.length];
        }
        long to = first;
        for (long from = first; from != end; from++) {
            Frame frame = old[(int) from & (old.length - 1)];
            if (frame != null) {
                ring[(int) to++ & (ring.length - 1)] = frame;
            }
        }
        end = to;
    }

    Frame at(long place) {
        Frame frame = ring[(int) place & (ring.length - 1)];
        if (frame == null) {
            throw new IllegalStateException("no frame at place " + place + " of queue " + number);
        }
        return frame;
    }

    boolean isHole(long place) {
        return ring[(int) place & (ring.length - 1)] == null;
    }

    void append(Frame frame) {
        @Nullable Frame[] places = end - first < ring.length ? ring : room(1);
        places[(int) end++ & (places.length - 1)] = frame;
    }

    /** Leaves a hole where the frame at a place was. */
    void punch(long place) {
        ring[(int) place & (ring.length - 1)] = null;
        if (place == first) {
            skipHoles();
        }
    }

    /** Moves {@link #first} to the next frame, if there is one. */
    void skipHoles() {
        while (first != end && isHole(first)) {
            first++;
        }
    }

    /** Takes out the frame at a place; the frames before it move back by one. */
    void removeAt(long place) {
        for (long i = place; i != first; i--) {
            ring[(int) i & (ring.length - 1)] = at(i - 1);
        }
        first++;
    }
}
