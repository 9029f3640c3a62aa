package io.headgate.testbed.scenario.file;

import io.headgate.testbed.scenario.bed.Experiment;
import java.util.List;

/** What a scenario's text becomes, for tests of other packages. */
public final class DefinedFile {
    private DefinedFile() {}

    /** With the defaults of its parameters. */
    public static Experiment experiment(String text) {
        return ScenarioReader.define(text, "f").experiment();
    }

    /** What is said when it is read, in a sentence each. */
    public static List<String> warnings(String text) {
        return ScenarioReader.define(text, "f").warnings();
    }
}
