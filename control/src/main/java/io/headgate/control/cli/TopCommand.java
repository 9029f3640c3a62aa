package io.headgate.control.cli;

import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.counters.CounterSnapshot.Drop;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.daemon.SwitchClient;
import io.headgate.control.report.CongestionSection;
import io.headgate.control.report.FlowControlSection;
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
import org.jline.terminal.Attributes;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.NonBlockingReader;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** {@code headgate top}: rates and queues of a running switch, live. */
@Command(
        name = "top",
        mixinStandardHelpOptions = true,
        description = "Shows rates and queues of a running switch, live; q quits.")
public final class TopCommand implements Callable<Integer> {
    private static final int BAR_CELLS = 20;
    private static final String HOME_AND_CLEAR = "\u001b[H\u001b[J";
    private static final String ALTERNATE_ON = "\u001b[?1049h\u001b[?25l";
    private static final String ALTERNATE_OFF = "\u001b[?25h\u001b[?1049l";

    @Mixin private final SwitchChoice choice = new SwitchChoice();

    @Option(
            names = "--every",
            paramLabel = "TIME",
            converter = Durations.class,
            description = "Time between two looks (default: 1s).")
    private Duration every = Duration.ofSeconds(1);

    @Spec private CommandSpec spec;

    /** Contributes the command. */
    public static final class Provider implements CommandProvider {
        @Override
        public Object command() {
            return new TopCommand();
        }
    }

    @Override
    public Integer call()
            throws DaemonException, CommandFailure, IOException, InterruptedException {
        String name = choice.name();
        Map<String, Limits> limits = choice.mayAsk() ? limits() : Map.of();
        CounterReader reader = choice.counters();
        try (Terminal terminal = TerminalBuilder.builder().system(true).dumb(true).build()) {
            if (terminal.getType().startsWith(Terminal.TYPE_DUMB)) {
                CounterSnapshot before = CounterSnapshot.of(reader);
                Thread.sleep(every.toMillis());
                PrintWriter out = spec.commandLine().getOut();
                out.print(page(name, limits, before, CounterSnapshot.of(reader)));
                out.flush();
                return 0;
            }
            live(terminal, name, limits, reader);
        }
        return 0;
    }

    private void live(
            Terminal terminal, String name, Map<String, Limits> limits, CounterReader reader)
            throws IOException, CommandFailure {
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

    private record Limits(long queueLimitBytes, long rateBps) {}

    private Map<String, Limits> limits() throws DaemonException {
        Map<String, Limits> limits = new HashMap<>();
        try (SwitchClient client = choice.connect()) {
            for (JsonNode port : client.ask("ports", Map.of())) {
                limits.put(
                        port.get("name").asString(),
                        new Limits(
                                port.get("queueLimitBytes").asLong(),
                                port.get("rateBps").asLong()));
            }
        }
        return limits;
    }

    private String page(
            String name, Map<String, Limits> limits, CounterSnapshot before, CounterSnapshot now)
            throws CommandFailure {
        double seconds = (now.takenNs() - before.takenNs()) / 1e9;
        CounterSnapshot change = now.since(before);
        Table table =
                new Table(
                        "port",
                        "link",
                        ">in (frames/s)",
                        ">in (Mb/s)",
                        ">out (frames/s)",
                        ">out (Mb/s)",
                        "of rate",
                        ">queue (bytes)",
                        "of limit",
                        ">drops (frames/s)");
        for (PortTable.Row row : PortTable.rows(change, seconds)) {
            Limits limit = limits.get(row.port());
            if (limit == null && !limits.isEmpty()) {
                continue;
            }
            table.row(
                    row.port(),
                    row.up() ? "up" : "down",
                    String.format("%.0f", row.receivedFramesPerSec()),
                    String.format("%.1f", row.receivedBps() / 1e6),
                    String.format("%.0f", row.transmittedFramesPerSec()),
                    String.format("%.1f", row.transmittedBps() / 1e6),
                    limit == null ? "" : bar(row.transmittedBps() / limit.rateBps),
                    Long.toString(row.queueBytes()),
                    limit == null ? "" : bar((double) row.queueBytes() / limit.queueLimitBytes),
                    String.format("%.0f", row.droppedFrames() / seconds));
        }
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

    private static String bar(double share) {
        int full = (int) Math.round(Math.clamp(share, 0, 1) * BAR_CELLS);
        return "[" + "#".repeat(full) + ".".repeat(BAR_CELLS - full) + "]";
    }
}
