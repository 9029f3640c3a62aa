package io.headgate.testbed.traffic;

import io.headgate.testbed.traffic.frame.FrameTemplate;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * What those hosts of a run share that one thread calls: all of them, or the hosts of one part of
 * the run. What concerns a host of another part waits here until all threads rest.
 */
final class TrafficPart {
    private LongSupplier clockPs;
    private final FrameTemplate template = new FrameTemplate();
    private final List<Flow> ended = new ArrayList<>();

    /**
     * @param clockPs the time of its hosts, in ps
     */
    TrafficPart(LongSupplier clockPs) {
        this.clockPs = clockPs;
    }

    /** Sets what the time of its hosts is. */
    void clock(LongSupplier ps) {
        clockPs = ps;
    }

    long nowPs() {
        return clockPs.getAsLong();
    }

    /** What makes headers; one thread at a time may use it. */
    FrameTemplate template() {
        return template;
    }

    /** Flows of whose ends hosts of other parts are still to take notice. */
    List<Flow> ended() {
        return ended;
    }
}
