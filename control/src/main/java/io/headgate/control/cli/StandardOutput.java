package io.headgate.control.cli;

import io.headgate.config.Reason;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ExitCode;

/**
 * Replaces the streams of standard output and standard error. Java's own streams hide write errors;
 * this one remembers them, so that a command fails if its output was lost.
 */
final class StandardOutput extends OutputStream {
    /** Exit code of a command that lost the reader of its output, as in a shell after SIGPIPE. */
    static final int OUTPUT_GONE = 141;

    private static final int BUFFER_BYTES = 8_192;
    private static final String BROKEN_PIPE = "Broken pipe";

    private final OutputStream target;
    private @Nullable IOException lost;

    private StandardOutput(OutputStream target) {
        this.target = target;
    }

    /** Makes the whole process print through such a stream. */
    static StandardOutput install() {
        StandardOutput output = new StandardOutput(new FileOutputStream(FileDescriptor.out));
        System.setOut(
                new PrintStream(
                        new BufferedOutputStream(output, BUFFER_BYTES),
                        true,
                        System.out.charset()));
        return output;
    }

    /**
     * The exit code of a command: never 0 if some of its output was lost, which is also reported on
     * standard error. No report is needed if the command ended because nothing reads its output.
     *
     * @param code the command's own exit code
     */
    int exitCode(int code) {
        System.out.flush();
        IOException why = lost;
        if (why == null || (code == OUTPUT_GONE && BROKEN_PIPE.equals(why.getMessage()))) {
            return code;
        }
        System.err.println("headgate: standard output could not be written: " + Reason.of(why));
        return code == 0 || code == OUTPUT_GONE ? ExitCode.SOFTWARE : code;
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        try {
            target.write(bytes, from, length);
        } catch (IOException e) {
            lost = lost == null ? e : lost;
            throw e;
        }
    }

    /**
     * Whether standard output is a terminal. The JDK can only answer for input and output together.
     */
    static boolean isTerminal() {
        return isTerminal(1);
    }

    static boolean isTerminal(int descriptor) {
        try {
            Path target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor));
            return target.startsWith("/dev/pts") || target.toString().startsWith("/dev/tty");
        } catch (IOException notLinux) {
            return false;
        }
    }

    /** A path by which another process of this user writes to it. */
    static String path() {
        return "/proc/" + ProcessHandle.current().pid() + "/fd/1";
    }
}
