package io.headgate.testbed.scenario.submit;

import io.headgate.config.Reason;
import io.headgate.testbed.scenario.ScenarioException;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Runs shell scripts on this machine. */
final class Bash {
    private static final int LINES_KEPT = 3;

    private Bash() {}

    @FunctionalInterface
    interface Lines {
        void line(String line) throws ScenarioException;
    }

    /**
     * Starts a script, given as text: in a file of its own, because arguments have a length limit.
     */
    static Process start(String script, boolean errorsApart) throws ScenarioException {
        try {
            Path file = Files.createTempFile("headgate-", ".sh");
            Files.writeString(file, "rm -f -- \"$0\"\n" + script);
            ProcessBuilder builder = new ProcessBuilder(List.of("bash", file.toString()));
            builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
            builder.redirectErrorStream(!errorsApart);
            return builder.start();
        } catch (IOException e) {
            throw new ScenarioException("cannot start bash: " + Reason.of(e), e);
        }
    }

    /** The output of a program and its exit code. */
    record Said(int exitCode, String text) {
        String lastLines() {
            Deque<String> last = new ArrayDeque<>();
            text.lines()
                    .filter(line -> !line.isBlank())
                    .forEach(line -> {
                        last.add(line.strip().replaceAll("\\p{Cntrl}", "?"));
                        if (last.size() > LINES_KEPT) {
                            last.removeFirst();
                        }
                    });
            return last.isEmpty() ? "exit code " + exitCode : String.join("; ", last);
        }
    }

    /**
     * Runs a script to its end, even if Ctrl-C, a closed terminal or a service manager, whose
     * signals reach all of our processes, ends this process meanwhile: a submission can be
     * cancelled only once it has a number.
     */
    static Said run(String script) throws ScenarioException {
        Process process = start("trap '' INT TERM HUP QUIT\n" + script, false);
        try {
            String text =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Said(process.waitFor(), text);
        } catch (IOException e) {
            throw new ScenarioException("cannot read what bash says: " + Reason.of(e), e);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new ScenarioException("was ended early", e);
        }
    }

    /** Passes on a program's lines until it closes its output. */
    static void lines(BufferedReader from, Lines to) throws ScenarioException {
        try {
            for (String line = from.readLine(); line != null; line = from.readLine()) {
                to.line(line);
            }
        } catch (IOException e) {
            throw new ScenarioException("cannot read what tasks say: " + Reason.of(e), e);
        }
    }
}
