package io.headgate.testbed.lab;

import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Section;
import io.headgate.testbed.netns.BedException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** Repeats a run on a new network if one of its orders waits in vain. */
final class Attempts {
    /** How often a run is begun at most. */
    private static final int MOST = 3;

    private Attempts() {}

    /**
     * One attempt of a run.
     *
     * @param <T> what it comes to
     */
    interface Attempt<T> {
        /**
         * Runs it.
         *
         * @param endsInVain whether it ends where an order waits in vain
         */
        T run(boolean endsInVain) throws BedException;

        /** Whether it ended because an order waited in vain. */
        boolean isInVain();
    }

    /**
     * What a run comes to. The lab's report has nothing of attempts that ended in vain but why.
     *
     * @param name of the run
     * @param mayWait whether an order of it waits
     * @param begins makes an attempt that fills in a report of its own
     * @param keep takes the report of the last one, which may have failed
     */
    static <T> T of(
            Lab lab,
            String name,
            boolean mayWait,
            Function<RunReport, Attempt<T>> begins,
            Consumer<RunReport> keep)
            throws BedException {
        List<String> whys = new ArrayList<>();
        while (true) {
            RunReport part = new RunReport(name);
            Attempt<T> attempt = begins.apply(part);
            boolean mayEnd = mayWait && whys.size() + 1 < MOST;
            Lab.Kept before = lab.kept();
            boolean isLast = true;
            try {
                return attempt.run(mayEnd);
            } catch (BedException e) {
                if (!mayEnd || !attempt.isInVain()) {
                    throw e;
                }
                isLast = false;
                lab.keep(before);
                whys.add(e.getMessage());
                lab.progress.say("Once more: " + e.getMessage());
            } finally {
                if (isLast) {
                    describe(whys, part);
                    keep.accept(part);
                }
            }
        }
    }

    private static void describe(List<String> whys, RunReport part) {
        if (whys.isEmpty()) {
            return;
        }
        String before = whys.size() == 1 ? "the first attempt" : "the first two attempts";
        part.add(
                new Section(
                        "Begun again",
                        whys,
                        "this report has nothing of "
                                + before
                                + ": "
                                + String.join("; ", whys.stream().distinct().toList())));
    }
}
