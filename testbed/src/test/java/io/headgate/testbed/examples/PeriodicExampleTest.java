package io.headgate.testbed.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.examples.Shell.Ended;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A congestion point that looks in periods comes in a jar. */
class PeriodicExampleTest {
    @RegisterExtension private static final ExampleJars JARS = new ExampleJars("periodic");

    @Test
    void aDetectorOfAJarLooksAtItsQueueInPeriods() throws Exception {
        String file = ExampleJars.EXAMPLES.resolve("periodic/pi-marking.yaml").toString();
        Ended run = JARS.bash("\"$HEADGATE\" --plugins=jars reproduce \"$1\" --out periods", file);
        assertThat(run.said()).contains("PASS: 2 of 2 as expected.");
        assertThat(run.code()).isZero();
        JARS.bash(
                """
                sed 's/reference: 60kB/reference: 300kB/' "$1" >above.yaml
                "$HEADGATE" --plugins jars reproduce above.yaml --out above
                """,
                file);
        assertThat(JARS.measure("above", "frames marked of both (frames)")).isZero();
    }
}
