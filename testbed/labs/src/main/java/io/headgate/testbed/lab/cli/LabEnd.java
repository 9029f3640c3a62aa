package io.headgate.testbed.lab.cli;

import io.headgate.control.daemon.EndSignals;
import io.headgate.testbed.lab.OwnLab;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ends a lab by ^C or TERM, at any moment: the signal's thread removes everything that the lab
 * made, and the lab's own thread, which then cannot continue, writes a report of the results so
 * far.
 */
final class LabEnd {
    private static final long MOST_SECONDS = 60;

    private final OwnLab lab;
    private final CountDownLatch removed = new CountDownLatch(1);
    private final CountDownLatch written = new CountDownLatch(1);
    private volatile int exitCode;

    LabEnd(OwnLab lab) {
        this.lab = lab;
        EndSignals.first(this::end);
        // An exit of another kind, such as by a hang-up, leaves no namespaces either.
        Runtime.getRuntime()
                .addShutdownHook(
                        Thread.ofPlatform().name("headgate-lab-end").unstarted(lab::close));
    }

    private void end(String signal) {
        exitCode = EndSignals.exitCode(signal);
        System.err.printf(
                "headgate: ending the lab early, and removing its namespaces; the results so far"
                        + " will be in %s%n",
                lab.reportDirectory().resolve("report.html"));
        lab.end(signal);
        removed.countDown();
        if (!await(written)) {
            System.err.println(
                    "headgate: still busy after " + MOST_SECONDS + " s; ends without a report");
            System.exit(exitCode);
        }
    }

    /** For the lab's thread, when it has done its part: the exit code. */
    int finish() {
        written.countDown();
        await(removed);
        return exitCode;
    }

    private static boolean await(CountDownLatch latch) {
        try {
            return latch.await(MOST_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
