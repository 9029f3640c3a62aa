package io.headgate.testbed.scenario.shipped;

import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Words;
import java.util.List;

/** All scenarios that come with Headgate, in the order of a list. */
public final class Shipped {
    private static final List<Scenario> ALL =
            List.of(
                    new Incast(),
                    new LosslessIncast(),
                    new MeanQueue(),
                    new EcmpSpread(),
                    new ParkingLot(),
                    new FourPortIncast());

    private Shipped() {}

    public static List<Scenario> all() {
        return ALL;
    }

    /**
     * A scenario by its name.
     *
     * @throws ScenarioException if there is none, with the one that was meant
     */
    public static Scenario named(String name) throws ScenarioException {
        for (Scenario scenario : ALL) {
            if (scenario.about().name().equals(name)) {
                return scenario;
            }
        }
        List<String> names = ALL.stream().map(scenario -> scenario.about().name()).toList();
        String near = Words.nearest(name, names);
        throw new ScenarioException(
                "no scenario is named '"
                        + Words.shown(name)
                        + "'"
                        + (near == null ? "" : " (" + near + "?)")
                        + ": allowed is "
                        + String.join(", ", names)
                        + ", or the path of a scenario file that ends in .yaml");
    }
}
