package io.headgate.control.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Policies from the command line. */
final class PolicyCommandTest {
    @TempDir private Path directory;

    private String out = "";
    private String err = "";

    private int run(String... words) {
        CommandLine command = Headgate.commandLine(new PolicyCommand());
        StringWriter outText = new StringWriter();
        StringWriter errText = new StringWriter();
        command.setOut(new PrintWriter(outText)).setErr(new PrintWriter(errText));
        int code = command.execute(words);
        out = outText.toString();
        err = errText.toString();
        return code;
    }

    @Test
    void checkSaysWhatThereIs() {
        assertThat(run("policy", "check", "lqd.oq")).isZero();
        assertThat(out).isEqualTo("lqd.oq: a policy of 4 queues, 1 buffer, 1 port\n");
    }

    @Test
    void checkSaysWhereAndWhyAPolicyIsWrong() throws Exception {
        Path file = directory.resolve("wrong.oq");
        Files.writeString(file, "q = Queue(9000)\nout = Port(q);\n");
        assertThat(run("policy", "check", file.toString())).isEqualTo(2);
        assertThat(err)
                .isEqualTo(
                        "headgate: "
                                + file
                                + ":1:16: expected \";\", found \"out\"\n    q = Queue(9000)\n"
                                + " ".repeat(19)
                                + "^\n");
    }

    @Test
    void checkAcceptsWhatNoPortCanRunAndSaysSo() throws Exception {
        Path file = directory.resolve("two.oq");
        Files.writeString(file, "a = Queue(9); b = Queue(9);\nx = Port(a); y = Port(b);\n");
        assertThat(run("policy", "check", file.toString())).isZero();
        assertThat(out).contains("no switch can run it: queue a has no procPrio");
        assertThat(run("policy", "explain", file.toString())).isEqualTo(2);
        assertThat(err).contains("no switch can run it: queue a has no procPrio");
    }

    @Test
    void policiesOfAllPortsOfASwitchAreCheckedAndExplained() {
        for (String file :
                List.of("buffered-crossbar-4.oq", "virtual-output-4.oq", "shared-lqd-4.oq")) {
            assertThat(run("policy", "check", file)).isZero();
            assertThat(out)
                    .contains(
                            "describes a switch with 4 ports; use it with domain: {fabric: {file:"
                                    + " …}}");
        }
        assertThat(run("policy", "explain", "virtual-output-4.oq")).isZero();
        assertThat(out)
                .contains(
                        "input in1: voq11, voq12, voq13, voq14, served by crr, at 200 % of the line",
                        "input in3", "output out4: oq4")
                .doesNotContain("\ncrosspoint");
    }

    @Test
    void aPolicyThatFitsSeveralSwitchesIsTakenForTheOneThatIsNamed() throws Exception {
        Path file = directory.resolve("six.oq");
        StringBuilder text = new StringBuilder("import \"standard.oq\"\n");
        for (int i = 1; i <= 6; i++) {
            text.append(
                    "q%1$d = Queue(9); q%1$d.procPrio = fifo; p%1$d = Port(q%1$d);\n".formatted(i));
        }
        Files.writeString(file, text);
        assertThat(run("policy", "check", file.toString())).isZero();
        assertThat(out)
                .contains("describes a switch with 6 ports", "also fits a switch with 2 ports");
        assertThat(run("policy", "explain", "--ports", "2", file.toString())).isZero();
        assertThat(out).contains("crosspoint p4", "output p5");
        assertThat(run("policy", "explain", "--ports", "5", file.toString())).isEqualTo(2);
        assertThat(err).contains("declares 6 ports; for a switch of 5 ports");
    }

    @Test
    void explainSaysStepsAndStructures() {
        assertThat(run("policy", "explain", "push-out.oq")).isZero();
        assertThat(out)
                .isEqualTo(
                        """
                        queue q1: 100,000 bytes, priorities 0, 1, 2, 3, 4, 5, 6, 7
                          sent first: the highest by fifo; list in order of arrival
                          dropped first: the lowest by most_valuable; list for each value of the key
                        an arriving packet
                          is recorded with value
                          goes to the queue that carries its priority
                          is checked by congestion, with the state before the packet: the first case that is true applies
                          enters; then, while its queue or buffer is over its size, the lowest-ranked packet is dropped
                        when the line is free
                          a queue is served: the only one
                        """);
        assertThat(run("policy", "explain", "--packets", "algorithm-c-2.oq")).isZero();
        assertThat(out).contains("queue q2: 256 packets", "the same structure, from its other end");
    }

    @Test
    void aFileThatIsNotThereIsASentence() {
        assertThat(run("policy", "check", "nowhere/none.oq")).isEqualTo(2);
        assertThat(err).isEqualTo("headgate: nowhere/none.oq: there is no such file\n");
    }
}
