package io.headgate.dataplane.escape;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import io.headgate.config.DetourNeeds;
import io.headgate.config.FlowControlConfig.Mode;
import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.detour.DetourMechanism;
import io.headgate.dataplane.detour.PortDetour;
import io.headgate.dataplane.frame.FiveTuple;
import io.headgate.dataplane.linkcontrol.LinkSetup;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.sync.PublishedWords;
import io.headgate.dataplane.memory.sync.WordRing;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The Escape mechanism of a port. It exists whenever the port's configuration names it, on or off.
 */
public final class Escape implements DetourMechanism<EscapeConfig> {
    /** Tokens that may wait to be processed, per token that may be under way. */
    private static final int WAITING = 16;

    @Override
    public DetourNeeds needs(EscapeConfig configuration) {
        return new DetourNeeds(
                EscapeHeader.BYTES,
                configuration.slots(),
                configuration.pools(),
                List.of(Mode.PFC),
                true);
    }

    /**
     * Completes a configuration: tokens go only to switches, and there are slots for those of all
     * other ports.
     */
    @Override
    public EscapeConfig placed(EscapeConfig configuration, boolean isToHost, int ports) {
        return configuration.at(
                isToHost ? EscapeConfig.Peer.HOST : EscapeConfig.Peer.SWITCH,
                Math.max(configuration.slots(), (ports - 1) * configuration.pools()));
    }

    @Override
    public List<CounterText> receiverCounters() {
        return TokenReceiver.COUNTERS;
    }

    @Override
    public List<CounterText> senderCounters() {
        return TokenCounter.texts();
    }

    @Override
    public int frames(EscapeConfig configuration) {
        return USUAL_FRAMES + configuration.tokens();
    }

    @Override
    public int relayed(EscapeConfig configuration) {
        return PRIORITIES * configuration.pools();
    }

    @Override
    public boolean relaysFromSender() {
        return true;
    }

    @Override
    public int boardWords() {
        return 1;
    }

    @Override
    public PortDetour protocol(EscapeConfig configuration, boolean isOn, LinkSetup setup) {
        int room = Integer.highestOneBit(WAITING * configuration.tokens() * 2 - 1);
        WordRing tokens = new WordRing(room, Token.WORDS);
        PublishedWords paused = new PublishedWords(1);
        return new PortDetour(
                new TokenReceiver(configuration, isOn, setup.lossless(), tokens, paused),
                new TokenManager(configuration, isOn, setup, tokens, paused));
    }

    @Override
    public boolean flow(MemorySegment segment, Frame frame, FiveTuple into) {
        return EscapeHeader.flow(segment, frame, into);
    }
}
