package io.headgate.control.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ServiceLoader;

/** The command line as a person has it, in this process. */
public final class HeadgateForTests {
    private HeadgateForTests() {}

    /** What a command printed. */
    public record Ran(int code, String out, String err) {}

    public static Ran run(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code =
                Headgate.commandLine(ServiceLoader.load(CommandProvider.class))
                        .setOut(new PrintWriter(out, true))
                        .setErr(new PrintWriter(err, true))
                        .execute(args);
        return new Ran(code, out.toString(), err.toString());
    }
}
