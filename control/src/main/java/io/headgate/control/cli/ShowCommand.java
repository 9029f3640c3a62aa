package io.headgate.control.cli;

import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.daemon.RunDirectory;
import io.headgate.control.daemon.TelemetryNetwork;
import io.headgate.control.report.Json;
import io.headgate.control.show.CountersTable;
import io.headgate.control.show.ShowRequest;
import io.headgate.control.show.ShowTable;
import io.headgate.control.show.ShowTables;
import io.headgate.control.telemetry.SwitchNumbers;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.CounterReader;
import io.headgate.hostagent.rate.FlowRates;
import io.headgate.hostagent.telemetry.FlowPaths;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;
import tools.jackson.databind.JsonNode;

/**
 * {@code headgate show}: prints one of the registered tables, from a running switch's mapped
 * counters, its control socket, or the files that a host's agent maps.
 */
@Command(
        name = "show",
        description =
                "Shows the state and counters of a running switch: totals, or rates with --since.")
public final class ShowCommand extends HeadgateCommand implements Callable<Integer> {
    @Mixin private final JsonOption json = new JsonOption();

    private static final int HELP_COLUMNS = 79;
    private static final String CLEAR_SCREEN = "\u001b[H\u001b[2J";

    /** Finds a table by the word that a person writes. */
    static final class Converter implements ITypeConverter<ShowTable> {
        @Override
        public ShowTable convert(String word) {
            ShowTable table = ShowTables.find(word);
            if (table == null) {
                throw new TypeConversionException(
                        "'%s' cannot be shown; allowed: %s".formatted(word, ShowTables.names()));
            }
            return table;
        }
    }

    /** The names of all tables, for completion and the page of the command. */
    static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return ShowTables.all().stream().map(ShowTable::name).iterator();
        }
    }

    /** Lists below the options what each table shows. */
    @Spec
    void describe(CommandSpec spec) {
        int width =
                ShowTables.all().stream().mapToInt(table -> table.name().length()).max().orElse(0);
        spec.usageMessage()
                .footer(
                        Stream.concat(
                                        Stream.of("", "What can be shown:"),
                                        ShowTables.all().stream()
                                                .flatMap(table -> described(table, width)))
                                .toArray(String[]::new));
    }

    /** The name, and what the table shows in lines that no terminal breaks again. */
    private static Stream<String> described(ShowTable table, int width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder("  " + padded(table.name(), width) + " ");
        for (String word : table.heading().title().split(" ")) {
            if (line.length() + 1 + word.length() > HELP_COLUMNS) {
                lines.add(line.toString());
                line = new StringBuilder(" ".repeat(width + 3));
            }
            line.append(' ').append(word);
        }
        lines.add(line.toString());
        return lines.stream();
    }

    private static String padded(String name, int width) {
        return name + " ".repeat(width - name.length());
    }

    @Parameters(
            index = "0",
            paramLabel = "WHAT",
            converter = Converter.class,
            completionCandidates = Names.class,
            description = "One of: ${COMPLETION-CANDIDATES}.")
    private ShowTable what;

    @Parameters(index = "1..*", paramLabel = "PORT", description = "Only these ports.")
    private List<String> ports = new ArrayList<>();

    @Mixin private final SwitchChoice choice = new SwitchChoice();

    @Option(
            names = "--as",
            paramLabel = "WHOSE",
            description =
                    "With counters and watermark: sonic shows SONiC's names next to the names of"
                            + " Headgate.")
    private @Nullable String as;

    @Option(
            names = "--watch",
            paramLabel = "TIME",
            converter = Durations.class,
            description = "Repeats the output at this interval; ^C ends it.")
    private @Nullable Duration watch;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            converter = Durations.class,
            description = "Shows the changes in this time from now on, as rates where possible.")
    private @Nullable Duration since;

    @Override
    public Integer call() throws DaemonException, CommandFailure, InterruptedException {
        joinWords();
        requirePorts();
        if (as != null && !(what instanceof CountersTable && as.equals("sonic"))) {
            throw CommandFailure.badInput(
                    "'--as %s' with '%s'; allowed is '--as sonic', with counters and watermark"
                            .formatted(as, what.name()));
        }
        Duration pause = watch;
        boolean screen = pause != null && !json.isGiven() && StandardOutput.isTerminal();
        while (true) {
            Asked asked = new Asked();
            String shown =
                    json.isGiven()
                            ? Json.COMPACT.writeValueAsString(what.json(asked)) + "\n"
                            : headed(what.text(asked));
            if (screen) {
                out().print(CLEAR_SCREEN);
            }
            print(shown);
            if (pause == null) {
                return 0;
            }
            if (out().checkError()) {
                return StandardOutput.OUTPUT_GONE;
            }
            Thread.sleep(pause.toMillis());
            if (!screen && !json.isGiven()) {
                out().println();
            }
        }
    }

    /** The text, with the switch's name above it if the command line does not name it. */
    private String headed(String text) throws DaemonException {
        return choice.isUnnamed() && !what.namesSwitch()
                ? "switch " + choice.name() + "\n" + text
                : text;
    }

    /**
     * Joins two words, such as {@code queue counters} of other switches, into the name of one
     * table.
     */
    private void joinWords() {
        ShowTable joined =
                ports.isEmpty() ? null : ShowTables.find(what.name() + "-" + ports.getFirst());
        if (joined != null) {
            what = joined;
            ports = ports.subList(1, ports.size());
        }
    }

    private void requirePorts() throws DaemonException, CommandFailure {
        if (ports.isEmpty()) {
            return;
        }
        if (!what.isOfPorts()) {
            throw CommandFailure.badInput(
                    "'%s' cannot be shown per port; leave '%s' out"
                            .formatted(what.name(), ports.getFirst()));
        }
        List<String> known = CounterSnapshot.of(choice.counters()).owners(Scope.INGRESS);
        for (String port : ports) {
            if (!known.contains(port)) {
                throw CommandFailure.badInput(
                        "%s has no port '%s'; its ports are %s"
                                .formatted(choice.describe(), port, String.join(", ", known)));
            }
        }
    }

    /** The request that the options describe, at one moment. */
    private final class Asked implements ShowRequest {
        private @Nullable CounterSnapshot counters;
        private double seconds;

        @Override
        public boolean namesOfSonic() {
            return as != null;
        }

        @Override
        public CounterSnapshot counters() throws DaemonException, InterruptedException {
            CounterSnapshot taken = counters;
            if (taken == null) {
                taken = take();
                counters = taken;
            }
            return taken;
        }

        private CounterSnapshot take() throws DaemonException, InterruptedException {
            CounterReader reader = choice.counters();
            CounterSnapshot now = CounterSnapshot.of(reader);
            Duration window = since;
            if (window != null) {
                Thread.sleep(window.toMillis());
                CounterSnapshot later = CounterSnapshot.of(reader);
                seconds = (later.takenNs() - now.takenNs()) / 1e9;
                now = later.since(now);
            }
            return ports.isEmpty() ? now : now.ofPorts(ports);
        }

        @Override
        public double seconds() throws DaemonException, InterruptedException {
            counters();
            return seconds;
        }

        @Override
        public List<String> ports() {
            return List.copyOf(ports);
        }

        @Override
        public boolean isHost() {
            return choice.isHost();
        }

        @Override
        public JsonNode ask(String request) throws DaemonException {
            return choice.ask(request);
        }

        @Override
        public @Nullable List<FlowRates.Row> rates() throws DaemonException {
            return choice.rates();
        }

        @Override
        public FlowPaths.@Nullable View paths() throws DaemonException {
            return choice.paths();
        }

        @Override
        public SwitchNumbers numbers() {
            return new TelemetryNetwork(RunDirectory.bases()).numbers();
        }
    }
}
