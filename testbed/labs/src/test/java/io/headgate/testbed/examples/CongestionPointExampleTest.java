package io.headgate.testbed.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.examples.Shell.Ended;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A congestion point comes in a jar. */
class CongestionPointExampleTest {
    @RegisterExtension private static final ExampleJars JARS = new ExampleJars("congestion-point");

    @Test
    void aCongestionPointOfAJarHasKeysMessagesAndMarks() throws Exception {
        Path file = ExampleJars.file("congestion-point/delay-marking.yaml");
        Ended run = JARS.reproduce(file, "marks");
        assertThat(run.said()).contains("PASS: ");
        assertThat(run.code()).isZero();
        Path late = JARS.changed(file, text -> text.replace("target: 50us", "target: 5s"));
        Ended wrong = JARS.reproduce(late, "wrong");
        assertThat(wrong.said())
                .contains(
                        "congestion.delay-marking.target: found \"5s\"; allowed: a time such as"
                                + " 50us, from 1us to 100ms");
        assertThat(wrong.code()).isEqualTo(2);
        Ended without = ExampleJars.without("reproduce", file.toString());
        assertThat(without.said())
                .contains("unknown mechanism \"delay-marking\"", "a jar need --plugins DIR");
        assertThat(without.code()).isEqualTo(2);
    }

    @Test
    @Tag("netns")
    void aCongestionPointOfAJarMarksRealFramesToo() throws Exception {
        Path file = ExampleJars.file("congestion-point/delay-marking.yaml");
        Ended run = JARS.reproduceReally(file, "4ms", "really-marked");
        // How many are marked depends on the machine: a host that is held lets the queue run short.
        assertThat(JARS.measure("really-marked", "frames marked of both (frames)"))
                .as(run.said())
                .isPositive();
        assertThat(JARS.measure("really-marked", "frames dropped (frames)")).isZero();
    }

    @Test
    void whatOnlyTheWholeOfAConfigurationShowsIsToldInASentence() throws Exception {
        Ended noAddress = run("", "priority: 0");
        assertThat(noAddress)
                .isEqualTo(
                        new Ended(
                                2,
                                "headgate: switch whole: port p1: its congestion points send"
                                        + " notifications, but switch whole has no address to send"
                                        + " them from; add one, such as address: 10.0.0.254/24\n"));
        Ended watched = run("address: 10.0.0.254/24,", "priority: 6");
        assertThat(watched.said())
                .startsWith("headgate: switch whole: port p1: delay-marking sends notifications")
                .hasLineCount(1);
        assertThat(watched.code()).isEqualTo(2);
    }

    private static Ended run(String ofSwitch, String ofNotices) throws Exception {
        Path file =
                JARS.write(
                        "whole.yaml",
                        """
                        {name: whole, %s ports: [{name: p1, device: {afpacket: hgnone0},
                          congestion: {delay-marking: {notice: 10us, %s}}}]}
                        """
                                .formatted(ofSwitch, ofNotices));
        return ExampleJars.headgate("switch", "run", "-c", file.toString(), "--no-warm-up");
    }
}
