package io.headgate.dataplane.deadlockbreaker;

import io.headgate.config.DetourNeeds;
import io.headgate.config.FlowControlConfig.Mode;
import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.deadlock.LoopCounter;
import io.headgate.dataplane.deadlock.LoopSpeaker;
import io.headgate.dataplane.deadlock.LoopWords;
import io.headgate.dataplane.detour.DetourTag;
import io.headgate.dataplane.detour.PortDetour;
import io.headgate.dataplane.frame.FiveTuple;
import io.headgate.dataplane.linkcontrol.LinkSetup;
import io.headgate.dataplane.memory.Frame;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Stream;

/**
 * The Deadlock Breaker mechanism of a port. It exists whenever the port's configuration names it,
 * on or off.
 */
public final class DeadlockBreaker implements LoopSpeaker<DeadlockBreakerConfig> {
    @Override
    public DetourNeeds needs(DeadlockBreakerConfig configuration) {
        return new DetourNeeds(DetourTag.BYTES, configuration.slots(), 0, List.of(Mode.PFC), true);
    }

    @Override
    public List<CounterText> receiverCounters() {
        return MoveReceiver.COUNTERS;
    }

    @Override
    public List<CounterText> senderCounters() {
        return Stream.concat(LoopCounter.texts().stream(), MoveCounter.texts().stream()).toList();
    }

    @Override
    public PortDetour protocol(DeadlockBreakerConfig configuration, boolean isOn, LinkSetup setup) {
        LoopWords words = LoopWords.make();
        SlotWords slots = SlotWords.make();
        int all = configuration.slots() * Integer.bitCount(setup.lossless());
        return new PortDetour(
                new MoveReceiver(words, slots, setup.lossless(), all),
                new DeadlockBreakerDetour(configuration, isOn, setup, words, slots, all));
    }

    @Override
    public boolean flow(MemorySegment segment, Frame frame, FiveTuple into) {
        return DetourTag.flow(segment, frame, into);
    }
}
