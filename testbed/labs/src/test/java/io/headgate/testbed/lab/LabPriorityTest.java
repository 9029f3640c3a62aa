package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.cli.MetricsOption;
import io.headgate.control.cli.trace.TraceEventsOption;
import io.headgate.testbed.lab.LabOptions.DeviceKind;
import io.headgate.testbed.lab.series.LabChanges;
import io.headgate.testbed.netns.LabRecords;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who gets a core first while a lab lasts, by the kernel's own account. */
@Tag("netns") // needs CAP_SYS_NICE
class LabPriorityTest {
    /** Field 41 of /proc/PID/stat, counted from the third, which follows the name. */
    private static final int POLICY_FIELD = 41 - 3;

    private static final String SCHED_OTHER = "0";
    private static final String SCHED_FIFO = "1";

    @TempDir private Path directory;

    private LabNetwork network(String idle) {
        LabOptions options =
                new LabOptions(
                        DeviceKind.AFPACKET,
                        "auto",
                        idle,
                        "100Mbps",
                        1,
                        1500,
                        false,
                        false,
                        directory,
                        directory,
                        "hgpr",
                        7,
                        false);
        PrintStream nowhere =
                new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        return new LabNetwork(
                options,
                new LabRecords(directory.resolve("labs")),
                new Progress(nowhere),
                new MetricsOption(),
                new TraceEventsOption(),
                new LabChanges(0));
    }

    /**
     * Otherwise workers that fill the cores with code that must be compiled again keep the
     * compilers from the cores for 0.95 s of each second.
     */
    @Test
    void compilersHaveRealTimePriorityWhileWorkersHaveIt() throws Exception {
        try (LabNetwork sleeping = network("backoff")) {
            sleeping.goFirst();
            assertThat(policies()).containsExactly(SCHED_FIFO);
        }
        assertThat(policies()).containsExactly(SCHED_OTHER);
    }

    @Test
    void compilersHaveNoneWhereWorkersSpin() throws Exception {
        try (LabNetwork spinning = network("busy-spin")) {
            spinning.goFirst();
            assertThat(policies()).containsExactly(SCHED_OTHER);
        }
    }

    /** Scheduling policies of the JVM's compiler threads. */
    private static Set<String> policies() throws Exception {
        Set<String> policies = new HashSet<>();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path task : tasks) {
                String stat = Files.readString(task.resolve("stat"));
                int nameEnd = stat.lastIndexOf(')');
                if (stat.substring(0, nameEnd).contains("(C1 Compiler")) {
                    policies.add(stat.substring(nameEnd + 2).split(" ")[POLICY_FIELD]);
                }
            }
        }
        return policies;
    }
}
