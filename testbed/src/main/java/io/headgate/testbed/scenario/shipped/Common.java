package io.headgate.testbed.scenario.shipped;

import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.Unit;
import io.headgate.testbed.scenario.Values;
import io.headgate.testbed.topology.LinkSpec;
import java.util.List;

/** What several scenarios have in common. */
final class Common {
    static final long PS_PER_NS = 1000;
    static final int WIRE_OVERHEAD_BYTES = 24;

    static final Parameter RATE =
            Parameter.number(
                    "rate", Unit.RATE, "10Gbps", "10Mbps", "400Gbps", "rate of every link");
    static final Parameter DELAY =
            Parameter.number(
                    "delay",
                    Unit.DURATION,
                    "1us",
                    "0ns",
                    "10ms",
                    "propagation delay of every link");
    static final Parameter FRAME =
            Parameter.number(
                    "frame", Unit.SIZE, "1514B", "100B", "1514B", "length of frames, without FCS");

    private Common() {}

    static LinkSpec link(Values values) {
        return LinkSpec.of(values.whole("rate"), values.whole("delay"));
    }

    /** How long a frame takes a wire, with preamble, FCS and gap, in microseconds. */
    static double wireUs(double frameBytes, double rateBps) {
        return (frameBytes + WIRE_OVERHEAD_BYTES) * 8e6 / rateBps;
    }

    /** Gb/s of frames without FCS on a link that is never idle. */
    static double fullGbps(double frameBytes, double rateBps) {
        return rateBps / 1e9 * frameBytes / (frameBytes + WIRE_OVERHEAD_BYTES);
    }

    /**
     * Such as {@code load 0.5, seed 2}: what tells a run from the others; empty for a single one.
     */
    static String label(List<CellResult> results, CellResult result) {
        List<String> varied =
                result.cell().values().names().stream()
                        .filter(name ->
                                results.stream()
                                                .map(r -> r.cell().values().text(name))
                                                .distinct()
                                                .count()
                                        > 1)
                        .toList();
        boolean manySeeds = results.stream().map(r -> r.cell().seed()).distinct().count() > 1;
        boolean manyBeds = results.stream().map(r -> r.cell().bed()).distinct().count() > 1;
        return result.cell().label(varied, manySeeds, manyBeds);
    }

    /** The name, with the label behind it where there is one. */
    static String named(String name, List<CellResult> results, CellResult result) {
        String label = label(results, result);
        return label.isEmpty() ? name : name + " (" + label + ")";
    }
}
