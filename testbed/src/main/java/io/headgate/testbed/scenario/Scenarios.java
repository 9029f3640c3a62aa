package io.headgate.testbed.scenario;

import io.headgate.config.key.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * All scenarios on the class path: those that come with Headgate, and those of any jar that names
 * its own in {@code META-INF/services/io.headgate.testbed.scenario.Scenario}.
 */
public final class Scenarios {
    private Scenarios() {}

    /**
     * All of them, in the order in which their jars name them.
     *
     * @throws ScenarioException if a jar names one that cannot be used
     */
    public static List<Scenario> all() throws ScenarioException {
        List<Scenario> all = new ArrayList<>();
        try {
            for (Scenario scenario : ServiceLoader.load(Scenario.class)) {
                String name = scenario.about().name();
                String where = scenario.getClass().getName() + ", scenario \"" + name + "\": ";
                if (!name.matches("[a-z0-9]+(-[a-z0-9]+)*")) {
                    throw new ScenarioException(
                            where + "a name is lower case with hyphens, such as my-incast");
                }
                if (find(all, name) != null) {
                    throw new ScenarioException(where + "another scenario has this name");
                }
                all.add(scenario);
            }
        } catch (ServiceConfigurationError e) {
            throw new ScenarioException("a scenario in a jar cannot be used: " + e.getMessage(), e);
        }
        return all;
    }

    /**
     * A scenario by its name.
     *
     * @throws ScenarioException if no scenario has this name; the message suggests the closest one
     */
    public static Scenario named(String name) throws ScenarioException {
        List<Scenario> all = all();
        Scenario found = find(all, name);
        if (found != null) {
            return found;
        }
        List<String> names = all.stream().map(scenario -> scenario.about().name()).toList();
        String near = Text.nearest(name, names);
        throw new ScenarioException(
                "no scenario is named '"
                        + Words.shown(name)
                        + "'"
                        + (near == null ? "" : " (" + near + "?)")
                        + ": allowed is "
                        + String.join(", ", names)
                        + ", or the path of a scenario file");
    }

    private static @Nullable Scenario find(List<Scenario> among, String name) {
        for (Scenario scenario : among) {
            if (scenario.about().name().equals(name)) {
                return scenario;
            }
        }
        return null;
    }
}
