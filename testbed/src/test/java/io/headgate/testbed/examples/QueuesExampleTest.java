package io.headgate.testbed.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.examples.Shell.Ended;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A scheduler and a buffer policy come in a jar. */
class QueuesExampleTest {
    @RegisterExtension private static final ExampleJars JARS = new ExampleJars("queues");

    @Test
    void queuesOfAJarHaveKeysMessagesAndDecideWhatIsTakenAndWhatIsSent() throws Exception {
        String file = ExampleJars.EXAMPLES.resolve("queues/first-come.yaml").toString();
        Ended run = JARS.bash("\"$HEADGATE\" --plugins=jars reproduce \"$1\" --out shares", file);
        assertThat(run.said()).contains("PASS: 3 of 3 as expected.");
        assertThat(run.code()).isZero();
        Ended wrong =
                JARS.bash(
                        """
                        sed 's/limit: 60kB/limit: 6kB/' "$1" >wrong-limit.yaml
                        "$HEADGATE" --plugins jars reproduce wrong-limit.yaml --out wrong-limit
                        """,
                        file);
        assertThat(wrong.said())
                .contains("queues.first-come.limit: found \"6kB\"; allowed: a size such as");
        assertThat(wrong.code()).isEqualTo(2);
        Ended byPriority =
                JARS.bash(
                        """
                        sed 's/limit: 60kB/enabled: false/' "$1" >off.yaml
                        "$HEADGATE" --plugins jars reproduce off.yaml --out off
                        """,
                        file);
        assertThat(byPriority.said()).contains("FAIL");
        assertThat(byPriority.code()).isEqualTo(1);
    }
}
