package io.headgate.testbed.scenario.campaign;

import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Words;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the environment variables that a batch system sets for a task: its place in an array of
 * tasks, and the number of its processors.
 */
public final class BatchSystem {
    /** The variable with the number of tasks; overrides the batch system's own number. */
    public static final String SHARDS = "HEADGATE_SHARDS";

    private static final String SLURM = "SLURM_ARRAY_TASK_";
    private static final String SGE = "SGE_TASK_";
    private static final int MAX_SHARDS = 100_000;

    /**
     * A batch system that does not give the first and the last number.
     *
     * @param first the first number that it usually has
     */
    private record Array(String system, String index, int first, @Nullable String count) {}

    private static final List<Array> OTHERS =
            List.of(
                    new Array(
                            "AWS Batch",
                            "AWS_BATCH_JOB_ARRAY_INDEX",
                            0,
                            "AWS_BATCH_JOB_ARRAY_SIZE"),
                    new Array("Kubernetes", "JOB_COMPLETION_INDEX", 0, null),
                    new Array("PBS", "PBS_ARRAY_INDEX", 1, null),
                    new Array("PBS", "PBS_ARRAYID", 1, null));

    private static final List<String> PROCESSORS =
            List.of(
                    "SLURM_CPUS_PER_TASK",
                    "SLURM_CPUS_ON_NODE",
                    "NSLOTS",
                    "PBS_NCPUS",
                    "NCPUS",
                    "PBS_NUM_PPN");

    private BatchSystem() {}

    /**
     * The shard of this task. An array may start at any number; any {@code count} consecutive
     * numbers give all shards.
     *
     * @param environment environment of this process
     * @param told number of tasks; 0: {@link #SHARDS} or the batch system gives it
     * @throws ScenarioException if this process is not a task of an array, or the number of tasks
     *     is unknown
     */
    public static Shard shard(Map<String, String> environment, int told) throws ScenarioException {
        int count =
                told == 0 && environment.containsKey(SHARDS) ? number(environment, SHARDS) : told;
        if (environment.containsKey(SLURM + "ID")) {
            return ofRange(environment, "Slurm", SLURM, "MIN", "MAX", "STEP", count);
        }
        // Grid Engine says "undefined" where there is no array.
        if (!environment.getOrDefault(SGE + "ID", "undefined").equals("undefined")) {
            return ofRange(environment, "Grid Engine", SGE, "FIRST", "LAST", "STEPSIZE", count);
        }
        for (Array array : OTHERS) {
            if (environment.containsKey(array.index)) {
                int of = count;
                if (of == 0 && array.count != null) {
                    of = number(environment, array.count);
                }
                if (of == 0) {
                    throw new ScenarioException(
                            "--shard auto: "
                                    + array.system
                                    + " does not give the number of tasks of its array; use --shard"
                                    + " auto/N, or "
                                    + SHARDS
                                    + "=N in the environment");
                }
                return numbered(number(environment, array.index) - array.first, of);
            }
        }
        throw new ScenarioException(
                "--shard auto: this is not a task of an array: none of SLURM_ARRAY_TASK_ID,"
                        + " JOB_COMPLETION_INDEX (Kubernetes), SGE_TASK_ID, PBS_ARRAY_INDEX,"
                        + " PBS_ARRAYID and AWS_BATCH_JOB_ARRAY_INDEX is in the environment; give a"
                        + " part with --shard I/N");
    }

    private static Shard ofRange(
            Map<String, String> environment,
            String system,
            String prefix,
            String first,
            String last,
            String step,
            int count)
            throws ScenarioException {
        int index = number(environment, prefix + "ID");
        if (count > 0 && !environment.containsKey(prefix + first)) {
            return numbered(index - 1, count);
        }
        int from = number(environment, prefix + first);
        int by =
                environment.containsKey(prefix + step)
                        ? Math.max(1, number(environment, prefix + step))
                        : 1;
        int to = number(environment, prefix + last);
        int of = (to - from) / by + 1;
        if (count > 0) {
            if (by > 1 && of == count && (index - from) % by == 0) {
                return numbered((index - from) / by, count);
            }
            // Arrays are usually numbered from 1; of more numbers, two would be one shard.
            if ((long) to - from < count && (by == 1 || to <= count)) {
                return numbered(index - 1, count);
            }
            throw new ScenarioException(
                    "--shard auto/%d: this array of %s has numbers from %d to %d in steps of %d;"
                                    .formatted(count, system, from, to, by)
                            + " allowed are "
                            + count
                            + " numbers in equal steps, or some of 1 to "
                            + count);
        }
        String told = environment.get(prefix + "COUNT");
        if (told != null && number(environment, prefix + "COUNT") != of) {
            throw new ScenarioException(
                    "--shard auto: this array of "
                            + system
                            + " has gaps, so its tasks are not all shards; give the total number of"
                            + " shards with --shard auto/N");
        }
        return numbered((index - from) / by, of);
    }

    private static Shard numbered(int index, int of) throws ScenarioException {
        if (of < 1 || of > MAX_SHARDS) {
            throw new ScenarioException(
                    "--shard auto: " + of + " tasks: allowed are 1 to " + MAX_SHARDS);
        }
        return new Shard(Math.floorMod(index, of) + 1, of);
    }

    private static int number(Map<String, String> environment, String name)
            throws ScenarioException {
        String text = environment.getOrDefault(name, "");
        try {
            int number = Integer.parseInt(text.strip());
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Told below.
        }
        throw new ScenarioException(
                "--shard auto: "
                        + name
                        + " is '"
                        + Words.shown(text)
                        + "', and should be a number");
    }

    /**
     * Number of processors that this task may use: those granted, but no more than the machine has.
     */
    public static int processors(Map<String, String> environment, int available) {
        for (String name : PROCESSORS) {
            String text = environment.getOrDefault(name, "");
            if (text.matches("[1-9][0-9]{0,5}")) {
                return Math.min(Integer.parseInt(text), available);
            }
        }
        return available;
    }
}
