package io.headgate.testbed.conform;

import io.headgate.testbed.conform.CaseResult.Losses;
import io.headgate.testbed.conform.CaseResult.Verdict;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.bed.RealBed;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The time for which the machine kept hosts and switches of a case's runs from the cores. The
 * effect of the machine on a run says nothing about a switch.
 *
 * @param ms of this machine's clock, the longest of all runs; 0 in virtual time
 * @param pauses the same in pauses of 65,535 quanta, in which cases are measured
 */
record MachineHold(double ms, double pauses) {
    static final MachineHold NONE = new MachineHold(0, 0);

    static final int MOST_TRIES = 3;

    /**
     * A longer hold than this many pauses spoils a run: a full line sends 42 kB in this time, about
     * the queue length at which marks begin in cases.
     */
    private static final double LONGEST_PAUSES = 0.01;

    /**
     * The time for which a host and a switch may be held up before a lossless frame is lost: in all
     * cases, headroom is planned for it.
     */
    private static final double REACTION_MS = 30;

    private static final double US_PER_MS = 1e3;

    /** With that of one more run. */
    MachineHold and(CellResult cell, double pauseUs) {
        MachineHold longest = this;
        for (String of : List.of(RealBed.HELD_UP, RealBed.WOKE_LATE)) {
            // NaN where the run failed, or was not on real frames.
            double us = cell.measure(of);
            if (us / pauseUs > longest.pauses) {
                longest = new MachineHold(us * cell.cell().scale() / US_PER_MS, us / pauseUs);
            }
        }
        return longest;
    }

    /**
     * Whether a case is tried again: only if it ran to its end and failed, the machine held it up,
     * and every frame that did not arrive has a port and a reason. Where that is a lossless one,
     * the machine must have held it up for longer than headroom is planned for. A switch that loses
     * frames and does not say so is not excused, and nothing that broke is.
     */
    boolean excuses(CaseResult result) {
        return result.verdict() == Verdict.FAIL
                && result.why().isEmpty()
                && pauses > LONGEST_PAUSES
                && result.tries().size() + 1 < MOST_TRIES
                && (ms > REACTION_MS || result.losses().stream().noneMatch(Losses::isOfLossless))
                && result.losses().stream().allMatch(losses -> losses.unnamed() == 0);
    }

    /** The tries of a result so far, with it as the last. */
    List<String> tries(CaseResult result) {
        List<String> tries = new ArrayList<>(result.tries());
        tries.add(
                String.format(
                        Locale.ROOT,
                        "try %d does not count: the machine delayed the bed by %.0f ms (%s)",
                        tries.size() + 1,
                        ms,
                        result.failed()));
        return tries;
    }
}
