package io.headgate.dataplane.deadlock;

import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.detour.DetourReceiver;
import io.headgate.dataplane.linkcontrol.AccountsView;
import io.headgate.dataplane.memory.sync.PublishedWords;
import io.headgate.dataplane.memory.sync.WordRing;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The receiving end of the search for loops at a port: passes received tokens, and the priorities
 * that the port asks its sender to pause, to the same port's egress half. Owned by the ingress
 * half.
 */
public class LoopReceiver implements DetourReceiver {
    /** Its counters, for a mechanism's {@code receiverCounters}. */
    public static final List<CounterText> COUNTERS =
            List.of(
                    CounterText.total("received", "tokens", "tokens that came in"),
                    CounterText.total(
                            "overrun",
                            "tokens",
                            "tokens that arrived faster than they were processed: lost"));

    private final LoopWords words;
    private final int lossless;
    private final LoopMessage token = new LoopMessage();
    private int shown;
    private long received;
    private long overrun;
    private long ignored;
    private boolean hasCounted = true;

    public LoopReceiver(LoopWords words, int lossless) {
        this.words = words;
        this.lossless = lossless;
    }

    @Override
    public boolean takes(int opcode) {
        return opcode == LoopToken.OPCODE;
    }

    @Override
    public boolean receive(long receivedNs, MemorySegment segment, long frame, int bytes) {
        if (!LoopToken.isValid(segment, frame, bytes)) {
            ignore();
            return false;
        }
        received++;
        hasCounted = true;
        WordRing tokens = words.tokens();
        if (!tokens.claim()) {
            overrun++;
            return false;
        }
        token.kind = LoopToken.kind(segment, frame);
        token.origin = LoopToken.origin(segment, frame);
        token.priority = LoopToken.priority(segment, frame);
        token.originPriority = LoopToken.originPriority(segment, frame);
        token.sequence = LoopToken.sequence(segment, frame);
        token.hops = LoopToken.hops(segment, frame);
        token.putInto(tokens);
        return true;
    }

    /** Counts an invalid frame of the mechanism, such as no sender of ours makes. */
    protected final void ignore() {
        ignored++;
    }

    /** Notes that the values of {@link #counted} have changed. */
    protected final void countsAgain() {
        hasCounted = true;
    }

    // A token is judged by the pauses of its own time: the egress half reads them when it looks at
    // the token, and what came with it has been charged by then.

    @Override
    public boolean publish(long nowNs, AccountsView accounts) {
        int wanted = accounts.pauseWanted() & lossless;
        if (wanted != shown) {
            shown = wanted;
            PublishedWords paused = words.paused();
            paused.storeRelease(0, wanted);
            // The others look at it when a token comes to them.
            return true;
        }
        return false;
    }

    @Override
    public boolean awaitsReturns(AccountsView accounts) {
        return (accounts.pauseWanted() & lossless) != shown;
    }

    @Override
    public long ignored() {
        return ignored;
    }

    @Override
    public boolean hasCounted() {
        boolean has = hasCounted;
        hasCounted = false;
        return has;
    }

    @Override
    public long counted(int counter) {
        return counter == 0 ? received : overrun;
    }
}
