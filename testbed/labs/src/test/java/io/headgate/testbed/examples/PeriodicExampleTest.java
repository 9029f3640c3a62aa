package io.headgate.testbed.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.examples.Shell.Ended;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A congestion point that looks in periods comes in a jar. */
class PeriodicExampleTest {
    @RegisterExtension private static final ExampleJars JARS = new ExampleJars("periodic");

    @Test
    void aDetectorOfAJarLooksAtItsQueueInPeriods() throws Exception {
        Path file = ExampleJars.file("periodic/pi-marking.yaml");
        Ended run = JARS.reproduce(file, "periods");
        assertThat(run.said()).contains("PASS: 2 of 2 as expected.");
        assertThat(run.code()).isZero();
        Path above =
                JARS.changed(file, text -> text.replace("reference: 60kB", "reference: 300kB"));
        JARS.reproduce(above, "above");
        assertThat(JARS.measure("above", "frames marked of both (frames)")).isZero();
    }
}
