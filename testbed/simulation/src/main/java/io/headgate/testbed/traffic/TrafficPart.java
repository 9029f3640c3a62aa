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
    /** The time of its hosts, in ps. */
    LongSupplier clockPs;

    /** Makes headers; one thread at a time may use it. */
    final FrameTemplate template = new FrameTemplate();

    /** Flows that its hosts have cut short, of which their receivers take no notice yet. */
    final List<Flow> cut = new ArrayList<>();

    /** Flows of sources that its hosts know to be complete, and their senders do not yet. */
    final List<Flow> completed = new ArrayList<>();

    TrafficPart(LongSupplier clockPs) {
        this.clockPs = clockPs;
    }
}
