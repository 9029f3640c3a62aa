package io.headgate.testbed.scenario.shipped;

import io.headgate.dataplane.frame.Ethernet;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Labels;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Unit;
import io.headgate.testbed.scenario.Values;
import io.headgate.testbed.topology.LinkSpec;
import java.util.List;

/** What several scenarios have in common. */
final class Common {
    static final long PS_PER_NS = 1000;
    static final double NS_PER_S = 1e9;

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

    /** Refuses a threshold at which a pause ends that is not below the one at which it begins. */
    static void checkXon(Values values) throws ScenarioException {
        if (values.whole("xon") >= values.whole("xoff")) {
            throw new ScenarioException(
                    "parameter xon cannot be "
                            + values.text("xon")
                            + ": allowed is less than xoff, which is "
                            + values.text("xoff"));
        }
    }

    /** How long a frame takes a wire, with preamble, FCS and gap, in microseconds. */
    static double wireUs(double frameBytes, double rateBps) {
        return (frameBytes + Ethernet.WIRE_OVERHEAD_BYTES) * 8e6 / rateBps;
    }

    /** A text with what tells this run from the others behind it. */
    static String named(String text, List<CellResult> results, CellResult result) {
        return Labels.behind(text, results, result);
    }
}
