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
 * Where standard output, and that of errors, goes. Java's own streams hide what cannot be written;
 * this one remembers it, so that a command whose output was lost ends as one that failed.
 */
final class StandardOutput extends OutputStream {
    /** A command that prints until it is ended has none to print to: as shells say of SIGPIPE. */
    static final int OUTPUT_GONE = 141;

    private static final int BUFFER_BYTES = 8_192;
    private static final String BROKEN_PIPE = "Broken pipe";

    private final OutputStream target;
    private @Nullable IOException lost;

    private StandardOutput(OutputStream target) {
        this.target = target;
    }

    /** Has the whole process print through one of these. */
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
     * What a command ends with: never with 0 if some of its output was lost, which is said on
     * standard error. Only a command that had ended because nothing reads its output needs no
     * sentence.
     *
     * @param code its own
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
