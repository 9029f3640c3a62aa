package io.headgate.control.cli;

import static io.headgate.control.report.Table.column;
import static io.headgate.control.report.Table.number;

import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.counters.CounterSnapshot.Drop;
import io.headgate.control.daemon.Answers;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.report.CongestionSection;
import io.headgate.control.report.FlowControlSection;
import io.headgate.control.report.Json;
import io.headgate.control.report.PortTable;
import io.headgate.control.report.RatesSection;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.SwitchSection;
import io.headgate.control.report.Table;
import io.headgate.dataplane.counter.CounterReader;
import io.headgate.hostagent.rate.FlowRates;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jline.terminal.Attributes;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.NonBlockingReader;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headgate top}: rates and queues of a running switch, live. */
@Command(name = "top", description = "Shows rates and queues of a running switch, live; q quits.")
public final class TopCommand extends HeadgateCommand implements Callable<Integer> {
    private static final int BAR_CELLS = 20;

    /** From no load to the line's rate. */
    private static final String LEVELS = ".:-=+*%#";

    private static final String HOME_AND_CLEAR = "\u001b[H\u001b[J";
    private static final String ALTERNATE_ON = "\u001b[?1049h\u001b[?25l";
    private static final String ALTERNATE_OFF = "\u001b[?25h\u001b[?1049l";

    @Mixin private final SwitchChoice choice = new SwitchChoice();

    @Option(
            names = "--every",
            paramLabel = "TIME",
            converter = Durations.class,
            description = "Time between two updates (default: 1s).")
    private Duration every = Duration.ofSeconds(1);

    private final Map<String, String> histories = new HashMap<>();

    @Override
    public Integer call() throws DaemonException, IOException, InterruptedException {
        String name = choice.name();
        Map<String, Answers.Port> limits = choice.mayAsk() ? limits() : Map.of();
        CounterReader reader = choice.counters();
        try (Terminal terminal = TerminalBuilder.builder().system(true).dumb(true).build()) {
            if (terminal.getType().startsWith(Terminal.TYPE_DUMB)) {
                CounterSnapshot before = CounterSnapshot.of(reader);
                Thread.sleep(every.toMillis());
                print(page(name, limits, before, CounterSnapshot.of(reader)));
                return 0;
            }
            live(terminal, name, limits, reader);
        }
        return 0;
    }

    private void live(
            Terminal terminal, String name, Map<String, Answers.Port> limits, CounterReader reader)
            throws IOException, DaemonException {
        Attributes saved = terminal.enterRawMode();
        PrintWriter screen = terminal.writer();
        screen.print(ALTERNATE_ON);
        try {
            CounterSnapshot before = CounterSnapshot.of(reader);
            int key = NonBlockingReader.READ_EXPIRED;
            while (key == NonBlockingReader.READ_EXPIRED) {
                key = terminal.reader().read(every.toMillis());
                while (key >= 0 && key != 'q' && key != 'Q' && key != 3) {
                    key = terminal.reader().read(1);
                }
                // Counters of one that has ended stay as they were.
                choice.requireRunning(name);
                CounterSnapshot now = CounterSnapshot.of(reader);
                screen.print(HOME_AND_CLEAR);
                // Raw mode does not return the carriage.
                screen.print(page(name, limits, before, now).replace("\n", "\r\n"));
                screen.flush();
                before = now;
            }
        } finally {
            screen.print(ALTERNATE_OFF);
            screen.flush();
            terminal.setAttributes(saved);
        }
    }

    private Map<String, Answers.Port> limits() throws DaemonException {
        return Json.list(choice.ask("ports"), Answers.Port[].class).stream()
                .collect(Collectors.toMap(Answers.Port::name, port -> port));
    }

    private String page(
            String name,
            Map<String, Answers.Port> limits,
            CounterSnapshot before,
            CounterSnapshot now)
            throws DaemonException {
        double seconds = (now.takenNs() - before.takenNs()) / 1e9;
        CounterSnapshot change = now.since(before);
        Table table =
                Table.of(
                        PortTable.rows(change, seconds).stream()
                                .filter(row -> limits.isEmpty() || limits.containsKey(row.port()))
                                .toList(),
                        column("port", PortTable.Row::port),
                        column("link", row -> row.up() ? "up" : "down"),
                        number(">in (frames/s)", "%.0f", PortTable.Row::receivedFramesPerSec),
                        number(">in (Mb/s)", "%.1f", row -> row.receivedBps() / 1e6),
                        number(">out (frames/s)", "%.0f", PortTable.Row::transmittedFramesPerSec),
                        number(">out (Mb/s)", "%.1f", row -> row.transmittedBps() / 1e6),
                        column(
                                "of rate",
                                row ->
                                        bar(
                                                limits.get(row.port()),
                                                limit -> row.transmittedBps() / limit.rateBps())),
                        column("history", row -> history(row, limits.get(row.port()))),
                        column(">queue (bytes)", PortTable.Row::queueBytes),
                        column(
                                "of limit",
                                row ->
                                        bar(
                                                limits.get(row.port()),
                                                limit ->
                                                        (double) row.queueBytes()
                                                                / limit.queueLimitBytes())),
                        number(">drops (frames/s)", "%.0f", row -> row.droppedFrames() / seconds));
        List<Drop> drops = now.drops();
        List<FlowControlSection.Row> flow = FlowControlSection.rows(change);
        String congestion = CongestionSection.tables(CongestionSection.rows(change));
        StringBuilder mismatches = new StringBuilder();
        FlowControlSection.mismatches(change).forEach(one -> mismatches.append(one).append("\n\n"));
        List<FlowRates.Row> flowRates = choice.isHost() ? choice.rates() : null;
        return String.format(Locale.ROOT, "%s, the last %.1f s%n%n", name, seconds)
                + table
                + "\n"
                + (flow.isEmpty() ? "" : FlowControlSection.table(flow) + "\n")
                + (congestion.isEmpty() ? "" : congestion + "\n")
                + (flowRates == null ? "" : RatesSection.table(flowRates) + "\n")
                + mismatches
                + RunReport.workerTable(SwitchSection.workers(change))
                + "\n"
                + (drops.isEmpty() ? "no drops since the start\n" : RunReport.dropTable(drops));
    }

    /** A port's sending rates at the last refreshes, the latest at the right. */
    private String history(PortTable.Row row, Answers.@Nullable Port limit) {
        String before = histories.getOrDefault(row.port(), "");
        if (limit == null) {
            return before;
        }
        double share = Math.clamp(row.transmittedBps() / limit.rateBps(), 0, 1);
        char level = LEVELS.charAt((int) Math.round(share * (LEVELS.length() - 1)));
        String now = before + level;
        String last = now.substring(Math.max(0, now.length() - BAR_CELLS));
        histories.put(row.port(), last);
        return last;
    }

    /** A bar for a value; empty if the limit is not known. */
    private static String bar(Answers.@Nullable Port limit, ToDoubleFunction<Answers.Port> share) {
        return limit == null ? "" : bar(share.applyAsDouble(limit));
    }

    private static String bar(double share) {
        int full = (int) Math.round(Math.clamp(share, 0, 1) * BAR_CELLS);
        return "[" + "#".repeat(full) + ".".repeat(BAR_CELLS - full) + "]";
    }
}
