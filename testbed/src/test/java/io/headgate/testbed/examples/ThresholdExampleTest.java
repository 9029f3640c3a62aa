package io.headgate.testbed.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.examples.Shell.Ended;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A buffer threshold comes in a jar. */
class ThresholdExampleTest {
    @RegisterExtension private static final ExampleJars JARS = new ExampleJars("threshold");

    @Test
    void aThresholdOfAJarHoldsWhatAlphaWouldDrop() throws Exception {
        String file = ExampleJars.EXAMPLES.resolve("threshold/burst-floor.yaml").toString();
        Ended run = JARS.bash("\"$HEADGATE\" --plugins=jars reproduce \"$1\" --out floor", file);
        assertThat(run.said()).contains("PASS: 1 of 1 as expected.");
        assertThat(run.code()).isZero();
        Ended byAlpha =
                JARS.bash(
                        """
                        sed 's/least: 30kB/enabled: false/' "$1" >alpha.yaml
                        "$HEADGATE" --plugins jars reproduce alpha.yaml --out alpha
                        """,
                        file);
        assertThat(byAlpha.said()).contains("FAIL  frames dropped");
        assertThat(byAlpha.code()).isEqualTo(1);
        Ended wrong =
                JARS.bash(
                        """
                        sed 's/least: 30kB/least: 30B/' "$1" >wrong-floor.yaml
                        "$HEADGATE" --plugins jars reproduce wrong-floor.yaml --out wrong-floor
                        """,
                        file);
        assertThat(wrong.said())
                .contains("threshold.burst-floor.least: found \"30B\"; allowed: a size such as");
        assertThat(wrong.code()).isEqualTo(2);
    }
}
