package io.headgate.testbed.scenario.submit;

import static io.headgate.control.cli.bench.ShellWords.line;
import static io.headgate.control.cli.bench.ShellWords.quoted;

import io.headgate.testbed.scenario.ScenarioException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks on Slurm: an array of jobs, and a merge that waits for it. All nodes share files: each
 * task writes its cells into {@code --out}. A task that is requeued continues where it was.
 */
public final class Slurm implements FollowedSubmitter {
    private static final Pattern JOBS = Pattern.compile("jobs (\\d+) (\\d+)");
    private static final long FIRST_LOOK_MS = 1_000;
    private static final long LONGEST_LOOK_NS = 15_000_000_000L;

    /**
     * The next look comes after the elapsed time divided by this, so that a short sweep waits
     * little for a look.
     */
    private static final int SHARE_OF_TIME = 10;

    private final String options;
    private final Path launcher;
    private final Path out;
    private volatile @Nullable String jobs;
    private volatile boolean cancelled;

    /**
     * @param options options for sbatch, such as {@code --partition=short --mem=2G}
     * @param launcher path of Headgate's launcher that the nodes can read
     * @param out directory for cells and result that the nodes can write
     */
    public Slurm(String options, Path launcher, Path out) {
        this.options = options.isBlank() ? "" : " " + options.strip();
        this.launcher = launcher.toAbsolutePath();
        this.out = out.toAbsolutePath();
    }

    @Override
    public String script(Tasks tasks) {
        String log = quoted(out.resolve("log").toString());
        List<String> task = new ArrayList<>(List.of(launcher.toString()));
        task.addAll(tasks.arguments("auto/" + tasks.count()));
        task.addAll(List.of("--resume", "--out", out.toString()));
        List<String> merge = List.of(launcher.toString(), "reproduce", "merge", out.toString());
        return """
        #!/bin/bash
        # @TITLE@, and a merge behind them.
        set -euo pipefail
        mkdir -p @LOG@
        array=$(sbatch --parsable --output=@LOG@/%A-%a.txt@OPTIONS@ <<'JOB'
        #!/bin/bash
        #SBATCH --job-name=@NAME@
        #SBATCH --array=1-@COUNT@
        #SBATCH --cpus-per-task=1
        #SBATCH --requeue
        #SBATCH --open-mode=append
        export HEADGATE_NO_BUILD=1
        exec @TASK@
        JOB
        )
        array=${array%%;*}
        merge=$(sbatch --parsable --output=@LOG@/%j-merge.txt@OPTIONS@ --dependency=afterany:"$array" <<'JOB'
        #!/bin/bash
        #SBATCH --job-name=@NAME@-merge
        #SBATCH --requeue
        #SBATCH --open-mode=append
        export HEADGATE_NO_BUILD=1
        exec @MERGE@
        JOB
        ) || { scancel "$array"; exit 1; }
        echo "jobs $array ${merge%%;*}"
        """
                .replace("@TITLE@", tasks.title())
                .replace("@LOG@", log)
                .replace("@OPTIONS@", options)
                .replace("@NAME@", tasks.name())
                .replace("@COUNT@", Integer.toString(tasks.count()))
                .replace("@TASK@", line(task))
                .replace("@MERGE@", line(merge));
    }

    @Override
    public void run(Tasks tasks, Follower follower) throws ScenarioException {
        Bash.Said submitted = Bash.run(script(tasks));
        Matcher matcher = JOBS.matcher(submitted.text());
        if (submitted.exitCode() != 0 || !matcher.find()) {
            throw new ScenarioException("Slurm did not accept the jobs: " + submitted.lastLines());
        }
        jobs = matcher.group(1) + "," + matcher.group(2);
        if (cancelled) {
            cancel();
        }
        follower.say(
                "The array is Slurm's job "
                        + matcher.group(1)
                        + ", the merge is "
                        + matcher.group(2)
                        + "; their output is in "
                        + out.resolve("log")
                        + ". They continue if this command is killed or its terminal is closed;"
                        + " Ctrl-C and TERM cancel them.");
        follow(matcher.group(1) + "," + matcher.group(2), follower);
        jobs = null;
    }

    private void follow(String ids, Follower follower) throws ScenarioException {
        long startNs = System.nanoTime();
        long nextNs = startNs;
        boolean answered = true;
        while (!cancelled) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(FIRST_LOOK_MS));
            follower.look();
            if (System.nanoTime() - nextNs < 0) {
                continue;
            }
            long nowNs = System.nanoTime();
            long waitNs = Math.min((nowNs - startNs) / SHARE_OF_TIME, LONGEST_LOOK_NS);
            nextNs = nowNs + waitNs;
            Bash.Said queue = Bash.run("squeue --noheader --jobs=" + ids + " --format='%i %T %r'");
            boolean unknown = queue.text().contains("Invalid job id");
            if (queue.exitCode() != 0 && !unknown) {
                if (answered) {
                    follower.say(
                            "Slurm does not answer ("
                                    + queue.lastLines()
                                    + "); its jobs continue, and this command continues to wait.");
                }
                answered = false;
                continue;
            }
            answered = true;
            if (unknown || queue.text().isBlank()) {
                follower.look();
                return;
            }
        }
    }

    @Override
    public void cancel() {
        cancelled = true;
        String ids = jobs;
        if (ids == null) {
            return;
        }
        try {
            Bash.run("scancel " + ids.replace(',', ' '));
        } catch (ScenarioException e) {
            System.err.println("headgate: cannot cancel jobs " + ids + ": " + e.getMessage());
        }
    }
}
