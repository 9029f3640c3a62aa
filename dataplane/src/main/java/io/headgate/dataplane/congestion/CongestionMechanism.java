package io.headgate.dataplane.congestion;

import io.headgate.config.Mechanism;
import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.frame.Sink;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A mechanism that watches the queues of a port. If the file {@code
 * META-INF/services/io.headgate.config.Mechanism} of its jar names it, it can be configured below
 * {@code congestion} of any port, and its counters appear with the port's.
 *
 * @param <C> its configuration
 */
public interface CongestionMechanism<C extends Record> extends Mechanism<C> {

    @Override
    default Kind kind() {
        return Kind.CONGESTION_POINT;
    }

    /**
     * Its counters for each queue. The mechanism's name is put before a label and the queue's
     * number behind it: {@code marked} becomes {@code red.marked.p3}.
     */
    List<CounterText> counters();

    /** Maximum number of notices that it sends at a time, for which room is provided; 0: none. */
    default int notices(C configuration) {
        return 0;
    }

    /**
     * Number of words that each port shows the others on its {@link
     * io.headgate.dataplane.memory.sync.PortBoard}, where the latest values count; 0: none. A port
     * at which the mechanism is off shows none.
     */
    default int boardWords() {
        return 0;
    }

    /**
     * Makes the sink that removes at a host's card the bytes that points have added to frames; null
     * if they add none. Made once for each card whose wire side has the mechanism.
     */
    default @Nullable Sink sink(C configuration) {
        return null;
    }

    /**
     * Makes the congestion point of a port; a new one whenever its configuration, the port's rate
     * or its queues change, which then takes over from the old one ({@link
     * CongestionPoint#goOnFrom}).
     */
    CongestionPoint point(C configuration, CongestionSetup setup);
}
