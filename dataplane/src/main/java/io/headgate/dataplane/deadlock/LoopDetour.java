package io.headgate.dataplane.deadlock;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import io.headgate.dataplane.congestion.CongestionPoint;
import io.headgate.dataplane.detour.FrameDetour;
import io.headgate.dataplane.linkcontrol.LinkRelay;
import io.headgate.dataplane.linkcontrol.LinkSetup;
import io.headgate.dataplane.memory.Accounts;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.sync.PortBoard;
import io.headgate.dataplane.memory.sync.WordRing;
import io.headgate.dataplane.policy.QueueFields;
import io.headgate.dataplane.queue.FrameFilter;
import io.headgate.dataplane.queue.Queues;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Searches for loops, that is, cyclic waits, at one egress port, and lets the mechanism act at the
 * port that has found a loop, the loop's <i>master</i> (Shpiner et al., HotNets 2016). Owned by the
 * egress half.
 *
 * <p>A token comes in by the link of one port. If that port pauses its sender, its egress half
 * passes the token to all other ports by the {@link LinkRelay}. Their egress halves send it on if a
 * queue of their port has been paused for the detection time and holds frames that came in by the
 * port of the token. They find these frames by a walk over the queue, once for each token.
 *
 * <p>Bounded: {@link #MOST_TOKENS} per call, {@link #ROOM} that wait to be sent.
 */
public abstract class LoopDetour implements FrameDetour {
    /** Maximum number of tokens processed per call. */
    static final int MOST_TOKENS = 64;

    /**
     * Number of tokens that may wait to be sent, and of the remembered last tokens, which may not
     * pass again.
     */
    private static final int ROOM = 32;

    /** Time in detection times for which a returned search proves a loop. */
    private static final int PROOF_DETECTIONS = 2;

    private static final int NO_PORT = -1;

    private final int port;
    private final int lossless;
    private final LinkRelay relay;
    private final PortBoard board;
    private final LoopWords words;
    private final LoopMessage token = new LoopMessage();
    private final WordRing toSend = new WordRing(ROOM, LoopMessage.WORDS);
    private final OfPort ofPort = new OfPort();
    private final Passed passed = new Passed();

    private boolean isOn;
    private long detectionNs;

    // The queues that are paused, and those of them that are for the detection time; when each
    // searches next, and the earliest of these.
    private int stopped;
    private int suspects;
    private final long[] nextSearchNs = new long[PRIORITIES];
    private long nextNs = Long.MAX_VALUE;

    // For each queue: the number of its last search, and the loop that came back: by which port and
    // priority, and the time until which that shows anything.
    private final int[] searches = new int[PRIORITIES];
    private final int[] loopPort = new int[PRIORITIES];
    private final int[] loopPriority = new int[PRIORITIES];
    private final long[] loopUntilNs = new long[PRIORITIES];
    private int loops;

    // The port's own address, known once it has sent a token.
    private long ownAddress = LoopMessage.HERE;

    // What this port has shown the others: the priorities whose sender it asks to pause.
    private long shown;
    private boolean isBehind;
    private final long[] counted = new long[LoopCounter.values().length];
    private boolean hasCounted = true;

    /** Creates a detour, on or off, with {@code words} of the same port's {@link LoopReceiver}. */
    protected LoopDetour(boolean isOn, long detectionNs, LinkSetup setup, LoopWords words) {
        this.port = setup.port();
        this.lossless = setup.lossless();
        this.relay = setup.relay();
        this.board = setup.board();
        this.words = words;
        // By one that this takes the place of, if the port is restarted.
        this.shown = board.shown(port);
        Arrays.fill(loopPort, NO_PORT);
        take(isOn, detectionNs);
    }

    protected final void take(boolean nowOn, long newDetectionNs) {
        isOn = nowOn;
        detectionNs = newDetectionNs;
    }

    /**
     * Selects the frames of a queue that have come in by one port and are charged to one of its
     * priorities or to a detour's slot.
     */
    private static final class OfPort implements FrameFilter {
        private int port;
        private boolean isFound;
        private boolean takes;

        @Override
        public boolean matches(Frame frame) {
            boolean is =
                    frame.ingressPort == port
                            && (frame.account < Accounts.ORIGINATED
                                    || frame.account == Accounts.DETOUR);
            isFound |= is;
            return is && takes;
        }
    }

    private static final class Passed {
        private final long[] first = new long[ROOM];
        private final long[] second = new long[ROOM];
        private int next;

        /** Whether a token has passed a queue before; remembers that it passes now. */
        boolean was(LoopMessage token, int queue) {
            long one = token.origin << Short.SIZE | (long) token.kind << Byte.SIZE | queue;
            long other =
                    (token.sequence & 0xFFFF_FFFFL)
                            | (long) token.originPriority << Integer.SIZE
                            | Long.MIN_VALUE;
            for (int i = 0; i < ROOM; i++) {
                if (first[i] == one && second[i] == other) {
                    return true;
                }
            }
            first[next] = one;
            second[next] = other;
            next = next + 1 < ROOM ? next + 1 : 0;
            return false;
        }
    }

    // ---- what the mechanism does

    /** Called when the port has found a new loop through one of its queues. */
    protected abstract void found(long nowNs, int queue);

    /** Acts as the master of a loop through a queue; returns the amount of work done. */
    protected abstract int act(
            long nowNs, int queue, Queues queues, @Nullable CongestionPoint point);

    /** The time of the next call of {@link #act} if no input comes before. */
    protected abstract long actNs();

    /** Called when a cyclic wait is over, or no search confirms it any longer. */
    protected abstract void ended(int queue);

    /** Called when a {@link LoopToken#MOVE} passes a queue that holds frames of a port. */
    protected void moves(
            long nowNs, int queue, int fromPort, Queues queues, @Nullable CongestionPoint point) {
        // There is nothing to be moved.
    }

    /** Called when a {@link LoopToken#MOVE} that began here has returned. */
    protected void moveReturned(long nowNs, int queue, int sequence) {
        // None begins here.
    }

    /** Whether a move must wait until the moved frames have started. */
    protected boolean holdsMoves() {
        return false;
    }

    // ---- for mechanisms

    /** The port by which the loop through a queue comes in. */
    protected final int loopPort(int queue) {
        return loopPort[queue];
    }

    protected final long detectionNs() {
        return detectionNs;
    }

    /** Takes the first frame of a port out of a queue; null if there is none. */
    protected final @Nullable Frame extract(
            long nowNs, Queues queues, int queue, int fromPort, @Nullable CongestionPoint point) {
        ofPort.port = fromPort;
        ofPort.takes = true;
        Frame found = queues.extract(queue, ofPort);
        if (found != null && point != null) {
            point.removed(nowNs, found);
        }
        return found;
    }

    protected final void beginMove(int queue, int sequence) {
        token.kind = LoopToken.MOVE;
        token.sequence = sequence;
        begin(queue);
    }

    // ---- before anything starts

    @Override
    public void look(long nowNs, QueueFields queues) {
        show(words.paused().loadAcquire(0));
    }

    private void show(long priorities) {
        if (priorities != shown) {
            shown = priorities;
            board.show(priorities);
        }
    }

    @Override
    public int run(long nowNs, Queues queues, int eligible, @Nullable CongestionPoint point) {
        int work = 0;
        while (work < MOST_TOKENS && words.tokens().next()) {
            token.takeFrom(words.tokens());
            token.ingressPort = port;
            handOn();
            work++;
        }
        while (work < MOST_TOKENS && relay.next()) {
            token.takeFrom(relay);
            cameThrough(nowNs, queues, point);
            work++;
        }
        isBehind = work == MOST_TOKENS;
        int now = isOn ? lossless & ~eligible & queues.occupied() : 0;
        if ((now | stopped) != 0) {
            work += watch(nowNs, now);
            work += actAll(nowNs, queues, point);
        }
        return work;
    }

    /** Whether {@link #run}, which is bounded, has left work. */
    @Override
    public final boolean isBehind() {
        return isBehind;
    }

    /** Passes on a token that came in by this port's link. */
    private void handOn() {
        if (!isOn) {
            count(LoopCounter.REFUSED_OFF, 1);
        } else if ((shown >>> token.priority & 1) == 0) {
            count(LoopCounter.REFUSED_OPEN, 1);
        } else {
            for (int other = 0; other < board.ports(); other++) {
                if (other != port && relay.claim(other)) {
                    token.putInto(relay);
                }
            }
        }
    }

    /** Handles a token that came in by another port, which pauses its sender. */
    private void cameThrough(long nowNs, Queues queues, @Nullable CongestionPoint point) {
        int from = token.ingressPort;
        for (int rest = suspects; rest != 0; rest &= rest - 1) {
            int queue = Integer.numberOfTrailingZeros(rest);
            if (waits(queues, queue, from)) {
                cameTo(nowNs, queue, queues, point);
            }
        }
    }

    private boolean waits(Queues queues, int queue, int fromPort) {
        ofPort.port = fromPort;
        ofPort.takes = false;
        ofPort.isFound = false;
        queues.extract(queue, ofPort);
        return ofPort.isFound;
    }

    private void cameTo(long nowNs, int queue, Queues queues, @Nullable CongestionPoint point) {
        if (token.origin == ownAddress) {
            cameBack(nowNs, queue);
            return;
        }
        boolean isSearch = token.kind == LoopToken.SEARCH;
        if (isSearch && token.origin < ownAddress) {
            count(LoopCounter.REFUSED_LOWER, 1);
        } else if (passed.was(token, queue)) {
            count(LoopCounter.REFUSED_SEEN, 1);
        } else if (token.hops >= LoopToken.MAX_HOPS) {
            count(LoopCounter.REFUSED_FAR, 1);
        } else if (!toSend.claim()) {
            count(LoopCounter.REFUSED_BUSY, 1);
        } else {
            int priority = token.priority;
            token.priority = queue;
            token.hops++;
            token.putInto(toSend);
            count(LoopCounter.PASSED, 1);
            if (!isSearch) {
                moves(nowNs, queue, token.ingressPort, queues, point);
            }
            // For another queue of this port it is as it came.
            token.priority = priority;
            token.hops--;
        }
    }

    private void cameBack(long nowNs, int queue) {
        if (token.originPriority != queue) {
            return;
        }
        if (token.kind == LoopToken.MOVE) {
            moveReturned(nowNs, queue, token.sequence);
            return;
        }
        // One of the last two, as the way round may take longer than the detection time.
        int before = searches[queue] - token.sequence;
        if (before < 0 || before >= PROOF_DETECTIONS) {
            return;
        }
        loopUntilNs[queue] = nowNs + PROOF_DETECTIONS * detectionNs;
        loopPort[queue] = token.ingressPort;
        loopPriority[queue] = token.priority;
        count(LoopCounter.FOUND, 1);
        if ((loops >>> queue & 1) == 0) {
            loops |= 1 << queue;
            found(nowNs, queue);
        }
    }

    /**
     * Follows which queues stop, resume, and stay stopped for the detection time; returns the
     * number of new searches.
     */
    private int watch(long nowNs, int now) {
        for (int rest = stopped & ~now; rest != 0; rest &= rest - 1) {
            end(Integer.numberOfTrailingZeros(rest));
        }
        for (int rest = now & ~stopped; rest != 0; rest &= rest - 1) {
            nextSearchNs[Integer.numberOfTrailingZeros(rest)] = nowNs + detectionNs;
        }
        stopped = now;
        suspects &= now;
        int begun = 0;
        nextNs = Long.MAX_VALUE;
        for (int rest = now; rest != 0; rest &= rest - 1) {
            int queue = Integer.numberOfTrailingZeros(rest);
            if (nextSearchNs[queue] - nowNs <= 0) {
                nextSearchNs[queue] = nowNs + detectionNs;
                suspects |= 1 << queue;
                search(queue);
                begun++;
            }
            nextNs = Math.min(nextNs, nextSearchNs[queue]);
        }
        return begun;
    }

    private void search(int queue) {
        token.kind = LoopToken.SEARCH;
        token.sequence = ++searches[queue];
        if (begin(queue)) {
            count(LoopCounter.SEARCHED, 1);
        }
    }

    private boolean begin(int queue) {
        if (!toSend.claim()) {
            count(LoopCounter.REFUSED_BUSY, 1);
            return false;
        }
        token.origin = LoopMessage.HERE;
        token.priority = queue;
        token.originPriority = queue;
        token.hops = 1;
        token.putInto(toSend);
        return true;
    }

    private int actAll(long nowNs, Queues queues, @Nullable CongestionPoint point) {
        int work = 0;
        for (int rest = loops; rest != 0; rest &= rest - 1) {
            int queue = Integer.numberOfTrailingZeros(rest);
            boolean isPaused = (board.shown(loopPort[queue]) >>> loopPriority[queue] & 1) != 0;
            if (!isPaused || loopUntilNs[queue] - nowNs <= 0) {
                end(queue);
                work++;
            } else {
                work += act(nowNs, queue, queues, point);
            }
        }
        return work;
    }

    private void end(int queue) {
        if ((loops >>> queue & 1) != 0) {
            loops &= ~(1 << queue);
            loopPort[queue] = NO_PORT;
            count(LoopCounter.ENDED, 1);
            ended(queue);
        }
    }

    // ---- tokens are sent

    @Override
    public boolean isDue(long nowNs) {
        if (!toSend.next()) {
            return false;
        }
        token.read(toSend);
        return token.kind == LoopToken.SEARCH || !holdsMoves();
    }

    @Override
    public long deadlineNs() {
        return loops == 0 ? nextNs : Math.min(nextNs, actNs());
    }

    @Override
    public int write(long presentNs, MemorySegment memory, long frame, long source) {
        token.takeFrom(toSend);
        ownAddress = source;
        if (token.origin == LoopMessage.HERE) {
            token.origin = source;
        }
        LoopToken.write(memory, frame, source, token);
        count(LoopCounter.SENT, 1);
        return LoopToken.FRAME_BYTES;
    }

    /** Drops waiting tokens, because their link is down. */
    @Override
    public void linkChanged() {
        show(0);
        for (int rest = stopped; rest != 0; rest &= rest - 1) {
            end(Integer.numberOfTrailingZeros(rest));
        }
        stopped = 0;
        suspects = 0;
        nextNs = Long.MAX_VALUE;
        int lost = 0;
        for (; toSend.next(); lost++) {
            toSend.release();
        }
        while (relay.next()) {
            relay.release();
        }
        for (; words.tokens().next(); lost++) {
            words.tokens().release();
        }
        count(LoopCounter.UNSENT, lost);
    }

    // ---- what a person may ask

    private void count(LoopCounter counter, int more) {
        counted[counter.ordinal()] += more;
        hasCounted = true;
    }

    /** Notes that the values of {@link #counted} have changed. */
    protected final void countsAgain() {
        hasCounted = true;
    }

    @Override
    public boolean hasCounted() {
        boolean has = hasCounted;
        hasCounted = false;
        return has;
    }

    @Override
    public long counted(int counter) {
        return counted[counter];
    }
}
