package io.headgate.testbed.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.examples.Shell.Ended;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A buffer threshold comes in a jar. */
class ThresholdExampleTest {
    @RegisterExtension private static final ExampleJars JARS = new ExampleJars("threshold");

    @Test
    void aThresholdOfAJarHoldsWhatAlphaWouldDrop() throws Exception {
        Path file = ExampleJars.file("threshold/burst-floor.yaml");
        Ended run = JARS.reproduce(file, "floor");
        assertThat(run.said()).contains("PASS: 1 of 1 as expected.");
        assertThat(run.code()).isZero();
        Path alpha = JARS.changed(file, text -> text.replace("least: 30kB", "enabled: false"));
        Ended byAlpha = JARS.reproduce(alpha, "alpha");
        assertThat(byAlpha.said()).contains("FAIL  frames dropped");
        assertThat(byAlpha.code()).isEqualTo(1);
        Path small = JARS.changed(file, text -> text.replace("least: 30kB", "least: 30B"));
        Ended wrong = JARS.reproduce(small, "wrong-floor");
        assertThat(wrong.said())
                .contains("threshold.burst-floor.least: found \"30B\"; allowed: a size such as");
        assertThat(wrong.code()).isEqualTo(2);
    }
}
