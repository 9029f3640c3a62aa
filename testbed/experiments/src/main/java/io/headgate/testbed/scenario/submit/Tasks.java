package io.headgate.testbed.scenario.submit;

import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.campaign.CellList;
import io.headgate.testbed.scenario.campaign.SweepRequest;
import io.headgate.testbed.scenario.report.SweepDescription;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The cells of a sweep, divided among tasks.
 *
 * @param count number of tasks; each takes every count-th cell
 * @param checking whether invariants are checked after every instant
 */
public record Tasks(SweepDescription sweep, BitSet cells, int count, boolean checking) {
    /**
     * Target time of a task: a longer one loses more work when it fails, a shorter one is mostly
     * start-up.
     */
    public static final double SECONDS = 120;

    /** Maximum number of tasks of an array: Slurm's default limit (MaxArraySize) is 1,001. */
    public static final int MOST = 1000;

    private static final int NAME_LENGTH = 40;

    /**
     * The number of tasks that makes each about {@link #SECONDS} long.
     *
     * @param first result of the first cell; null: it would have taken longer than a task should
     */
    public static int countFor(int cells, @Nullable CellResult first) {
        // One that failed may have done so at its start.
        return countFor(
                cells, first == null || first.failure() != null ? SECONDS : first.wallSeconds());
    }

    /** As {@link #countFor(int, CellResult)}, for a known time of a cell. */
    static int countFor(int cells, double secondsPerCell) {
        double perTask = Math.max(1, Math.floor(SECONDS / Math.max(secondsPerCell, 1e-3)));
        return (int) Math.clamp(Math.ceil(cells / perTask), 1, Math.min(MOST, cells));
    }

    /**
     * The command-line arguments after {@code headgate} that run one task's cells, without the
     * destination, which the caller appends.
     */
    List<String> arguments(String shard) {
        return arguments(sweep.request(), shard);
    }

    /** The arguments for a machine that has the scenario's file at another path. */
    List<String> arguments(SweepRequest request, String shard) {
        List<String> words = new ArrayList<>(request.arguments());
        words.addAll(List.of("--cells", CellList.format(cells), "--shard", shard));
        if (checking) {
            words.add("--check");
        }
        return words;
    }

    /** A name for jobs, of lower-case letters, digits and hyphens. */
    String name() {
        String scenario = sweep.scenario().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
        String name = "headgate-" + scenario;
        return name.substring(0, Math.min(name.length(), NAME_LENGTH)).replaceAll("-$", "")
                + "-"
                + sweep.id().substring(0, Math.min(6, sweep.id().length()));
    }

    /** A name that differs from those of tasks for other cells of the sweep. */
    String jobName() {
        int hash = 31 * cells.hashCode() + count;
        return String.format("%s-%06x", name(), hash & 0xFFFFFF);
    }

    /** A description in one line. */
    public String title() {
        return cells.cardinality()
                + " of "
                + sweep.cellsInAll()
                + " runs of "
                + sweep.scenario()
                + " in "
                + count
                + (count == 1 ? " task" : " tasks");
    }
}
