package io.headgate.testbed.traffic;

import io.headgate.testbed.traffic.frame.FrameTemplate;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The state shared by the hosts that one thread calls: all hosts of a run, or those of one part of
 * it. Work for a host of another part waits here until all threads rest.
 */
final class TrafficPart {
    /** The clock of its hosts, in ps. */
    LongSupplier clockPs;

    /** Makes headers; one thread at a time may use it. */
    final FrameTemplate template = new FrameTemplate();

    /** Flows that its hosts have cut short; their receivers do not know it yet. */
    final List<Flow> cut = new ArrayList<>();

    /** Flows of sources that its hosts know to be complete; their senders do not know it yet. */
    final List<Flow> completed = new ArrayList<>();

    TrafficPart(LongSupplier clockPs) {
        this.clockPs = clockPs;
    }
}
