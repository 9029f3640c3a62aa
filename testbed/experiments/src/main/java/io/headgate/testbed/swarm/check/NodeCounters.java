package io.headgate.testbed.swarm.check;

import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.testbed.virtual.VirtualNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The values of all counters of switches and hosts at the end of a run. All of them, also
 * watermarks, must be the same however often duties were called: a call without cause counts
 * nothing, and all frames of an instant come in one call. Counters of workers and of real hosts'
 * devices are included, and are 0 in virtual time.
 */
public final class NodeCounters {
    private NodeCounters() {}

    /** Values by names such as {@code s0: EGRESS p1 frames.transmitted}. */
    public static Map<String, Long> of(List<VirtualNode> nodes) {
        Map<String, Long> values = new LinkedHashMap<>();
        for (VirtualNode node : nodes) {
            CounterDirectory counters = node.engine().counters();
            for (CounterDirectory.Entry entry : counters.entries()) {
                String name =
                        node + ": " + entry.scope() + " " + entry.owner() + " " + entry.label();
                if (values.put(name, counters.value(entry)) != null) {
                    throw new IllegalStateException("two counters are " + name);
                }
            }
        }
        return values;
    }

    /**
     * Compares the counters of a run under checks with those of a run without.
     *
     * @throws BrokenException if one differs
     */
    public static void compare(Map<String, Long> checked, Map<String, Long> plain) {
        if (!checked.keySet().equals(plain.keySet())) {
            throw new BrokenException("the same seed gives counters with other names");
        }
        checked.forEach((name, value) -> {
            Long other = plain.get(name);
            if (!value.equals(other)) {
                throw new BrokenException(
                        "the same seed gives other counters: %s is %d under checking, %d without"
                                .formatted(name, value, other));
            }
        });
    }
}
