package io.headgate.perf.cli;

import io.headgate.testbed.scenario.campaign.ShellWords;
import java.io.PrintWriter;
import java.time.Instant;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Where a benchmark's command prints, and how it refuses: results to {@link #text}. */
record Terminal(CommandLine command, Instant began) {
    Terminal(CommandLine command) {
        this(command, Instant.now());
    }

    PrintWriter text() {
        return command.getOut();
    }

    /** The whole command line, as it was given. */
    String line() {
        return ShellWords.given(command);
    }

    /** A line beside the results, at once. */
    void say(String line) {
        command.getErr().println(line);
        command.getErr().flush();
    }

    /** Says why there is no result; answers the exit code. */
    int failed(Exception failure) {
        say("headgate bench: " + failure.getMessage());
        return 1;
    }

    /**
     * @throws ParameterException with the message and the usage, unless it holds
     */
    void require(boolean holds, String message) {
        if (!holds) {
            throw new ParameterException(command, message);
        }
    }
}
