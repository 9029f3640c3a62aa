package io.headgate.testbed.scenario.cli;

import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.report.Result.ScenarioText;
import io.headgate.testbed.scenario.shipped.Shipped;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Finds the scenario that a person means: one that is shipped, or a file. */
final class ScenarioFinder {
    private ScenarioFinder() {}

    /** A scenario, and the file it came from if it did. */
    record Found(Scenario scenario, @Nullable ScenarioText file) {}

    static Found find(String nameOrFile) throws ScenarioException {
        return new Found(Shipped.named(nameOrFile), null);
    }

    static boolean isFile(String nameOrFile) {
        return nameOrFile.endsWith(".yaml") || nameOrFile.endsWith(".yml");
    }

    /** The scenario of a result that is read. */
    static Scenario again(String name, @Nullable ScenarioText file) throws ScenarioException {
        return Shipped.named(name);
    }

    static Path defaultDirectory(String name) {
        return Path.of("headgate-reproduce", name);
    }
}
