package io.headgate.dataplane.deadlock;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.detour.DetourMechanism;
import java.util.List;

/**
 * A mechanism whose ports search for loops: what {@link LoopReceiver} and {@link LoopDetour} need.
 *
 * @param <C> its configuration
 */
public interface LoopSpeaker<C extends Record> extends DetourMechanism<C> {
    /** Tokens that may wait from a port to another: one of each priority of some ports. */
    int RELAYED = 4 * PRIORITIES;

    @Override
    default List<CounterText> receiverCounters() {
        return LoopReceiver.COUNTERS;
    }

    /** A search of its own in each priority, and what passes. */
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

    /** The priorities whose sender a port asks to pause. */
    @Override
    default int boardWords() {
        return 1;
    }
}
