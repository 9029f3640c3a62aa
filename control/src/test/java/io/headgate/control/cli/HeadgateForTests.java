package io.headgate.control.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ServiceLoader;

/** Runs a command in this process as the program does: only what its first word names is loaded. */
public final class HeadgateForTests {
    private HeadgateForTests() {}

    /** What a command printed. */
    public record Ran(int code, String out, String err) {}

    public static Ran run(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code =
                Headgate.commandLine(
                                Headgate.asked(ServiceLoader.load(CommandProvider.class), args))
                        .setOut(new PrintWriter(out, true))
                        .setErr(new PrintWriter(err, true))
                        .execute(args);
        return new Ran(code, out.toString(), err.toString());
    }
}
