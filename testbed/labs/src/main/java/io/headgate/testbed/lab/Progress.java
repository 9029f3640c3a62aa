package io.headgate.testbed.lab;

import io.headgate.control.report.Prose;
import java.io.PrintStream;

/** Prints lines about the progress of a lab, each with the time since the start. */
final class Progress {
    private final PrintStream out;
    private final long startNs = System.nanoTime();
    private volatile boolean quiet;

    Progress(PrintStream out) {
        this.out = out;
    }

    void say(String line) {
        if (!quiet) {
            double seconds = (System.nanoTime() - startNs) / 1e9;
            String all = String.format("[%6.1f s] %s", seconds, line);
            out.println(Prose.folded(all, all.indexOf(']') + 2));
        }
    }

    void plain(String line) {
        if (!quiet) {
            out.println(line);
        }
    }

    /** Suppresses all further lines: the lab is only being torn down. */
    void hush() {
        quiet = true;
    }
}
