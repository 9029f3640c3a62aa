package io.headgate.testbed.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.examples.Shell.Ended;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A congestion point that knows other ports comes in a jar. */
class PortBoardExampleTest {
    @RegisterExtension private static final ExampleJars JARS = new ExampleJars("port-board");

    @Test
    void aCongestionPointOfAJarMarksByTheQueueOfAnotherPort() throws Exception {
        Ended run = JARS.reproduce(ExampleJars.file("port-board/far-queue.yaml"), "far-queue");
        assertThat(run.said()).contains("PASS: 4 of 4 as expected.");
        assertThat(run.code()).isZero();
    }

    @Test
    @Tag("netns")
    void aCongestionPointOfAJarSeesAnotherPortsQueueOnRealFramesToo() throws Exception {
        Path file = ExampleJars.file("port-board/far-queue.yaml");
        Ended run = JARS.reproduceReally(file, "4ms", "far-really");
        // How many are marked depends on the machine: a host that is held lets the queue run short.
        assertThat(JARS.measure("far-really", "frames marked of back (frames)"))
                .as(run.said())
                .isPositive();
        assertThat(JARS.measure("far-really", "frames marked of aside (frames)")).isZero();
    }
}
