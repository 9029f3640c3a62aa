package io.headgate.testbed.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.examples.Shell.Ended;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A detour comes in a jar. */
class DetourExampleTest {
    @RegisterExtension private static final ExampleJars JARS = new ExampleJars("detour");

    @Test
    void aDetourOfAJarHasFramesOvertakeTheirOwnQueue() throws Exception {
        Path file = ExampleJars.file("detour/overtake.yaml");
        Ended run = JARS.reproduce(file, "ahead");
        assertThat(run.said()).contains("PASS: 4 of 4 as expected.");
        assertThat(run.code()).isZero();
        Path off = JARS.changed(file, text -> text.replace("dscp: 46}}", "enabled: false}}"));
        Ended queued = JARS.reproduce(off, "queued");
        assertThat(queued.said()).contains("FAIL  mean delay of quick");
        assertThat(queued.code()).isEqualTo(1);
    }

    @Test
    @Tag("netns")
    void aDetourOfAJarHasRealFramesOvertakeToo() throws Exception {
        Path file = ExampleJars.file("detour/overtake.yaml");
        Ended run = JARS.reproduceReally(file, "4ms", "really-ahead");
        // How much waits depends on the machine; all of them are frames that would wait.
        assertThat(JARS.lastOfSeries("really-ahead", " overtake.overtook").values())
                .as(run.said())
                .singleElement()
                .satisfies(overtook -> assertThat(overtook).isPositive());
    }
}
