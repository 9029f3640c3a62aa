package io.headgate.dataplane.deadlock;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.detour.DetourMechanism;
import java.util.List;

/**
 * A mechanism whose ports search for loops: declares the rings and slots that {@link LoopReceiver}
 * and {@link LoopDetour} need.
 *
 * @param <C> its configuration
 */
public interface LoopSpeaker<C extends Record> extends DetourMechanism<C> {
    /**
     * Maximum number of tokens that wait between two ports: one for each priority of some ports.
     */
    int RELAYED = 4 * PRIORITIES;

    @Override
    default List<CounterText> receiverCounters() {
        return LoopReceiver.COUNTERS;
    }

    /** One own search in each priority, and passing tokens. */
    @Override
    default int frames(C configuration) {
        return 2 * PRIORITIES;
    }

    @Override
    default int relayed(C configuration) {
        return RELAYED;
    }

    @Override
    default boolean relaysFromSender() {
        return true;
    }

    /** One word: the priorities whose sender a port asks to pause. */
    @Override
    default int boardWords() {
        return 1;
    }
}
