package io.headgate.control.telemetry;

import io.headgate.control.counters.CounterSnapshot;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The names behind the numbers in telemetry, for the switches that run here, from the counters of
 * their ports. A number that several switches have, or none, stays a number.
 */
public final class SwitchNumbers {
    private static final String NODE = "telemetry.node.p0";
    private static final long UNKNOWN = 0xFFFF_FFFFL;

    private record Named(String name, List<String> ports) {}

    private final Map<Long, @Nullable Named> byNumber = new HashMap<>();

    public SwitchNumbers(Map<String, CounterSnapshot> switches) {
        switches.forEach((name, counters) -> {
            List<String> writing = counters.owners(Scope.EGRESS, NODE::equals);
            Named named = new Named(name, counters.owners(Scope.EGRESS));
            writing.stream()
                    .map(port -> counters.value(Scope.EGRESS, port, NODE))
                    .distinct()
                    .forEach(number ->
                            byNumber.put(number, byNumber.containsKey(number) ? null : named));
        });
    }

    private @Nullable Named find(int node) {
        return byNumber.get(Integer.toUnsignedLong(node));
    }

    /** A switch's name, or its number; - if the port did not report it. */
    public String name(int node) {
        Named found = find(node);
        long number = Integer.toUnsignedLong(node);
        return found != null ? found.name : number == UNKNOWN ? "-" : "no. " + number;
    }

    /** The name of a port by its number in telemetry, or the number. */
    public String port(int node, int number) {
        Named found = find(node);
        if (number < 0) {
            return "-";
        }
        if (number == 0) {
            return "itself";
        }
        return found != null && number <= found.ports.size()
                ? found.ports.get(number - 1)
                : "no. " + number;
    }
}
