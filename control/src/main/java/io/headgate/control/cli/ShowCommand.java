package io.headgate.control.cli;

import static io.headgate.control.report.Table.column;

import io.headgate.config.read.SwitchConfigs;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.counters.CounterSnapshot.Drop;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.lldp.LldpNeighbour;
import io.headgate.control.report.CongestionSection;
import io.headgate.control.report.DutyTimes;
import io.headgate.control.report.EscapeSection;
import io.headgate.control.report.FlowControlSection;
import io.headgate.control.report.FlowControlSection.Margin;
import io.headgate.control.report.Json;
import io.headgate.control.report.LldpSection;
import io.headgate.control.report.PortTable;
import io.headgate.control.report.Prose;
import io.headgate.control.report.QueueTables;
import io.headgate.control.report.RatesSection;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.SwitchSection;
import io.headgate.control.report.Table;
import io.headgate.control.run.RunningSwitch.FdbEntry;
import io.headgate.control.run.RunningSwitch.Neighbour;
import io.headgate.control.run.RunningSwitch.Route;
import io.headgate.dataplane.counter.CounterDirectory.Entry;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.CounterId.Kind;
import io.headgate.dataplane.counter.CounterReader;
import io.headgate.dataplane.runner.ErrorRecord;
import io.headgate.hostagent.rate.FlowRates;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;
import tools.jackson.databind.JsonNode;

/**
 * {@code headgate show}: what a running switch counts, from its mapped counters; its forwarding
 * table and the configuration in force, by its control socket; the rates of a host's flows, from
 * what its agent maps.
 */
@Command(
        name = "show",
        description = "Shows what a running switch does: totals, or rates with --since.")
public final class ShowCommand extends HeadgateCommand implements Callable<Integer> {
    private static final String CLEAR_SCREEN = "\u001b[H\u001b[2J";

    /** What can be shown. */
    enum What {
        PORTS(true),
        CONFIG(false),
        FLOW_CONTROL(true),
        PFC(true),
        QUEUE(true),
        WATERMARK(true),
        CONGESTION(true),
        ESCAPE(true),
        LLDP(false),
        RATES(false),
        FDB(false),
        ROUTES(false),
        NEIGHBOURS(false),
        COUNTERS(true),
        DROPS(true),
        WORKERS(false),
        ERRORS(false),
        VERSION(false);

        // What engineers of other switches write, and older names of ours.
        private static final Map<String, What> ALSO =
                Map.ofEntries(
                        Map.entry("flow", FLOW_CONTROL),
                        Map.entry("mac", FDB),
                        Map.entry("queues", QUEUE),
                        Map.entry("watermarks", WATERMARK),
                        Map.entry("route", ROUTES),
                        Map.entry("arp", NEIGHBOURS),
                        Map.entry("neighbors", NEIGHBOURS));

        private final boolean isOfPorts;

        What(boolean isOfPorts) {
            this.isOfPorts = isOfPorts;
        }

        /** As a person writes it. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        /** Picocli's own would name the constants. */
        static final class Converter implements ITypeConverter<What> {
            @Override
            public What convert(String word) {
                for (What what : values()) {
                    if (what.toString().equalsIgnoreCase(word)) {
                        return what;
                    }
                }
                What also = ALSO.get(word.toLowerCase(Locale.ROOT));
                if (also != null) {
                    return also;
                }
                throw new TypeConversionException(
                        "'%s' cannot be shown; allowed: %s"
                                .formatted(
                                        word,
                                        Arrays.stream(values())
                                                .map(What::toString)
                                                .collect(Collectors.joining(", "))));
            }
        }
    }

    @Parameters(
            index = "0",
            paramLabel = "WHAT",
            converter = What.Converter.class,
            description = "One of: ${COMPLETION-CANDIDATES}.")
    private What what;

    @Parameters(index = "1..*", paramLabel = "PORT", description = "Only what these ports do.")
    private List<String> ports = new ArrayList<>();

    @Mixin private final SwitchChoice choice = new SwitchChoice();

    @Option(names = "--json", description = "For programs: one line of JSON.")
    private boolean json;

    @Option(
            names = "--watch",
            paramLabel = "TIME",
            converter = Durations.class,
            description = "Again and again, after this long each; ^C ends it.")
    private @Nullable Duration watch;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            converter = Durations.class,
            description = "What happens in this time from now on; rates where there are any.")
    private @Nullable Duration since;

    @Override
    public Integer call() throws DaemonException, CommandFailure, InterruptedException {
        if (!ports.isEmpty() && !what.isOfPorts) {
            throw CommandFailure.badInput(
                    "'%s' is not shown port by port; leave '%s' out"
                            .formatted(what, ports.getFirst()));
        }
        Duration pause = watch;
        boolean screen = pause != null && !json && StandardOutput.isTerminal();
        while (true) {
            String shown =
                    switch (what) {
                        case FDB -> fdb();
                        case LLDP -> lldp();
                        case ROUTES -> routes();
                        case NEIGHBOURS -> neighbours();
                        case ERRORS -> errors();
                        case VERSION -> version();
                        case CONFIG -> config();
                        case RATES -> rates();
                        default -> counters();
                    };
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
            if (!screen && !json) {
                out().println();
            }
        }
    }

    private String fdb() throws DaemonException {
        JsonNode entries = choice.ask("fdb");
        if (json) {
            return entries + "\n";
        }
        if (entries.isEmpty()) {
            return "no addresses known\n";
        }
        return Table.of(
                        Json.list(entries, FdbEntry[].class),
                        column(">VLAN", FdbEntry::vlan),
                        column("MAC address", FdbEntry::mac),
                        column("port", FdbEntry::port),
                        column("kind", one -> one.isStatic() ? "static" : "learned"),
                        column(
                                ">idle (s)",
                                one ->
                                        one.isStatic()
                                                ? "-"
                                                : String.format("%.1f", one.idleMs() / 1e3)))
                .toString();
    }

    private String lldp() throws DaemonException {
        JsonNode rows = choice.ask("lldp");
        return json ? rows + "\n" : LldpSection.table(Json.list(rows, LldpNeighbour[].class));
    }

    private String routes() throws DaemonException {
        JsonNode routes = choice.ask("routes");
        if (json) {
            return routes + "\n";
        }
        return Table.of(
                        Json.list(routes, Route[].class),
                        column("network", Route::prefix),
                        column(
                                "via",
                                route ->
                                        route.via().isEmpty()
                                                ? "directly"
                                                : String.join(", ", route.via())),
                        column("port", Route::port))
                .toString();
    }

    private String neighbours() throws DaemonException {
        JsonNode neighbours = choice.ask("neighbours");
        if (json) {
            return neighbours + "\n";
        }
        if (neighbours.isEmpty()) {
            return "no neighbours known\n";
        }
        return Table.of(
                        Json.list(neighbours, Neighbour[].class),
                        column("address", Neighbour::address),
                        column(
                                "MAC address",
                                one -> one.mac().isEmpty() ? "not known yet" : one.mac()),
                        column("port", Neighbour::port))
                .toString();
    }

    private String errors() throws DaemonException {
        JsonNode errors = choice.ask("errors");
        if (json) {
            return errors + "\n";
        }
        if (errors.isEmpty()) {
            return "no errors since the switch was started\n";
        }
        return Table.of(
                        Json.list(errors, ErrorRecord.Entry[].class),
                        column(">times", ErrorRecord.Entry::count),
                        column("first", error -> timeOfDay(error.firstEpochMs())),
                        column("last", error -> timeOfDay(error.lastEpochMs())),
                        column("what", error -> error.kind().meaning()),
                        column("most recently", ErrorRecord.Entry::last))
                .toString();
    }

    private static String timeOfDay(long epochMs) {
        return DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT)
                .format(Instant.ofEpochMilli(epochMs).atZone(ZoneId.systemDefault()));
    }

    private String version() {
        BuildInfo build = BuildInfo.read();
        return json
                ? Json.COMPACT.writeValueAsString(build) + "\n"
                : String.join("\n", new Version().getVersion()) + "\n";
    }

    private String config() throws DaemonException {
        JsonNode config = choice.ask("config");
        return json
                ? config + "\n"
                : SwitchConfigs.toYaml(Json.COMPACT.treeToValue(config, Map.class));
    }

    private String rates() throws CommandFailure {
        List<FlowRates.Row> rows = choice.rates();
        if (json) {
            record Rates(boolean controlled, List<RatesSection.Row> rates) {}

            List<RatesSection.Row> shown = RatesSection.shown(rows == null ? List.of() : rows);
            return Json.COMPACT.writeValueAsString(new Rates(rows != null, shown)) + "\n";
        }
        if (rows == null) {
            return "nothing controls the rates of this host's flows; rate-control in its"
                    + " configuration does\n";
        }
        return rows.isEmpty() ? "no flow has been sent yet\n" : RatesSection.table(rows);
    }

    private String counters() throws DaemonException, CommandFailure, InterruptedException {
        CounterReader reader = choice.counters();
        CounterSnapshot counters = CounterSnapshot.of(reader);
        double seconds = 0;
        Duration window = since;
        if (window != null) {
            Thread.sleep(window.toMillis());
            CounterSnapshot later = CounterSnapshot.of(reader);
            seconds = (later.takenNs() - counters.takenNs()) / 1e9;
            counters = later.since(counters);
        }
        if (!ports.isEmpty()) {
            counters = ofPorts(counters);
        }
        return json ? asJson(counters, seconds) : asText(counters, seconds);
    }

    private CounterSnapshot ofPorts(CounterSnapshot counters) throws CommandFailure {
        List<String> known = counters.owners(Scope.INGRESS);
        for (String port : ports) {
            if (!known.contains(port)) {
                throw CommandFailure.badInput(
                        "%s has no port '%s'; its ports are %s"
                                .formatted(choice.describe(), port, String.join(", ", known)));
            }
        }
        return counters.ofPorts(ports);
    }

    private String asText(CounterSnapshot counters, double seconds) {
        return switch (what) {
            case PORTS -> PortTable.of(counters, seconds) + verdicts(false);
            case FLOW_CONTROL -> flow(counters) + verdicts(true);
            case PFC -> QueueTables.pfcText(QueueTables.pfc(counters));
            case QUEUE -> QueueTables.queueText(QueueTables.queues(counters));
            case WATERMARK -> all(counters, Kind.MAXIMUM);
            case CONGESTION -> congestion(counters);
            case ESCAPE -> EscapeSection.table(EscapeSection.rows(counters));
            case COUNTERS -> all(counters, null);
            case DROPS -> drops(counters, seconds);
            case WORKERS ->
                    RunReport.workerTable(SwitchSection.workers(counters))
                            + "\n"
                            + DutyTimes.text(DutyTimes.rows(counters));
            case FDB, LLDP, ROUTES, NEIGHBOURS, ERRORS, VERSION, CONFIG, RATES ->
                    throw new IllegalStateException();
        };
    }

    private static String flow(CounterSnapshot counters) {
        List<FlowControlSection.Row> rows = FlowControlSection.rows(counters);
        StringBuilder text =
                new StringBuilder(
                        rows.isEmpty()
                                ? "no flow control has done anything\n"
                                : FlowControlSection.table(rows).toString());
        for (String mismatch : FlowControlSection.mismatches(counters)) {
            text.append('\n').append(Prose.folded(mismatch, 2)).append('\n');
        }
        for (FlowControlSection.Wait wait : FlowControlSection.waits(rows)) {
            text.append('\n').append(Prose.folded(wait.describe(), 2)).append('\n');
        }
        return text.toString();
    }

    private static String congestion(CounterSnapshot counters) {
        List<CongestionSection.Row> rows = CongestionSection.rows(counters);
        return rows.isEmpty()
                ? "no congestion point has marked a frame or told a sender\n"
                : CongestionSection.tables(rows);
    }

    /** What the switch says of its lossless margin; nothing where it may not be asked. */
    private List<Margin> margins() {
        try {
            return choice.isHost() ? List.of() : Json.list(choice.ask("margins"), Margin[].class);
        } catch (DaemonException mayNotAsk) {
            return List.of();
        }
    }

    /**
     * In short, only what is not guaranteed; else the working of all. Ports of which the same is
     * said stand together.
     */
    private String verdicts(boolean all) {
        Map<String, List<String>> portsByVerdict = new LinkedHashMap<>();
        for (Margin margin : margins()) {
            boolean isShown = ports.isEmpty() || ports.contains(margin.port());
            if (isShown && (all || !margin.guaranteed())) {
                portsByVerdict
                        .computeIfAbsent(margin.why(), _ -> new ArrayList<>())
                        .add(margin.port());
            }
        }
        StringBuilder text = new StringBuilder();
        portsByVerdict.forEach((why, names) -> {
            String said =
                    (names.size() == 1 ? "port " : "ports ")
                            + String.join(", ", names)
                            + (all ? ": lossless " : ": lossless is ")
                            + (all ? why : verdict(why));
            text.append(all ? "\n" : "");
            said.lines().forEach(line -> text.append(Prose.folded(line, 2)).append('\n'));
        });
        return text.toString();
    }

    /** Without the working behind it. */
    private static String verdict(String why) {
        return why.lines().findFirst().orElse("").replaceAll(";$", "");
    }

    private static String drops(CounterSnapshot counters, double seconds) {
        List<Drop> drops = SwitchSection.dropsOf(counters);
        String none = seconds == 0 ? "no drops\n" : String.format("no drops in %.1f s%n", seconds);
        StringBuilder text =
                new StringBuilder(drops.isEmpty() ? none : RunReport.dropTable(drops).toString());
        SwitchSection.unhandled(counters)
                .forEach(one -> text.append('\n').append(Prose.folded(one, 2)).append('\n'));
        return text.toString();
    }

    private static String all(CounterSnapshot counters, @Nullable Kind only) {
        Table table = new Table("of", "counter", ">value", "unit", "meaning");
        for (int i = 0; i < counters.entries().size(); i++) {
            Entry entry = counters.entries().get(i);
            if (counters.value(i) != 0 && (only == null || entry.kind() == only)) {
                table.row(
                        owner(entry),
                        entry.label(),
                        Long.toString(counters.value(i)),
                        entry.unit(),
                        entry.description());
            }
        }
        return table.toString();
    }

    private static String owner(Entry entry) {
        return switch (entry.scope()) {
            case INGRESS -> entry.owner() + " in";
            case EGRESS -> entry.owner() + " out";
            case WORKER, SWITCH -> entry.owner();
        };
    }

    private String asJson(CounterSnapshot counters, double seconds) {
        Map<String, Object> map = new LinkedHashMap<>();
        if (seconds != 0) {
            map.put("seconds", seconds);
        }
        switch (what) {
            case PORTS -> map.put("ports", PortTable.rows(counters, seconds));
            case FLOW_CONTROL -> {
                List<FlowControlSection.Row> rows = FlowControlSection.rows(counters);
                map.put("flow", rows);
                map.put("mismatches", FlowControlSection.mismatches(counters));
                map.put("waits", FlowControlSection.waits(rows));
                map.put("margins", margins());
            }
            case PFC -> map.put("pfc", QueueTables.pfc(counters));
            case QUEUE -> map.put("queues", QueueTables.queues(counters));
            case WATERMARK -> map.put("watermarks", QueueTables.watermarks(counters));
            case CONGESTION -> map.put("congestion", CongestionSection.rows(counters));
            case ESCAPE -> map.put("escape", EscapeSection.rows(counters));
            case WORKERS -> {
                map.put("workers", SwitchSection.workers(counters));
                map.put("duties", DutyTimes.rows(counters));
            }
            case DROPS -> map.put("drops", SwitchSection.dropsOf(counters));
            case COUNTERS -> {
                List<Object> all = new ArrayList<>();
                for (int i = 0; i < counters.entries().size(); i++) {
                    Entry entry = counters.entries().get(i);
                    all.add(SwitchSection.Counter.of(entry, counters.value(i)));
                }
                map.put("counters", all);
            }
            case FDB, LLDP, ROUTES, NEIGHBOURS, ERRORS, VERSION, CONFIG, RATES ->
                    throw new IllegalStateException();
        }
        return Json.COMPACT.writeValueAsString(map) + "\n";
    }
}
