package io.headgate.testbed.submit;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.scenario.cli.ReproduceCommand;
import io.headgate.testbed.scenario.report.CellDirectory;
import io.headgate.testbed.scenario.report.Comparison;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Sweeps through batch systems on this machine, whose tasks are killed while they run. */
@Tag("netns")
@Tag("programs")
@Timeout(1200)
class SweepsElsewhereTest {
    private static final int CELLS = 40;

    /** What the launcher of a distribution calls; no java is among it. */
    private static final String TOOLS =
            "awk basename bash cat cp cut dirname env find grep gzip id ls mkdir mv nproc readlink rm"
                    + " sed sh sha256sum tar test unshare";

    private static final Duration SOON = Duration.ofMinutes(5);

    private static final List<String> SWEEP =
            List.of("mg1", "--set", "load=0.1..0.8:0.1", "--set", "arrivals=30k", "--seed", "1..5");

    @TempDir private static Path shared;
    @TempDir private Path directory;
    private Scratch scratch;
    private int tasks = 8;

    @BeforeEach
    void open() throws Exception {
        scratch = new Scratch(directory);
    }

    @AfterEach
    void close() {
        scratch.close();
    }

    /** What one process gives, once for all. */
    private static Path single() {
        Path out = shared.resolve("single");
        return Files.exists(out) ? out : inOneProcess(SWEEP, out);
    }

    private static Path inOneProcess(List<String> sweep, Path out) {
        List<String> words = new ArrayList<>(sweep);
        words.addAll(List.of("--out", out.toString()));
        CommandLine command = new CommandLine(new ReproduceCommand());
        PrintStream terminal = System.out;
        System.setOut(new PrintStream(PrintStream.nullOutputStream()));
        try {
            assertThat(command.execute(words.toArray(String[]::new))).isLessThan(2);
        } finally {
            System.setOut(terminal);
        }
        return out;
    }

    private Process submit(List<String> sweep, Path out, String... options) throws IOException {
        return submitAs("submit.out", sweep, out, options);
    }

    private Process submitAs(String log, List<String> sweep, Path out, String... options)
            throws IOException {
        return scratch.start(log, command(sweep, out, options).toArray(String[]::new));
    }

    private List<String> command(List<String> sweep, Path out, String... options) {
        List<String> words = new ArrayList<>(List.of(Scratch.launcher(), "reproduce"));
        words.addAll(sweep);
        words.addAll(List.of("--tasks", Integer.toString(tasks), "--out", out.toString()));
        words.addAll(List.of(options));
        return words;
    }

    /** A process that runs a task. */
    @FunctionalInterface
    private interface Finder {
        @Nullable ProcessHandle find(int task);
    }

    /** A task that is stopped during its cells. */
    private record Held(int task, ProcessHandle process) {}

    /** Waits for a task until it has some of its cells, and stops it there. */
    private Held awaitAmid(Path out, Process submitting, int butNot, Finder finder)
            throws Exception {
        AtomicReference<@Nullable Held> found = new AtomicReference<>();
        Scratch.await(
                "a task is amid its cells",
                SOON,
                () -> {
                    assertThat(submitting.isAlive()).as(() -> saidBy("submit.out")).isTrue();
                    for (int task = 1; task <= tasks; task++) {
                        if (task != butNot && isAmid(out, task)) {
                            ProcessHandle process = finder.find(task);
                            if (process != null) {
                                Scratch.hold(process);
                                if (isAmid(out, task)) {
                                    found.set(new Held(task, process));
                                    return true;
                                }
                                Scratch.signal(process, "CONT");
                            }
                        }
                    }
                    return false;
                });
        return Objects.requireNonNull(found.get());
    }

    private boolean isAmid(Path out, int task) throws IOException {
        long cells = CellDirectory.indices(out).stream().filter(c -> c % tasks == task - 1).count();
        return cells > 0 && cells < CELLS / tasks;
    }

    private String saidBy(String log) {
        try {
            return scratch.said(log);
        } catch (IOException e) {
            return e.toString();
        }
    }

    private void isTheSame(Path single, Path swept, Process submitting) throws Exception {
        assertThat(submitting.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        String said = saidBy("submit.out");
        // The verdict equals that of the single process; few arrivals make either one possible.
        assertThat(said).contains(" as expected.");
        Comparison comparison = Comparison.of(single, swept);
        assertThat(comparison.isSame()).as(comparison.describe() + said).isTrue();
        assertThat(swept.resolve("cells")).doesNotExist();
        assertThat(swept.resolve("series.csv"))
                .hasSameTextualContentAs(single.resolve("series.csv"));
    }

    @Test
    @Tag("long")
    void anArrayOfSlurmIsRequeuedKilledAndItsControllerRestartedAndNothingIsLost()
            throws Exception {
        Path single = single();
        SlurmCluster slurm = new SlurmCluster(scratch);
        Path out = scratch.path("swept 'here'");
        Process submitting = submit(SWEEP, out, "--on", "slurm:--mem=512");
        Finder finder =
                task -> Scratch.find(List.of("--resume"), List.of("SLURM_ARRAY_TASK_ID=" + task));
        Held killed = awaitAmid(out, submitting, 0, finder);
        Matcher job = Pattern.compile("Slurm's job (\\d+)").matcher(saidBy("submit.out"));
        assertThat(job.find()).isTrue();
        String array = job.group(1);
        // The terminal it was submitted from is closed.
        Scratch.signal(submitting.toHandle(), "HUP");
        killed.process.destroyForcibly();
        Held requeued = awaitAmid(out, submitting, killed.task, finder);
        slurm.requeue(array + "_" + requeued.task);
        slurm.restartController();
        isTheSame(single, out, submitting);

        try (Stream<Path> logs = Files.list(out.resolve("log"))) {
            assertThat(logs.map(log -> log.getFileName().toString()))
                    .contains(
                            array + "-" + killed.task + ".txt",
                            array + "-" + requeued.task + ".txt");
        }
        // It goes on in the same file: what the first try said is there, and what the second found.
        assertThat(out.resolve("log/" + array + "-" + requeued.task + ".txt"))
                .content()
                .contains("headgate: ended early.", "--resume continues from there")
                .containsPattern("[1-4] of 5 runs are there already");
        // The killed task's finished runs were not run again.
        assertThat(saidBy("submit.out"))
                .containsPattern("(?m)^[1-4] of 40 runs of mg1 in [1-4] task");

        // Over the result of the very same sweep: the sweep runs again, and the old result stays
        // until the new one is whole.
        Process cancelled = submit(SWEEP, out, "--on", "slurm");
        Scratch.await(
                "an array is there", SOON, () -> saidBy("submit.out").contains("Slurm's job"));
        Process second = submitAs("second.out", SWEEP, out, "--on", "slurm");
        assertThat(second.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(saidBy("second.out")).contains("another process is running this part of the");
        Scratch.end(cancelled);
        assertThat(saidBy("submit.out"))
                .contains("The result of this run replaces it at the end.")
                .contains("headgate: cancelled.", "the same command with --resume continues");
        Scratch.await(
                "nothing is queued", SOON, () -> scratch.run("squeue", "--noheader").isBlank());
    }

    @Test
    void machinesWithSshRunItWithoutOurFilesAndAWorkerThatIsKilledLosesNothing() throws Exception {
        Path single = single();
        new SshServer(scratch);
        tasks = 2; // each of which starts a JVM, and another one when one was killed
        Path out = scratch.path("swept");
        // One at a time, so that a task waits for another one's end.
        Process submitting = submit(SWEEP, out, "--on", "ssh:nowhere.invalid,1/localhost");
        List<String> there = List.of("HOME=" + scratch.path("home"));
        Finder finder = task -> Scratch.find(List.of("--lines", task + "/" + tasks), there);
        Held killed = awaitAmid(out, submitting, 0, finder);
        assertThat(finder.find(tasks + 1 - killed.task)).as("the other task waits").isNull();
        killed.process.destroyForcibly();
        isTheSame(single, out, submitting);
        assertThat(saidBy("submit.out"))
                .contains("nowhere.invalid is left out: it cannot be reached, or not be set up")
                .contains("40 of 40 runs of mg1 in 2 tasks.")
                .containsPattern("(?m)^(1\\d|[1-9]) of 40 runs of mg1 in [12] task");
    }

    @Test
    @Tag("long")
    void aScenarioFileGoesToMachinesWithSshAndNoJavaIsNeededThere() throws Exception {
        new SshServer(scratch);
        scenarioFileGoesThere();
        assertThat(scratch.path("cache/headgate/parallel")).isDirectory();
        try (Stream<Path> there = Files.list(scratch.path("home/.cache/headgate"))) {
            List<Path> distributions = there.toList();
            assertThat(distributions).hasSize(1);
            distributionNeedsNoJava(distributions.getFirst());
        }
    }

    private void scenarioFileGoesThere() throws Exception {
        Path file =
                scratch.write(
                        "it's mine.yaml",
                        """
                        name: mine
                        title: it's "$HOME" and `so` on \\n @COMMAND@
                        duration: 20us
                        topology: {name: t, builder: {single-switch: {hosts: 3}}}
                        traffic: [{name: web, from: [h1, h2], to: h3}]
                        expect: [{measure: frames dropped, at-most: 0}]
                        """);
        List<String> sweep = List.of(file.toString(), "--seed", "1..3");
        Path single = inOneProcess(sweep, scratch.path("in one process"));
        Path scripted = scratch.path("by a script");
        // As with a redirection: messages about a distribution that is built are on standard error,
        // not in the script.
        List<String> words = new ArrayList<>(List.of("bash", "-c", "exec \"$@\" 2>\"$0\""));
        words.add(scratch.path("submit.err").toString());
        words.addAll(command(sweep, scripted, "--script", "parallel:2/localhost"));
        Process script = scratch.start("submit.sh", words.toArray(String[]::new));
        assertThat(script.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(script.exitValue()).as(() -> saidBy("submit.err")).isZero();
        Process run = scratch.start("script.out", "bash", scratch.path("submit.sh").toString());
        assertThat(run.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(saidBy("script.out")).contains("PASS: 3 of 3");
        Comparison comparison = Comparison.of(single, scripted);
        assertThat(comparison.isSame()).as(comparison.describe()).isTrue();
    }

    /** And makes a distribution of itself, another one for other jars. */
    private void distributionNeedsNoJava(Path distribution) throws Exception {
        Path bin = scratch.directory("bin");
        for (String tool : TOOLS.split(" ")) {
            Path from = Path.of("/usr/bin", tool);
            if (Files.exists(from)) {
                Files.copy(from, bin.resolve(tool));
            }
        }
        String environment = "env -i PATH=" + bin + " HOME=" + scratch.path("home") + " ";
        String launcher = distribution.resolve("headgate").toString();
        assertThat(scratch.run("sh", "-c", environment + launcher + " reproduce list"))
                .contains("mg1");
        String first = scratch.run("sh", "-c", environment + launcher + " dist").strip();
        assertThat(scratch.run("tar", "tzf", first))
                .contains("headgate/headgate", "headgate/runtime/bin/java", "headgate/lib/")
                .doesNotContain("task-");
        Files.writeString(distribution.resolve("lib/other.jar"), "another version");
        assertThat(scratch.run("sh", "-c", environment + launcher + " dist").strip())
                .isNotEqualTo(first);
    }

    /** Where the JVM cannot see it, the launcher says how much memory there is. */
    @ParameterizedTest
    @CsvSource({
        "SLURM_MEM_PER_NODE=3000, 3000",
        "SLURM_MEM_PER_CPU=1000 SLURM_CPUS_PER_TASK=4, 4000",
        "SLURM_MEM_PER_NODE=100, 512",
        "HOME=/, ''"
    })
    void theHeapIsWhatWasGranted(String environment, String megabytes) throws Exception {
        String script =
                "eval \"$(sed -n '/^find_grant()/,/^}/p' "
                        + Scratch.launcher()
                        + ")\"; find_grant; echo \"=$grant\"";
        List<String> words = new ArrayList<>(List.of("env", "-i", "PATH=/usr/bin:/bin"));
        words.addAll(List.of(environment.split(" ")));
        words.addAll(List.of("bash", "-c", script));
        assertThat(scratch.run(words.toArray(String[]::new))).isEqualTo("=" + megabytes + "\n");
    }
}
