package io.headgate.dataplane.loopbreaker;

import io.headgate.config.DetourNeeds;
import io.headgate.config.FlowControlConfig.Mode;
import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.deadlock.LoopCounter;
import io.headgate.dataplane.deadlock.LoopReceiver;
import io.headgate.dataplane.deadlock.LoopSpeaker;
import io.headgate.dataplane.deadlock.LoopWords;
import io.headgate.dataplane.detour.PortDetour;
import io.headgate.dataplane.linkcontrol.LinkSetup;
import java.util.List;
import java.util.stream.Stream;

/**
 * The Loop Breaker mechanism of a port. It exists whenever the port's configuration names it, on or
 * off.
 */
public final class LoopBreaker implements LoopSpeaker<LoopBreakerConfig> {
    @Override
    public DetourNeeds needs(LoopBreakerConfig configuration) {
        return new DetourNeeds(0, 0, 0, List.of(Mode.PFC), true);
    }

    @Override
    public List<CounterText> senderCounters() {
        return Stream.concat(
                        LoopCounter.texts().stream(),
                        Stream.of(
                                CounterText.total(
                                        "dropped",
                                        "frames",
                                        "frames dropped here to end a deadlock")))
                .toList();
    }

    @Override
    public PortDetour protocol(LoopBreakerConfig configuration, boolean isOn, LinkSetup setup) {
        LoopWords words = LoopWords.make();
        return new PortDetour(
                new LoopReceiver(words, setup.lossless()),
                new LoopBreakerDetour(configuration, isOn, setup, words));
    }
}
