package io.headgate.control.cli;

import io.headgate.config.ConfigException;
import io.headgate.config.Reason;
import io.headgate.control.capture.CaptureException;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.report.Json;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.runner.WorkerBusyException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/**
 * Shows a failure as its sentence and answers the exit code: 1 for work that failed, 2 for wrong
 * usage or configuration. {@code HEADGATE_DEBUG=1} adds the stack trace.
 */
final class Failures implements IExecutionExceptionHandler {
    @Override
    public int handleExecutionException(
            Exception thrown, CommandLine commandLine, ParseResult parsed) {
        PrintWriter err = commandLine.getErr();
        if ("1".equals(System.getenv("HEADGATE_DEBUG"))) {
            thrown.printStackTrace(err);
        }
        // Where a command is a method, an error comes as an exception.
        String declaration = Headgate.unusable(thrown);
        Exception failure = declaration == null ? thrown : CommandFailure.badInput(declaration);
        printJson(failure, commandLine, parsed.originalArgs());
        return switch (failure) {
            case ConfigException wrong ->
                    say(
                            err,
                            (wrong.problems().isEmpty() ? "headgate: " : "") + wrong.getMessage(),
                            ExitCode.USAGE);
            case CommandFailure command ->
                    say(err, "headgate: " + command.getMessage(), command.exitCode());
            case DeviceException _, DaemonException _, CaptureException _, WorkerBusyException _ ->
                    say(err, "headgate: " + failure.getMessage(), ExitCode.SOFTWARE);
            default ->
                    say(
                            err,
                            "headgate: internal error: "
                                    + failure
                                    + " (HEADGATE_DEBUG=1 shows where)",
                            ExitCode.SOFTWARE);
        };
    }

    private static int say(PrintWriter err, @Nullable String sentence, int exitCode) {
        err.println(sentence);
        err.flush();
        return exitCode;
    }

    /**
     * Prints a failure for programs, if the command line has {@code --json}: {@code {"error": "…"}}
     * on standard output, with {@code problems} if a file is wrong. The sentence for people goes to
     * standard error in any case.
     */
    static void printJson(Exception failure, CommandLine command, List<String> words) {
        if (words.contains("--json")) {
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put("error", Reason.of(failure));
            if (failure instanceof ConfigException wrong && !wrong.problems().isEmpty()) {
                answer.put("problems", wrong.problems());
            }
            PrintWriter out = command.getOut();
            out.println(Json.COMPACT.writeValueAsString(answer));
            out.flush();
        }
    }
}
