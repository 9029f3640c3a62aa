package io.headgate.control.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where standard output, and that of errors, goes. */
final class StandardOutput {
    private StandardOutput() {}

    /** Whether a person reads it as it comes. The JDK only tells of input and output together. */
    static boolean isTerminal() {
        return isTerminal(1);
    }

    /** Whether a person reads as it comes what goes to standard error. */
    static boolean areErrorsOnTerminal() {
        return isTerminal(2);
    }

    private static boolean isTerminal(int descriptor) {
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
