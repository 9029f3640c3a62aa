package io.headgate.dataplane.escape;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import io.headgate.config.Mechanisms;
import io.headgate.config.PortConfig;
import io.headgate.dataplane.congestion.CongestionPoint;
import io.headgate.dataplane.detour.FrameDetour;
import io.headgate.dataplane.detour.SideQueue;
import io.headgate.dataplane.frame.FiveTuple;
import io.headgate.dataplane.linkcontrol.LinkRelay;
import io.headgate.dataplane.linkcontrol.LinkSetup;
import io.headgate.dataplane.memory.Accounts;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.sync.PortBoard;
import io.headgate.dataplane.memory.sync.PublishedWords;
import io.headgate.dataplane.memory.sync.WordRing;
import io.headgate.dataplane.policy.QueueFields;
import io.headgate.dataplane.queue.FrameFilter;
import io.headgate.dataplane.queue.Pacer;
import io.headgate.dataplane.queue.Queues;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Runs algorithm 3 of the dissertation at one egress port p<sup>E</sup>: makes tokens, processes
 * received tokens, and keeps the flow table, the token pools, and the queue of frames that escape
 * by this port. Owned by the egress half, like all its parts.
 *
 * <p>A token is made here for a flow that leaves by this port, or it was received here and found no
 * frame. It then goes to the egress half of p<sup>I</sup>, the port by which the flow comes in,
 * which sends it; that port has shown that it pauses its sender. The pools of the port that sends
 * the token are not charged for it.
 *
 * <p>{@link Frame#detour} is the kind of a frame at this port: {@link #NONE}, or the pool whose
 * token it uses. Bounded by the pools, the flow table, and the frames of the queues.
 */
public final class TokenManager implements FrameDetour {
    /** An ordinary frame. */
    public static final int NONE = 0;

    /** The frame has escaped to here, and waits among ordinary frames with a token of this port. */
    private static final int ARRIVED = -1;

    /** The frame passes through the escape queue with a token of this port. */
    private static final int THROUGH = -2;

    /**
     * Maximum number of tokens processed per call: each needs a search for its flow, and for its
     * frame in a queue.
     */
    static final int MOST_TOKENS = 64;

    /** Number of checks per {@code reclaim} time for tokens to take back. */
    private static final int RECLAIMS = 4;

    /**
     * Minimum time for which a token is reserved for a refused flow, in units of {@code reclaim}.
     */
    public static final int PATIENCE_RECLAIMS = 3;

    // While it is off: frames of a burst that is long, and how many such bursts one is of that is
    // looked into, a power of two.
    private static final int LONG_BURST = 8;
    private static final int LONG_BURSTS = 8;

    /** 2^32 divided by the golden ratio: its multiples are spread evenly over all integers. */
    private static final int GOLDEN = 0x9E37_79B9;

    private static final MemorySegment MEMORY = FrameRegion.MEMORY;

    private final int lossless;
    private final LinkRelay relay;
    private final PortBoard board;
    private final WordRing tokens;

    // One word, the ingress half's: the priorities whose sender it asks to pause.
    private final PublishedWords paused;
    private final boolean behindUdp;

    private final TokenPool own;
    private final TokenPool through;
    private final KnownFlows flows;
    private final Turns turns;
    private final Token token = new Token();
    private final SameFlow sameFlow = new SameFlow();
    private final SameFlowAndHome sameFlowAndHome = new SameFlowAndHome();

    private final SideQueue escaping = new SideQueue();

    private boolean isEnabled;
    private boolean isByWeight;
    private long periodNs;
    private long reclaimNs;
    private long nextNs = Long.MAX_VALUE;
    private long nextReclaimNs = Long.MAX_VALUE;

    // Per priority, the flow that is next in turn for tokens, and the number it has had in this
    // turn.
    private final int[] turn = new int[PRIORITIES];
    private final int[] had = new int[PRIORITIES];

    // The flow a token of which passed last.
    private int passed;

    // What this port has shown the others, and what each port had shown when it was last looked at;
    // whether tokens wait to be sent by it.
    private long shown;
    private final long[] seen;
    private boolean mustSend;

    // Whether the last call left tokens in the ring.
    private boolean isBehind;

    // While it is off: bursts that have come, and which frame of one is remembered, as a fraction.
    private int bursts;
    private int fraction;

    private final long[] counted = new long[TokenCounter.values().length];
    private boolean hasCounted = true;

    TokenManager(
            EscapeConfig config,
            boolean isOn,
            LinkSetup setup,
            WordRing tokens,
            PublishedWords paused) {
        this.paused = paused;
        this.lossless = setup.lossless();
        this.relay = setup.relay();
        this.board = setup.board();
        this.seen = new long[board.ports()];
        // By one that this takes the place of, if the port is restarted.
        this.shown = board.shown(setup.port());
        this.tokens = tokens;
        this.behindUdp = config.header() == EscapeConfig.Header.ROCE;
        this.own = new TokenPool(config.tokens(), lossless, config.flows());
        this.through = new TokenPool(config.tokens(), lossless, 0);
        this.flows = new KnownFlows(config.flows(), own);
        this.turns = flows.turns();
        take(config, isOn);
    }

    private void take(EscapeConfig config, boolean isOn) {
        isEnabled = isOn;
        isByWeight = config.selection() == EscapeConfig.Selection.WEIGHT;
        periodNs = config.periodNs();
        reclaimNs = config.reclaimNs();
    }

    @Override
    public void change(PortConfig config) {
        Mechanisms.Use use = config.mechanisms().use(EscapeConfig.class);
        if (use != null && use.configuration() instanceof EscapeConfig escape) {
            take(escape, use.isEnabled());
        }
    }

    /** Selects the frames of a flow in one priority. */
    private final class SameFlow implements FrameFilter {
        @Override
        public boolean matches(Frame frame) {
            return frame.priority == token.priority && token.flow.isOf(MEMORY, frame);
        }
    }

    /** Selects the frames of another frame's flow that have come in by the same port. */
    private static final class SameFlowAndHome implements FrameFilter {
        private final FiveTuple flow = new FiveTuple();
        private int priority;
        private int home;

        /** Sets the frame whose flow is selected; false if it has no five values. */
        boolean set(Frame frame) {
            priority = frame.priority;
            home = frame.home;
            return flow.read(MEMORY, frame);
        }

        @Override
        public boolean matches(Frame frame) {
            return frame.priority == priority && frame.home == home && flow.isOf(MEMORY, frame);
        }
    }

    // ---- event e1: tokens are made; event e2: tokens come

    @Override
    public void look(long nowNs, QueueFields queues) {
        show(paused.loadAcquire(0));
        mustSend = relay.next();
        boolean isAnyPaused = lookAtOthers() != 0;
        if (!isEnabled || !isAnyPaused) {
            nextNs = Long.MAX_VALUE;
        } else if (nextNs == Long.MAX_VALUE) {
            nextNs = nowNs;
        }
    }

    private long lookAtOthers() {
        long any = 0;
        for (int other = 0; other < seen.length; other++) {
            seen[other] = board.shown(other);
            any |= seen[other];
        }
        return any;
    }

    /** Shows the other ports which priorities this port asks its sender to pause. */
    private void show(long priorities) {
        if (priorities != shown) {
            shown = priorities;
            board.show(priorities);
            relay.ringAll();
        }
    }

    /**
     * Processes tokens before any frame starts; returns the amount of work done. Takes at most
     * {@link #MOST_TOKENS} received tokens; the others are due at once.
     */
    @Override
    public int run(long nowNs, Queues queues, int eligible, @Nullable CongestionPoint point) {
        int work = 0;
        while (work < MOST_TOKENS && tokens.next()) {
            token.takeFrom(tokens);
            receive(nowNs, queues, point);
            work++;
        }
        isBehind = work == MOST_TOKENS;
        if (nextNs - nowNs <= 0) {
            trigger(nowNs, eligible);
            nextNs = nowNs + periodNs;
            work++;
        }
        if (areUnderWay() && nextReclaimNs - nowNs <= 0) {
            long oldestNs = nowNs - reclaimNs;
            count(TokenCounter.RECLAIMED, own.reclaim(oldestNs) + through.reclaim(oldestNs));
            nextReclaimNs = Long.MAX_VALUE;
            work++;
        }
        if (nextReclaimNs == Long.MAX_VALUE && areUnderWay()) {
            nextReclaimNs = nowNs + Math.ceilDiv(reclaimNs, RECLAIMS);
        }
        return work;
    }

    @Override
    public boolean isBehind() {
        return isBehind;
    }

    private boolean areUnderWay() {
        return own.areUnderWay() || through.areUnderWay();
    }

    /** Event e2: processes received tokens. */
    private void receive(long nowNs, Queues queues, @Nullable CongestionPoint point) {
        if (!isEnabled) {
            count(TokenCounter.REFUSED_OFF, 1);
            return;
        }
        int flow = known();
        // The hash of a flow that is not known here is not known, either.
        boolean mayWait =
                point == null
                        || flow == KnownFlows.NONE
                        || point.mayWait(token.flow, flows.hash(flow), token.priority);
        Frame found = mayWait ? extract(nowNs, queues, token.priority, sameFlow, point) : null;
        if (found != null) {
            count(TokenCounter.ESCAPED, 1);
            EscapeHeader.insert(MEMORY, found, token.hops, behindUdp);
            escaping.append(found);
            if (flow != KnownFlows.NONE) {
                turns.over(flow);
            }
            return;
        }
        if (flow == KnownFlows.NONE) {
            count(TokenCounter.REFUSED_UNKNOWN, 1);
        } else if (!isPaused(flow) || token.hops == Token.MAX_HOPS) {
            count(TokenCounter.REFUSED_OPEN, 1);
            turns.over(flow);
        } else if (!turns.mayPass(nowNs, flow, through.left(token.priority))
                || !through.take(nowNs, token.priority, token.flow)) {
            turns.refused(nowNs, flow, PATIENCE_RECLAIMS * reclaimNs);
            count(TokenCounter.REFUSED_POOL, 1);
        } else {
            pass(flow);
        }
    }

    /**
     * The flow of a received token; NONE if it is not known. If the flow comes in by several
     * priorities, those with a paused sender take turns.
     */
    private int known() {
        int known = KnownFlows.NONE;
        int size = flows.size();
        for (int i = 1; i <= size; i++) {
            int flow = passed + i < size ? passed + i : passed + i - size;
            if (flows.is(flow, token.flow, token.priority)) {
                if (isPaused(flow)) {
                    return flow;
                }
                known = flow;
            }
        }
        return known;
    }

    private void pass(int flow) {
        token.hops++;
        if (hand(flow)) {
            turns.over(flow);
            passed = flow;
            count(TokenCounter.PASSED, 1);
        } else {
            through.putBack();
            count(TokenCounter.REFUSED_BUSY, 1);
        }
    }

    private static @Nullable Frame extract(
            long nowNs,
            Queues queues,
            int priority,
            FrameFilter filter,
            @Nullable CongestionPoint point) {
        Frame found = queues.extract(priority, filter);
        if (found != null && point != null) {
            point.removed(nowNs, found);
        }
        return found;
    }

    /** Event e1: gives tokens to flows that may be blocked, in turn, while tokens are left. */
    private void trigger(long nowNs, int eligible) {
        for (int rest = lossless & eligible; rest != 0; rest &= rest - 1) {
            triggerIn(nowNs, Integer.numberOfTrailingZeros(rest));
        }
    }

    /**
     * Gives tokens in one priority. A flow whose turn is not over when the last token is used comes
     * first next time.
     */
    private void triggerIn(long nowNs, int priority) {
        if (!own.has(priority)) {
            return;
        }
        int heaviest = isByWeight ? heaviest(priority) : 0;
        int size = flows.size();
        int without = 0;
        while (without < size && own.has(priority)) {
            int flow = turn[priority] < size ? turn[priority] : 0;
            boolean isMade = make(nowNs, priority, flow);
            without = isMade ? 0 : without + 1;
            had[priority]++;
            if (!isMade || had[priority] >= share(flows.weight(flow), heaviest)) {
                had[priority] = 0;
                flow++;
            }
            turn[priority] = flow;
        }
    }

    /** Maximum weight of the flows that may be blocked; shares are relative to it. */
    private int heaviest(int priority) {
        int heaviest = 0;
        for (int flow = 0; flow < flows.size(); flow++) {
            if (mayBeBlocked(flow, priority)) {
                heaviest = Math.max(heaviest, flows.weight(flow));
            }
        }
        return heaviest;
    }

    /**
     * Number of tokens that a flow gets in its turn: at least one, so that every flow gets some.
     */
    private static int share(int weight, int heaviest) {
        // A flow whose sender was paused a moment ago may be missing from heaviest.
        return heaviest == 0
                ? 1
                : Math.clamp(
                        Math.ceilDiv(EscapeConfig.MOST_TOKENS_IN_TURN * weight, heaviest),
                        1,
                        EscapeConfig.MOST_TOKENS_IN_TURN);
    }

    private boolean mayBeBlocked(int flow, int priority) {
        return flows.priority(flow) == priority && isPaused(flow);
    }

    private boolean make(long nowNs, int priority, int flow) {
        if (!mayBeBlocked(flow, priority)) {
            return false;
        }
        flows.get(flow, token.flow);
        if (!own.take(nowNs, priority, token.flow, flow)) {
            return false;
        }
        token.hops = 1;
        token.priority = priority;
        if (!hand(flow)) {
            own.putBack();
            return false;
        }
        count(TokenCounter.MADE, 1);
        return true;
    }

    /** Whether the sender of a flow is paused and accepts tokens. */
    private boolean isPaused(int flow) {
        int port = flows.ingressPort(flow);
        return port < seen.length && (seen[port] >>> flows.ingressPriority(flow) & 1) != 0;
    }

    /** Passes the token to the port by which its flow comes in; false if there is no room. */
    private boolean hand(int flow) {
        if (!relay.claim(flows.ingressPort(flow))) {
            return false;
        }
        int here = token.priority;
        token.priority = flows.ingressPriority(flow);
        token.putInto(relay);
        token.priority = here;
        return true;
    }

    // ---- frames come

    /**
     * Notes the flows of arriving ordinary frames, so that tokens can be made for them. While
     * Escape is off, it notes the flow of only one frame per burst, and only in one of eight long
     * bursts. That costs almost nothing, and is needed because Escape may be turned on in a
     * deadlock, when the flows that could go on from here bring no further frame. The choice
     * rotates, so that every flow is noted at some time.
     *
     * @param frames frames charged to their ingress priority, and queued in their egress priority
     * @return whether any of them escapes
     */
    @Override
    public boolean arrived(Frame[] frames, int from, int to) {
        int escapes = NONE;
        if (isEnabled) {
            for (int i = from; i < to; i++) {
                escapes |= frames[i].detour;
                if (mayEscape(frames[i])) {
                    flows.arrived(frames[i]);
                }
            }
            return escapes != NONE;
        }
        if (to - from < LONG_BURST || (++bursts & LONG_BURSTS - 1) == 0) {
            remember(frames, from, to);
        }
        for (int i = from; i < to; i++) {
            escapes |= frames[i].detour;
        }
        return escapes != NONE;
    }

    private void remember(Frame[] frames, int from, int to) {
        // The first one from a place that is another each time.
        fraction += GOLDEN;
        long scaled = (fraction & 0xFFFF_FFFFL) * (to - from);
        int first = from + (int) (scaled >>> Integer.SIZE);
        for (int i = 0; i < to - from; i++) {
            int at = first + i < to ? first + i : first + i - (to - from);
            if (mayEscape(frames[at])) {
                flows.arrived(frames[at]);
                return;
            }
        }
    }

    private boolean mayEscape(Frame frame) {
        return frame.detour == NONE
                && frame.account < Accounts.ORIGINATED
                && (lossless >>> frame.priority & 1) != 0;
    }

    /**
     * Handles an arriving escaped frame. Either it becomes an ordinary frame, as does any for which
     * this port has no token, or it waits here to leave at once; in the second case an older frame
     * of its flow may have to leave instead.
     */
    @Override
    public boolean joinsQueues(
            long nowNs, Frame frame, Queues queues, @Nullable CongestionPoint point) {
        int hops = frame.detour;
        boolean hasFlow = sameFlowAndHome.set(frame);
        TokenPool pool = hops == 1 ? own : through;
        if (!hasFlow || !pool.arrived(frame.priority, sameFlowAndHome.flow)) {
            frame.detour = NONE;
            count(TokenCounter.UNEXPECTED, 1);
            return true;
        }
        if (hops == 1) {
            frame.detour = ARRIVED;
            count(TokenCounter.ARRIVED, 1);
            return true;
        }
        frame.detour = THROUGH;
        count(TokenCounter.THROUGH, 1);
        boolean mayWait =
                point == null
                        || point.mayWait(sameFlowAndHome.flow, frame.flowHash, frame.priority);
        Frame oldest =
                mayWait ? extract(nowNs, queues, frame.priority, sameFlowAndHome, point) : null;
        Frame leaves = frame;
        if (oldest != null) {
            exchange(frame, oldest);
            count(TokenCounter.EXCHANGED, 1);
            leaves = oldest;
        }
        EscapeHeader.insert(MEMORY, leaves, hops - 1, behindUdp);
        escaping.append(leaves);
        return oldest != null;
    }

    /** Exchanges two frames' charges and tokens. */
    private static void exchange(Frame one, Frame other) {
        int detour = one.detour;
        one.detour = other.detour;
        other.detour = detour;
        int account = one.account;
        one.account = other.account;
        other.account = account;
        int chargedBytes = one.chargedBytes;
        one.chargedBytes = other.chargedBytes;
        other.chargedBytes = chargedBytes;
    }

    // ---- event e3: frames leave

    /** Notes that ordinary frames start; those that had escaped give their tokens back. */
    @Override
    public void started(Frame[] frames, int from, int to) {
        if (!own.hasFrames() && !through.hasFrames()) {
            return;
        }
        for (int i = from; i < to; i++) {
            if (frames[i].detour != NONE) {
                left(frames[i]);
            }
        }
    }

    /** Notes that a frame leaves the port, sent or dropped, and returns its token. */
    @Override
    public void left(Frame frame) {
        int place = frame.detour;
        frame.detour = NONE;
        // The pools' gauges and the queue's.
        hasCounted = true;
        if (place == ARRIVED) {
            own.gone(frame.priority);
        } else if (place == THROUGH) {
            through.gone(frame.priority);
        } else if (place > 0) {
            // It was dropped as it came.
            TokenPool pool = place == 1 ? own : through;
            if (sameFlowAndHome.set(frame) && pool.arrived(frame.priority, sameFlowAndHome.flow)) {
                pool.gone(frame.priority);
                count(TokenCounter.DROPPED, 1);
            }
        }
    }

    @Override
    public @Nullable Frame drain() {
        hasCounted = true;
        return escaping.take();
    }

    @Override
    public int dequeue(long nowNs, Pacer pacer, Frame[] into, int from) {
        int count = from;
        while (escaping.frames() > 0 && count < into.length && pacer.mayStart(nowNs)) {
            Frame frame = escaping.take();
            if (frame != null) {
                pacer.start(frame.lengthBytes);
                left(frame);
                into[count++] = frame;
            }
        }
        return count;
    }

    public int flows() {
        return flows.size();
    }

    @Override
    public int frames() {
        return escaping.frames();
    }

    @Override
    public long bytes() {
        return escaping.bytes();
    }

    public boolean arePoolsFull() {
        return own.isFull() && through.isFull();
    }

    /** Maximum time for which it has reserved a token for a flow to ask again. */
    public long longestPatienceNs() {
        return turns.longestPatienceNs();
    }

    /**
     * The priority in which a flow leaves by this port, for the port and the priority in which it
     * comes in; −1 if this port does not know the flow, or if it leaves in several.
     */
    public int priorityOf(FiveTuple values, int ingressPort, int ingressPriority) {
        int found = -1;
        for (int rest = lossless; rest != 0; rest &= rest - 1) {
            int priority = Integer.numberOfTrailingZeros(rest);
            for (int flow = 0; flow < flows.size(); flow++) {
                if (flows.is(flow, values, priority)
                        && flows.ingressPort(flow) == ingressPort
                        && flows.ingressPriority(flow) == ingressPriority) {
                    if (found >= 0) {
                        return -1;
                    }
                    found = priority;
                }
            }
        }
        return found;
    }

    // ---- tokens are sent

    @Override
    public boolean isDue(long nowNs) {
        return mustSend;
    }

    @Override
    public long deadlineNs() {
        return areUnderWay() ? Math.min(nextNs, nextReclaimNs) : nextNs;
    }

    @Override
    public int write(long presentNs, MemorySegment segment, long frame, long source) {
        token.takeFrom(relay);
        mustSend = relay.next();
        EscapeToken.write(segment, frame, source, token.flow, token.hops, token.priority);
        count(TokenCounter.SENT, 1);
        return EscapeToken.FRAME_BYTES;
    }

    /** Drops waiting tokens, because their link is down; the ports that made them reclaim them. */
    @Override
    public void linkChanged() {
        show(0);
        while (relay.next()) {
            relay.release();
            count(TokenCounter.UNSENT, 1);
        }
        mustSend = false;
        while (tokens.next()) {
            tokens.release();
            count(TokenCounter.REFUSED_DOWN, 1);
        }
    }

    // ---- what a person may ask

    private void count(TokenCounter counter, int more) {
        counted[counter.ordinal()] += more;
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
        if (counter == TokenCounter.POOL_OWN.ordinal()) {
            return own.left();
        }
        if (counter == TokenCounter.POOL_THROUGH.ordinal()) {
            return through.left();
        }
        return counter == TokenCounter.QUEUE_FRAMES.ordinal()
                ? escaping.frames()
                : counted[counter];
    }
}
