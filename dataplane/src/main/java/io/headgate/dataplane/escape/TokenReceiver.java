package io.headgate.dataplane.escape;

import io.headgate.config.Mechanisms;
import io.headgate.config.PortConfig;
import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.detour.DetourReceiver;
import io.headgate.dataplane.detour.DetourTag;
import io.headgate.dataplane.linkcontrol.AccountsView;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.sync.PublishedWords;
import io.headgate.dataplane.memory.sync.WordRing;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The receiving end of Escape at a port: passes received tokens, and the priorities that the port
 * asks its sender to pause, to the same port's egress half. Owned by the ingress half.
 */
final class TokenReceiver implements DetourReceiver {
    static final List<CounterText> COUNTERS =
            List.of(
                    CounterText.total("received", "tokens", "tokens that came in"),
                    CounterText.total(
                            "overrun",
                            "tokens",
                            "tokens that arrived faster than they were processed: lost"));

    private final int lossless;
    private final WordRing tokens;

    // One word, read by the egress half: the priorities whose sender is asked to pause.
    private final PublishedWords paused;
    private final Token token = new Token();
    private final boolean isFromHost;
    private final boolean behindUdp;
    private boolean sendsTokens;
    private int shown;
    private long received;
    private long overrun;
    private boolean hasCounted = true;
    private long ignored;

    TokenReceiver(
            EscapeConfig config,
            boolean isOn,
            int lossless,
            WordRing tokens,
            PublishedWords paused) {
        this.lossless = lossless;
        this.tokens = tokens;
        this.paused = paused;
        this.isFromHost = config.peer() == EscapeConfig.Peer.HOST;
        this.behindUdp = config.header() == EscapeConfig.Header.ROCE;
        sendsTokens = isOn && !isFromHost;
    }

    @Override
    public boolean unwraps() {
        return !isFromHost;
    }

    @Override
    public int unwrap(Frame frame) {
        return frame.etherType == DetourTag.ETHER_TYPE || behindUdp ? look(frame) : ORDINARY;
    }

    private int look(Frame frame) {
        if (!EscapeHeader.isPresent(FrameRegion.MEMORY, frame, behindUdp)) {
            return ORDINARY;
        }
        int hops = EscapeHeader.remove(FrameRegion.MEMORY, frame);
        if (hops < 0) {
            return MALFORMED;
        }
        frame.detour = hops;
        return UNWRAPPED;
    }

    @Override
    public boolean takes(int opcode) {
        return EscapeToken.isOpcode(opcode);
    }

    @Override
    public boolean receive(long receivedNs, MemorySegment segment, long frame, int bytes) {
        // A host could not read what would escape to it.
        if (isFromHost
                || !EscapeToken.isValid(segment, frame, bytes)
                || EscapeToken.hops(segment, frame) > Token.MAX_HOPS) {
            ignored++;
            return false;
        }
        received++;
        hasCounted = true;
        if (!tokens.claim()) {
            overrun++;
            return false;
        }
        EscapeToken.flow(segment, frame, token.flow);
        token.hops = EscapeToken.hops(segment, frame);
        token.priority = EscapeToken.priority(segment, frame);
        token.putInto(tokens);
        return true;
    }

    @Override
    public boolean publish(long nowNs, AccountsView accounts) {
        int wanted = wanted(accounts);
        if (wanted == shown) {
            return false;
        }
        shown = wanted;
        paused.storeRelease(0, wanted);
        return true;
    }

    private int wanted(AccountsView accounts) {
        return sendsTokens ? accounts.pauseWanted() & lossless : 0;
    }

    @Override
    public boolean awaitsReturns(AccountsView accounts) {
        return wanted(accounts) != shown;
    }

    @Override
    public void change(PortConfig port) {
        Mechanisms.Use use = port.mechanisms().use(EscapeConfig.class);
        sendsTokens = use != null && use.isEnabled() && !isFromHost;
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
