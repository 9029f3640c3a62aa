package io.headgate.dataplane.congestion;

import io.headgate.config.Mechanism;
import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.frame.Sink;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A mechanism that watches the queues of a port: named in the file {@code
 * META-INF/services/io.headgate.config.Mechanism} of its jar, it can stand below {@code congestion}
 * of any port, and what it counts is with the port's counters.
 *
 * @param <C> its configuration
 */
public interface CongestionMechanism<C extends Record> extends Mechanism<C> {

    @Override
    default Kind kind() {
        return Kind.CONGESTION_POINT;
    }

    /**
     * What it counts of each queue; labels are completed by the mechanism's name before, and the
     * queue's number behind: {@code marked} becomes {@code red.marked.p3}.
     */
    List<CounterText> counters();

    /** Most notices that it sends at a time, for which there is then room; 0: none. */
    default int notices(C configuration) {
        return 0;
    }

    /**
     * Words that each port shows the others on its {@link
     * io.headgate.dataplane.memory.sync.PortBoard}, of which the latest count; 0: none. While it is
     * off at a port, that one shows nothing.
     */
    default int boardWords() {
        return 0;
    }

    /**
     * What takes off at a host's card what points have added to frames; null if they add nothing.
     * Made once for each card whose wire side has the mechanism.
     */
    default @Nullable Sink sink(C configuration) {
        return null;
    }

    /**
     * Makes one for a port; another one whenever its configuration, the port's rate or its queues
     * change, which then goes on from the first ({@link CongestionPoint#goOnFrom}).
     */
    CongestionPoint point(C configuration, CongestionSetup setup);
}
