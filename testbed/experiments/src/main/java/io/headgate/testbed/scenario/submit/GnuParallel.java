package io.headgate.testbed.scenario.submit;

import static io.headgate.control.cli.bench.ShellWords.line;
import static io.headgate.control.cli.bench.ShellWords.quoted;

import io.headgate.config.Reason;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.campaign.SweepRequest;
import io.headgate.testbed.scenario.report.CellJson;
import io.headgate.testbed.scenario.report.Result.ScenarioText;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks on machines with ssh, by GNU parallel (Tange, 2011). They need neither shared files
 * nor Java: each gets a distribution of Headgate once, and every task prints each cell when it
 * ends, so that a machine that fails loses only the cells that it was running.
 */
public final class GnuParallel implements FollowedSubmitter {
    private static final long END_WITHIN_S = 10;
    private static final String SHARD = "@SHARD@";

    private static final String SCRIPT =
            """
            # $PARALLEL_SSH is GNU parallel's own variable: another ssh, or one with options.
            export PARALLEL_SSH="${PARALLEL_SSH:-ssh} -o BatchMode=yes -o ConnectTimeout=15"
            PARALLEL_SSH+=" -o ServerAliveInterval=15"
            distribution=@DISTRIBUTION@
            place=.cache/headgate/@KEY@
            hosts=(@HOSTS@)

            # The program is unpacked once on each host. Then it receives its task, and says how many
            # it will run at a time: as many as it has cores, or what was asked for.
            set_up() { # host, tasks at a time
                local has
                has=$($PARALLEL_SSH -n "$1" "test -x $place/headgate && echo yes || echo no") || return
                [[ $has == yes ]] || $PARALLEL_SSH "$1" "mkdir -p $place.$$ && tar xz -C $place.$$ --strip-components=1 &&
                        { mv -T $place.$$ $place 2>/dev/null || rm -rf $place.$$; }" <"$distribution" || return
                $PARALLEL_SSH "$1" "cd $place && sh -s $2" <<'@END@'
            n=${1:-$(nproc)}
            cat >@NAME@ <<'@END@-TASK'
            #!/bin/sh
            cd "$(dirname "$0")" || exit
            # The machine's memory is for all tasks that run at a time; what is set there comes after.
            export HEADGATE_JAVA_OPTS="-XX:MaxRAMPercentage=$((60 / $(cat @NAME@.n) + 1)) ${HEADGATE_JAVA_OPTS:-}"
            exec @COMMAND@
            @END@-TASK
            chmod +x @NAME@
            echo "$n" | tee @NAME@.n
            @SCENARIO@
            @END@
            }

            logins=()
            for host in "${hosts[@]}"; do
                n=
                [[ $host != */* ]] || n=${host%%/*}
                if n=$(set_up "${host#*/}" "$n"); then
                    logins+=(--sshlogin "$n/${host#*/}")
                else
                    echo "${host#*/} is left out: it cannot be reached, or not be set up" >&2
                fi
            done
            [[ ${#logins[@]} -gt 0 ]] || { echo "no host is left" >&2; exit 1; }
            # What is there it runs, as Perl: no other user may have written it.
            export PARALLEL_HOME="${XDG_CACHE_HOME:-$HOME/.cache}/headgate/parallel"
            mkdir -p "$PARALLEL_HOME"
            exec parallel --will-cite --line-buffer "${logins[@]}" "$place/@NAME@ {}" ::: {1..@COUNT@}
            """;

    private final List<String> hosts;
    private final Path distribution;
    private final Path launcher;
    private final Path out;
    private volatile @Nullable Process process;
    private volatile boolean cancelled;

    /**
     * @param hosts host names for {@code ssh}; {@code N/host} for N tasks at a time there
     * @param distribution the distribution made by {@code headgate dist}
     * @param launcher path of Headgate's launcher on this machine
     * @param out directory of the result on this machine
     */
    public GnuParallel(List<String> hosts, Path distribution, Path launcher, Path out) {
        this.hosts = List.copyOf(hosts);
        this.distribution = distribution.toAbsolutePath();
        this.launcher = launcher.toAbsolutePath();
        this.out = out.toAbsolutePath();
    }

    /** A complete script, including the merge of the tasks' output. */
    @Override
    public String script(Tasks tasks) throws ScenarioException {
        List<String> merge =
                List.of(launcher.toString(), "reproduce", "merge", "-", "--out", out.toString());
        return "#!/bin/bash\n# "
                + tasks.title()
                + ", and a merge of what they print.\n"
                + "{\n"
                // First: tasks have the scenario's file at another path.
                + "printf '%s\\n' "
                + quoted(CellJson.sweep(tasks.sweep()))
                + "\n"
                + tasks(tasks)
                + "} | "
                + line(merge)
                + "\n";
    }

    /** The script that has every task's lines on its standard output. */
    private String tasks(Tasks tasks) throws ScenarioException {
        ScenarioText file = tasks.sweep().file();
        String task = "task-" + tasks.sweep().id();
        String end = "END-" + tasks.sweep().id();
        SweepRequest request = tasks.sweep().request();
        List<String> words = new ArrayList<>(List.of("./headgate"));
        words.addAll(
                tasks.arguments(
                        file == null ? request : request.withScenario(task + ".yaml"), SHARD));
        words.addAll(List.of("--lines", "--jobs", "1"));
        String command = line(words).replace(quoted(SHARD), "\"$1\"/" + tasks.count());
        return SCRIPT.replace("@DISTRIBUTION@", quoted(distribution.toString()))
                .replace("@KEY@", key())
                .replace("@HOSTS@", line(hosts))
                .replace("@COUNT@", Integer.toString(tasks.count()))
                .replace("@NAME@", task)
                .replace("@END@", end)
                .replace("@COMMAND@", command)
                .replace(
                        "@SCENARIO@",
                        file == null
                                ? ""
                                : "printf %%s %s >%s.yaml\n".formatted(quoted(file.text()), task));
    }

    private String key() throws ScenarioException {
        try (InputStream file = Files.newInputStream(distribution)) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            try (DigestInputStream in = new DigestInputStream(file, digest)) {
                in.transferTo(OutputStream.nullOutputStream());
            }
            return HexFormat.of().formatHex(digest.digest(), 0, Long.BYTES);
        } catch (IOException e) {
            throw new ScenarioException("cannot read " + distribution + ": " + Reason.of(e), e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    @Override
    public void run(Tasks tasks, Follower follower) throws ScenarioException {
        Process started = Bash.start(tasks(tasks), true);
        process = started;
        if (cancelled) {
            cancel();
        }
        Thread errors =
                Thread.ofPlatform()
                        .daemon()
                        .name("headgate-parallel-errors")
                        .start(() -> tell(started, follower));
        try (BufferedReader lines = started.inputReader(StandardCharsets.UTF_8)) {
            Bash.lines(lines, follower::line);
            started.waitFor();
            errors.join();
        } catch (IOException e) {
            throw new ScenarioException("cannot read what tasks print: " + Reason.of(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ScenarioException("was ended early", e);
        } finally {
            end(started);
            process = null;
        }
    }

    private static void tell(Process started, Follower follower) {
        try (BufferedReader errors = started.errorReader(StandardCharsets.UTF_8)) {
            Bash.lines(
                    errors,
                    line -> {
                        if (!line.isBlank()) {
                            follower.say(line.strip());
                        }
                    });
        } catch (IOException | ScenarioException e) {
            follower.say("cannot read what tasks say: " + Reason.of(e));
        }
    }

    /** GNU parallel ends its tasks on the other machines when it gets a signal to end. */
    private static void end(Process started) {
        started.destroy();
        try {
            if (!started.waitFor(END_WITHIN_S, TimeUnit.SECONDS)) {
                started.destroyForcibly();
            }
        } catch (InterruptedException e) {
            started.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void cancel() {
        cancelled = true;
        Process running = process;
        if (running != null) {
            end(running);
        }
    }
}
