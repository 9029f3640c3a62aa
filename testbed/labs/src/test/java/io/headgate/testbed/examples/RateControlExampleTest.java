package io.headgate.testbed.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.examples.Shell.Ended;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A rate control comes in a jar, and obeys the congestion point of another. */
class RateControlExampleTest {
    @RegisterExtension
    private static final ExampleJars JARS = new ExampleJars("congestion-point", "rate-control");

    @Test
    void aRateControlOfAJarObeysTheNoticesOfAnothersCongestionPoint() throws Exception {
        Path file = ExampleJars.file("rate-control/backoff.yaml");
        Ended run = JARS.reproduce(file, "told");
        assertThat(run.said()).contains("PASS: 3 of 3 as expected.");
        assertThat(run.code()).isZero();
        Path series = JARS.directory().resolve("told/series.csv");
        assertThat(Files.readAllLines(series))
                .filteredOn(line -> line.contains("h1 notices.obeyed") && line.contains(",20000,"))
                .singleElement()
                .asString()
                .doesNotEndWith(",0");
        Path silent =
                JARS.changed(
                        file,
                        text ->
                                text.replace(", notice: 10us", "")
                                        .replace("duration: 20ms", "duration: 5ms"));
        Ended untold = JARS.reproduce(silent, "untold");
        assertThat(untold.said()).contains("FAIL  frames dropped", "FAIL  highest queue");
        assertThat(untold.code()).isEqualTo(1);
        Path fast = JARS.changed(file, text -> text.replace("step: 100Mbps", "step: 100Gbps"));
        Ended wrong = JARS.reproduce(fast, "wrong");
        assertThat(wrong.said())
                .contains("control.backoff.step: found \"100Gbps\"; allowed: a rate");
        assertThat(wrong.code()).isEqualTo(2);
    }

    @Test
    void aRateControlOfAJarIsComparedWithOthersInOneSweepAndOneFigure() throws Exception {
        Path file = ExampleJars.file("rate-control/compared.yaml");
        Ended run = JARS.reproduce(file, "compared", "--seed", "1..3");
        assertThat(run.said().replaceAll("\\s+", " "))
                .contains("compared with control none; paired t-test over 3 seeds")
                .containsPattern("backoff mean of queue s1/p5 \\(kB\\) .* yes rocc mean");
        assertThat(run.code()).isZero();
        Path figures = JARS.directory().resolve("compared/figures");
        assertThat(Files.readAllLines(figures.resolve("sweep-mean-of-queue-s1-p5.csv")))
                .hasSize(5)
                .first()
                .isEqualTo("panel,series,control,mean of queue s1/p5 (kB),low,high");
        assertThat(figures.resolve("queue.svg")).as("drawn a second time").doesNotExist();
    }

    @Test
    @Tag("netns")
    void aRateControlOfAJarObeysNoticesOnRealFramesToo() throws Exception {
        Path file = ExampleJars.file("rate-control/backoff.yaml");
        Ended run = JARS.reproduce(file, "really-told", "--bed", "netns");
        assertThat(JARS.lastOfSeries("really-told", "h1 notices.obeyed").values())
                .as(run.said())
                .singleElement()
                .satisfies(obeyed -> assertThat(obeyed).isPositive());
        // How many are dropped depends on the machine; of greedy senders, three frames of four are.
        assertThat(JARS.measure("really-told", "frames dropped (frames)"))
                .isLessThan(0.7 * JARS.measure("really-told", "frames sent of all (frames)"));
    }
}
