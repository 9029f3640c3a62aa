package io.headgate.testbed.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.examples.Shell.Ended;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A congestion point comes in a jar. */
class CongestionPointExampleTest {
    @RegisterExtension private static final ExampleJars JARS = new ExampleJars("congestion-point");

    @Test
    void aCongestionPointOfAJarHasKeysMessagesAndMarks() throws Exception {
        String file =
                ExampleJars.EXAMPLES.resolve("congestion-point/delay-marking.yaml").toString();
        Ended run = JARS.bash("\"$HEADGATE\" --plugins=jars reproduce \"$1\" --out marks", file);
        assertThat(run.said()).contains("PASS: ");
        assertThat(run.code()).isZero();
        Ended wrong =
                JARS.bash(
                        """
                        sed 's/target: 50us/target: 5s/' "$1" >wrong.yaml
                        "$HEADGATE" --plugins jars reproduce wrong.yaml --out wrong
                        """,
                        file);
        assertThat(wrong.said())
                .contains(
                        "congestion.delay-marking.target: found \"5s\"; allowed: a time such as"
                                + " 50us, from 1us to 100ms");
        assertThat(wrong.code()).isEqualTo(2);
        Ended without = JARS.bash("\"$HEADGATE\" reproduce \"$1\" --out none", file);
        assertThat(without.said())
                .contains("unknown mechanism \"delay-marking\"", "a jar come with --plugins DIR");
        assertThat(without.code()).isEqualTo(2);
    }

    @Test
    @Tag("netns")
    @Tag("processes")
    void aCongestionPointOfAJarMarksRealFramesToo() throws Exception {
        String file =
                ExampleJars.EXAMPLES.resolve("congestion-point/delay-marking.yaml").toString();
        Ended run =
                JARS.bash(
                        "\"$HEADGATE\" --plugins=jars reproduce \"$1\" --bed netns --out"
                                + " really-marked",
                        file);
        // How many are marked depends on the machine: a host that is held lets the queue run short.
        assertThat(JARS.measure("really-marked", "frames marked of both (frames)"))
                .as(run.said())
                .isPositive();
        assertThat(JARS.measure("really-marked", "frames dropped (frames)")).isZero();
    }

    @Test
    void whatOnlyTheWholeOfAConfigurationShowsIsToldInASentence() throws Exception {
        String switchRun =
                """
                echo "{name: whole, $1 ports: [{name: p1, device: {afpacket: hgnone0},\
                 congestion: {delay-marking: {notice: 10us, $2}}}]}" >whole.yaml
                "$HEADGATE" --plugins jars switch run -c whole.yaml $3
                """;
        Ended noAddress = JARS.bash(switchRun, "", "priority: 0", "--no-warm-up");
        assertThat(noAddress)
                .isEqualTo(
                        new Ended(
                                2,
                                "headgate: switch whole: port p1: its congestion points send"
                                        + " notices, and switch whole has no address to send them"
                                        + " from: give it one, such as address: 10.0.0.254/24\n"));
        Ended watched =
                JARS.bash(switchRun, "address: 10.0.0.254/24,", "priority: 6", "--no-warm-up");
        assertThat(watched.said())
                .startsWith("headgate: switch whole: port p1: delay-marking sends notices")
                .hasLineCount(1);
        assertThat(watched.code()).isEqualTo(2);
    }
}
