package io.headgate.control.cli;

import picocli.CommandLine.ExitCode;

/** Reports that a command failed: one sentence for a person, and the exit code. */
public final class CommandFailure extends Exception {
    private static final long serialVersionUID = 1;

    private final int exitCode;

    /** The work failed. */
    public CommandFailure(String sentence) {
        this(sentence, ExitCode.SOFTWARE);
    }

    private CommandFailure(String sentence, int exitCode) {
        super(sentence);
        this.exitCode = exitCode;
    }

    /** A failure because an argument or a configuration is wrong. */
    public static CommandFailure badInput(String sentence) {
        return new CommandFailure(sentence, ExitCode.USAGE);
    }

    int exitCode() {
        return exitCode;
    }
}
