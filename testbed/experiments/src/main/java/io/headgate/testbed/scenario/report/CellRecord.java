package io.headgate.testbed.scenario.report;

import io.headgate.control.report.Environment;
import io.headgate.testbed.scenario.CellResult;
import java.util.Comparator;

/**
 * The result of one cell, and the process that ran it.
 *
 * @param endedSeconds since its process began
 */
public record CellRecord(CellResult result, Maker maker, double endedSeconds) {
    /**
     * Orders successful cells first; then by an arbitrary rule that does not depend on the order of
     * the input.
     */
    static final Comparator<CellRecord> BEST_FIRST =
            Comparator.<CellRecord>comparingInt(cell -> cell.result.failure() == null ? 0 : 1)
                    .thenComparing(CellRecord::maker, Maker.ORDER)
                    .thenComparingDouble(cell -> cell.result.wallSeconds());

    /**
     * A process that ran cells.
     *
     * @param started start time, as ISO 8601 text
     */
    public record Maker(String command, String started, Environment environment) {
        static final Comparator<Maker> ORDER =
                Comparator.comparing(Maker::started)
                        .thenComparing(Maker::command)
                        .thenComparing(maker -> maker.environment.toString());
    }
}
