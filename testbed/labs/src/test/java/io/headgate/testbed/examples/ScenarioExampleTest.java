package io.headgate.testbed.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.examples.Shell.Ended;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A scenario comes in a jar. */
class ScenarioExampleTest {
    @RegisterExtension private static final ExampleJars JARS = new ExampleJars("scenario");

    @Test
    void aScenarioOfAJarRunsLikeAShippedOne() throws Exception {
        Ended run = JARS.reproduce("store-and-forward", "out", "--set", "switches=1..3:1");
        assertThat(run.said()).contains("PASS: 6 of 6 as expected.");
        assertThat(run.code()).isZero();
    }

    @Test
    void whereTheJarsAreNotASweepOfTheirsIsRefused() throws Exception {
        Ended refused =
                JARS.bash(
                        "\"$HEADGATE\" reproduce store-and-forward --plugins jars --out far --tasks"
                                + " 1 --on ssh:nowhere.invalid");
        assertThat(refused.said()).contains("--plugins does not go with machines with ssh");
        assertThat(refused.code()).isEqualTo(2);
    }

    @Test
    @Tag("netns")
    void aScenarioOfAJarRunsOnRealFramesToo() throws Exception {
        Ended run =
                JARS.bash(
                        "\"$HEADGATE\" reproduce store-and-forward --plugins=jars --out really"
                                + " --bed netns --set switches=2");
        assertThat(run.said()).contains("PASS: 1 of 1 as expected.");
        assertThat(run.code()).isZero();
    }
}
