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
    private final List<Flow> cut = new ArrayList<>();
    private final List<Flow> completed = new ArrayList<>();

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

    /** Flows that its hosts have cut short, of which their receivers take no notice yet. */
    List<Flow> cut() {
        return cut;
    }

    /** Flows of sources that its hosts know to be complete, and their senders do not yet. */
    List<Flow> completed() {
        return completed;
    }
}
