package io.headgate.testbed.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.examples.Shell.Ended;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A link protocol that rates priorities comes in a jar. */
class RatingExampleTest {
    @RegisterExtension private static final ExampleJars JARS = new ExampleJars("rating");

    @Test
    void aLinkProtocolOfAJarRatesWhatWouldBeDropped() throws Exception {
        Path file = ExampleJars.file("rating/slow-down.yaml");
        Ended run = JARS.reproduce(file, "rated");
        assertThat(run.said()).contains("PASS: 4 of 4 as expected.");
        assertThat(run.code()).isZero();
        Path greedy =
                JARS.changed(
                        file,
                        text ->
                                text.replace("from: 40kB, to: 120kB", "enabled: false")
                                        .replaceAll("(?m)^  counters.*", "")
                                        .replaceAll(", counters: .*", "}")
                                        .replaceAll(".*slow-down.asked.*\n", ""));
        Ended unrated = JARS.reproduce(greedy, "unrated");
        assertThat(unrated.said()).contains("FAIL  frames dropped", "FAIL  highest queue");
        assertThat(unrated.code()).isEqualTo(1);
    }

    @Test
    @Tag("netns")
    void aLinkProtocolOfAJarRatesRealFramesToo() throws Exception {
        Path file = ExampleJars.file("rating/slow-down.yaml");
        Ended run = JARS.reproduce(file, "really-rated", "--bed", "netns");
        assertThat(JARS.lastOfSeries("really-rated", " slow-down.asked").values())
                .as(run.said())
                .hasSize(2)
                .allSatisfy(asked -> assertThat(asked).isPositive());
        // A machine that holds the switch lets hosts send on; without rates half are dropped.
        assertThat(JARS.measure("really-rated", "frames dropped (frames)"))
                .isLessThan(JARS.measure("really-rated", "frames sent of both (frames)") / 4);
    }
}
