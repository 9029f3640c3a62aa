package io.headgate.testbed.scenario.bed;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.PortConfig;
import io.headgate.dataplane.counter.CounterDirectory.Entry;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.CounterLookup;
import io.headgate.dataplane.counter.PriorityCounter;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.virtual.SwitchNode;
import java.util.ArrayList;
import java.util.List;

/** What flow control did at each port of a switch: buffers, headroom, pauses, stops. */
final class PauseMeasures {
    /** Of more ports nobody reads the table; counters of some can be recorded. */
    static final int MOST_PORTS = 64;

    private static final int PRIORITIES = 8;
    private static final double NS_PER_US = 1e3;

    private PauseMeasures() {}

    /** Of all ports that have flow control, in their order. */
    static List<Measure> of(SwitchNode node) {
        List<Measure> measures = new ArrayList<>();
        for (PortConfig port : node.engine().config().ports()) {
            int lossless = port.traffic().losslessMask();
            FlowControlConfig.Mode mode = port.flowControl().mode();
            boolean byPriority =
                    mode == FlowControlConfig.Mode.PFC || mode == FlowControlConfig.Mode.CREDITS;
            if (byPriority && lossless != 0) {
                measures.addAll(of(node, port, lossless));
            }
        }
        return measures;
    }

    private static List<Measure> of(SwitchNode node, PortConfig port, int lossless) {
        FlowControlConfig.Buffers buffers = port.flowControl().buffers();
        long highest = 0;
        long headroom = 0;
        long pauses = 0;
        long stoppedNs = 0;
        for (int priority = 0; priority < PRIORITIES; priority++) {
            if ((lossless >>> priority & 1) != 0) {
                String label = PriorityCounter.Ingress.OCCUPANCY_MAX_BYTES.label(priority);
                long held = value(node, Scope.INGRESS, port.name(), label);
                highest = Math.max(highest, held);
                if (buffers != null) {
                    headroom = Math.max(headroom, held - buffers.xoffBytes());
                    label = PriorityCounter.Egress.XOFF_SENT.label(priority);
                    pauses += value(node, Scope.EGRESS, port.name(), label);
                }
                label = PriorityCounter.Egress.STOPPED_NS.label(priority);
                stoppedNs += value(node, Scope.EGRESS, port.name(), label);
            }
        }
        String of = " of " + node.name() + "/" + port.name();
        List<Measure> measures = new ArrayList<>();
        measures.add(new Measure("highest buffer" + of, "byte", highest));
        if (buffers != null) {
            measures.add(new Measure("headroom used" + of, "byte", headroom));
            measures.add(new Measure("pauses sent" + of, "pauses", pauses));
        }
        measures.add(new Measure("time stopped" + of, "us", stoppedNs / NS_PER_US));
        return measures;
    }

    private static long value(SwitchNode node, Scope scope, String port, String label) {
        List<Entry> entries = node.engine().counters().entries();
        return node.engine().counters().value(CounterLookup.find(entries, scope, port, label));
    }
}
