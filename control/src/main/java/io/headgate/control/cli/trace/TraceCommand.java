package io.headgate.control.cli.trace;

import io.headgate.control.cli.Durations;
import io.headgate.control.cli.HeadgateCommand;
import io.headgate.control.cli.SwitchChoice;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.daemon.SignalWait;
import io.headgate.control.daemon.SwitchClient;
import io.headgate.control.report.Json;
import io.headgate.control.trace.DutyTraceFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code headgate trace}: records the work of a running switch's workers as trace events in a file.
 */
@Command(
        name = "trace",
        description = {
            "Writes a trace of each call of the workers of a running switch, as JSON for Perfetto"
                    + " (ui.perfetto.dev) and Chrome's DevTools; until ^C, or for a time.",
            "Example: headgate trace s1.json --duration 2s"
        },
        footer = {
            "",
            "The trace has intervals: calls that did work (p1.ingress, p2.egress, …),",
            "flushes, in which devices send what they collected, and sleeps. The last",
            "262143 intervals of each worker are kept."
        })
public final class TraceCommand extends HeadgateCommand implements Callable<Integer> {
    private static final int STOP_TIMEOUT_SECONDS = 20;

    @Parameters(paramLabel = "FILE", description = "The file to write.")
    private Path file = Path.of("");

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            converter = Durations.class,
            description = "Ends after this long.")
    private @Nullable Duration duration;

    @Mixin private final SwitchChoice choice = new SwitchChoice();

    @Override
    public Integer call() throws DaemonException, InterruptedException {
        try (SignalWait signal = new SignalWait(STOP_TIMEOUT_SECONDS);
                SwitchClient client = choice.connect()) {
            String path = file.toAbsolutePath().normalize().toString();
            client.ask("trace.start", Map.of("file", path));
            signal.await(duration == null ? Long.MAX_VALUE : duration.toMillis());
            DutyTraceFile.Summary summary =
                    Json.COMPACT.treeToValue(
                            client.ask("trace.stop", Map.of()), DutyTraceFile.Summary.class);
            print(summary.describe(file) + "\n");
        }
        return 0;
    }
}
