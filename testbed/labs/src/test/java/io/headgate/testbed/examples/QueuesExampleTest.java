package io.headgate.testbed.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.examples.Shell.Ended;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A scheduler and a buffer policy come in a jar. */
class QueuesExampleTest {
    @RegisterExtension private static final ExampleJars JARS = new ExampleJars("queues");

    @Test
    void queuesOfAJarHaveKeysMessagesAndDecideWhatIsTakenAndWhatIsSent() throws Exception {
        Path file = ExampleJars.file("queues/first-come.yaml");
        Ended run = JARS.reproduce(file, "shares");
        assertThat(run.said()).contains("PASS: 3 of 3 as expected.");
        assertThat(run.code()).isZero();
        Path small = JARS.changed(file, text -> text.replace("limit: 60kB", "limit: 6kB"));
        Ended wrong = JARS.reproduce(small, "wrong-limit");
        assertThat(wrong.said())
                .contains("queues.first-come.limit: found \"6kB\"; allowed: a size such as");
        assertThat(wrong.code()).isEqualTo(2);
        Path off = JARS.changed(file, text -> text.replace("limit: 60kB", "enabled: false"));
        Ended byPriority = JARS.reproduce(off, "off");
        assertThat(byPriority.said()).contains("FAIL");
        assertThat(byPriority.code()).isEqualTo(1);
    }
}
