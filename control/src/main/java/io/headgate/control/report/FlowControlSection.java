package io.headgate.control.report;

import static io.headgate.control.report.Table.column;
import static io.headgate.control.report.Table.number;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.TrafficConfig;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.report.Table.Column;
import io.headgate.control.run.RunningSwitch;
import io.headgate.dataplane.counter.CounterDirectory.Entry;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.dataplane.counter.IngressCounter;
import io.headgate.dataplane.counter.PriorityCounter;
import io.headgate.dataplane.counter.PriorityCounter.Egress;
import io.headgate.dataplane.counter.PriorityCounter.Ingress;
import io.headgate.dataplane.counter.WorkerCounter;
import io.headgate.dataplane.engine.DutyNumbers;
import io.headgate.dataplane.engine.WorkerPlan;
import io.headgate.dataplane.flowcontrol.LosslessMargin;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;

/** Flow control for a person: pauses, their durations, and whether the priorities are lossless. */
public final class FlowControlSection {
    /** Kinds of flow control that count different things. */
    public enum Kind {
        PAUSES,
        CREDITS
    }

    /**
     * A lossless priority of a port. The frames are flow control frames: sent to stop the far end,
     * or received because it stops this port.
     *
     * @param controlSent PAUSE, PFC and credit frames of the port, whatever their priority
     * @param stoppedNs time that the port was paused, or without credits for a frame it had
     * @param stoppedNowNs time for which the port has now been stopped; 0 if it is not
     * @param stoppingNowNs time for which the far end has now been paused, or has had no credits
     *     for a frame while nothing left; 0 if it may send
     */
    public record Row(
            String port,
            int priority,
            Kind kind,
            long xoffSent,
            long refreshSent,
            long xonSent,
            long xoffReceived,
            long refreshReceived,
            long xonReceived,
            long controlSent,
            long controlReceived,
            long creditBlocksLost,
            long stops,
            long stoppedNs,
            long stoppedMaxNs,
            long heldBytes,
            long heldMaxBytes,
            long storms,
            long stoppedNowNs,
            long stoppingNowNs) {

        private boolean isUsed() {
            return heldMaxBytes > 0
                    || stops > 0
                    || storms > 0
                    || xoffSent + xoffReceived + refreshReceived + xonReceived > 0;
        }
    }

    /**
     * A possible part of a cyclic wait, as one switch sees it: a port that has long been stopped in
     * a priority, while the switch has stopped other ports in that priority for as long. Only the
     * whole network shows whether the chain of waiting queues returns here.
     *
     * @param stopping ports whose far ends are stopped at the same time
     */
    public record Wait(String port, int priority, long stoppedNs, List<String> stopping) {

        /** A sentence. */
        public String describe() {
            return String.format(
                    Locale.ROOT,
                    "port %s, priority %d: stopped for %.0f ms, while this switch stops the senders"
                            + " at %s: possible deadlock (cyclic wait). It is one if the switches"
                            + " behind %s report the same and the chain leads back here. A PFC"
                            + " watchdog would end it",
                    port,
                    priority,
                    stoppedNs / 1e6,
                    String.join(", ", stopping),
                    port);
        }
    }

    /**
     * The verdict whether a port's lossless priorities are lossless on this machine as it runs.
     *
     * @param bytes headroom left in the worst case; below 0: not guaranteed
     * @param spareNs additional time that a worker may be held without a loss
     */
    public record Margin(
            String port, boolean guaranteed, long bytes, long slots, long spareNs, String why) {
        /** The same margin for a port whose device has changed and may lose frames by itself. */
        Margin withTrouble(String trouble) {
            return trouble.isEmpty()
                    ? this
                    : new Margin(
                            port,
                            false,
                            bytes,
                            slots,
                            spareNs,
                            "not guaranteed: " + trouble + "\n" + why);
        }
    }

    /** The period that totals cover, in reports and in answers of a running switch. */
    private static final String COUNTED =
            ", since the counters began (in a lab: with the phase; otherwise: with the switch)";

    private FlowControlSection() {}

    /** Every lossless priority of every port, from counters alone. */
    public static List<Row> rows(CounterSnapshot counters) {
        return rows(counters, UnaryOperator.identity());
    }

    /** The same for one of several switches. */
    public static List<Row> rows(CounterSnapshot counters, UnaryOperator<String> named) {
        List<String> withCredits =
                counters.owners(Scope.INGRESS, PriorityCounter::isLabelOfCredits);
        List<Row> rows = new ArrayList<>();
        for (String port : counters.owners(Scope.INGRESS, PriorityCounter::isLabel)) {
            Kind kind = withCredits.contains(port) ? Kind.CREDITS : Kind.PAUSES;
            for (int priority = 0; priority < TrafficConfig.PRIORITIES; priority++) {
                Row row = row(named.apply(port), new Values(counters, port, priority, kind));
                if (row.isUsed()) {
                    rows.add(row);
                }
            }
        }
        return rows;
    }

    private static Row row(String port, Values of) {
        return new Row(
                port,
                of.priority,
                of.kind,
                of.out(Egress.XOFF_SENT),
                of.out(Egress.REFRESH_SENT),
                of.out(Egress.XON_SENT),
                of.in(Ingress.XOFF_RECEIVED),
                of.in(Ingress.REFRESH_RECEIVED),
                of.in(Ingress.XON_RECEIVED),
                of.counters.value(Scope.EGRESS, of.port, EgressCounter.LINK_CONTROL_TRANSMITTED),
                of.counters.value(Scope.INGRESS, of.port, IngressCounter.LINK_CONTROL_RECEIVED),
                of.in(Ingress.CREDIT_BLOCKS_LOST),
                of.out(Egress.STOPS),
                of.out(Egress.STOPPED_NS),
                of.out(Egress.STOPPED_MAX_NS),
                of.in(Ingress.OCCUPANCY_BYTES),
                of.in(Ingress.OCCUPANCY_MAX_BYTES),
                of.out(Egress.STORMS),
                of.out(Egress.STOPPED_NOW_NS),
                of.out(Egress.STOPPING_NOW_NS) + of.in(Ingress.FULL_NOW_NS));
    }

    /**
     * Values of one priority of a port; 0 for values that its kind of flow control does not have.
     */
    private record Values(CounterSnapshot counters, String port, int priority, Kind kind) {
        long in(Ingress id) {
            return id.exists(kind == Kind.CREDITS)
                    ? counters.value(Scope.INGRESS, port, id.label(priority))
                    : 0;
        }

        long out(Egress id) {
            return id.exists(kind == Kind.CREDITS)
                    ? counters.value(Scope.EGRESS, port, id.label(priority))
                    : 0;
        }
    }

    /** The rows that may be part of a cyclic wait; a short one is normal with pauses. */
    public static List<Wait> waits(List<Row> rows) {
        long longNs = ConfigDefaults.WATCHDOG.detectionNs();
        List<Wait> waits = new ArrayList<>();
        for (Row row : rows) {
            List<String> stopping =
                    rows.stream()
                            .filter(other -> other.priority == row.priority)
                            .filter(other -> !other.port.equals(row.port))
                            .filter(other -> other.stoppingNowNs >= longNs)
                            .map(Row::port)
                            .toList();
            if (row.stoppedNowNs >= longNs && !stopping.isEmpty()) {
                waits.add(new Wait(row.port, row.priority, row.stoppedNowNs, stopping));
            }
        }
        return waits;
    }

    /**
     * A sentence for each port that received link control from a far end with another
     * configuration.
     */
    public static List<String> mismatches(CounterSnapshot counters) {
        List<String> sentences = new ArrayList<>();
        for (int i = 0; i < counters.entries().size(); i++) {
            Entry entry = counters.entries().get(i);
            if (counters.value(i) != 0
                    && entry.scope() == Scope.INGRESS
                    && entry.label().equals(IngressCounter.LINK_CONTROL_MISMATCHES.label())) {
                sentences.add(
                        String.format(
                                Locale.ROOT,
                                "port %s: the far end is configured differently: %d link-control"
                                        + " frames do not match (a single one may be a damaged"
                                        + " frame); flow-control, classify, lossless and credits"
                                        + " must be the same at both ends of a link, otherwise"
                                        + " frames may be lost",
                                entry.owner(),
                                counters.value(i)));
            }
        }
        return sentences;
    }

    private static Column<Row> count(String heading, ToLongFunction<Row> value) {
        return column(">" + heading, value::applyAsLong);
    }

    /** A column of counts; empty for ports with another kind of flow control. */
    private static Column<Row> count(String heading, Kind kind, ToLongFunction<Row> value) {
        return column(
                ">" + heading,
                row -> row.kind == kind ? Long.toString(value.applyAsLong(row)) : "");
    }

    private static Column<Row> ms(String heading, ToLongFunction<Row> valueNs) {
        return number(">" + heading, "%.3f", row -> valueNs.applyAsLong(row) / 1e6);
    }

    public static Table table(List<Row> rows) {
        return Table.of(rows, columns(rows));
    }

    /** Columns for each kind of flow control that these ports have. */
    public static List<Column<Row>> columns(List<Row> rows) {
        boolean pauses = rows.stream().anyMatch(row -> row.kind == Kind.PAUSES);
        boolean credits = rows.stream().anyMatch(row -> row.kind == Kind.CREDITS);
        boolean lost = rows.stream().anyMatch(row -> row.creditBlocksLost > 0);
        List<Column<Row>> columns = new ArrayList<>();
        columns.add(column("port", Row::port, "the port, or one side of a host's card"));
        columns.add(count("prio", Row::priority).says("a lossless priority of the port"));
        if (pauses) {
            addPauses(columns);
        }
        if (credits) {
            columns.add(
                    count("credits sent (frames)", Kind.CREDITS, Row::controlSent)
                            .says(
                                    "link-control frames that the port sent, for all priorities"
                                            + " together"
                                            + COUNTED));
            columns.add(
                    count("received (frames)", Kind.CREDITS, Row::controlReceived)
                            .says(
                                    "link-control frames that the port received, for all priorities"
                                            + " together"
                                            + COUNTED));
        }
        if (lost) {
            columns.add(
                    count("credits made good (blocks)", Kind.CREDITS, Row::creditBlocksLost)
                            .says(
                                    "blocks of frames that were lost on the link; their credits"
                                            + " were returned"
                                            + COUNTED));
        }
        columns.add(
                count("stopped (times)", Row::stops)
                        .says(
                                "times that the port was paused or had no credits for a frame"
                                        + COUNTED));
        columns.add(ms("stopped (ms)", Row::stoppedNs).says("total time of these stops" + COUNTED));
        columns.add(
                ms("longest (ms)", Row::stoppedMaxNs)
                        .says("the longest of these stops since watermarks were last cleared"));
        columns.add(
                count("held (bytes)", Row::heldBytes)
                        .says(
                                "bytes that the port had received and still held when the counters"
                                        + " were read"));
        columns.add(
                count("peak (bytes)", Row::heldMaxBytes)
                        .says("maximum of the held bytes since watermarks were last cleared"));
        columns.add(
                count("storms", Row::storms)
                        .says(
                                "pause storms: times that the watchdog found the port"
                                        + " stopped for too long"
                                        + COUNTED));
        return columns;
    }

    private static void addPauses(List<Column<Row>> columns) {
        columns.add(
                count("XOFF sent", Kind.PAUSES, Row::xoffSent)
                        .says("pauses that the port began" + COUNTED));
        columns.add(
                count("refresh", Kind.PAUSES, Row::refreshSent)
                        .says("frames that the port sent to extend a pause" + COUNTED));
        columns.add(
                count("XON", Kind.PAUSES, Row::xonSent)
                        .says("pauses that the port ended" + COUNTED));
        columns.add(
                count("XOFF received", Kind.PAUSES, Row::xoffReceived)
                        .says("pauses that its far end began" + COUNTED));
        columns.add(
                count("refresh", Kind.PAUSES, Row::refreshReceived)
                        .says("received frames that extend a pause" + COUNTED));
        columns.add(
                count("XON", Kind.PAUSES, Row::xonReceived)
                        .says("pauses that its far end ended" + COUNTED));
    }

    /**
     * The lossless margin of every port that has one, with the longest duty cycles and wake-ups
     * that its workers have had. The peer is assumed to send at the link's rate, even if the port's
     * own rate was changed.
     */
    public static List<Margin> margins(RunningSwitch running, CounterSnapshot counters) {
        SwitchConfig config = running.config();
        WorkerPlan plan = running.realTime().plan();
        List<Margin> margins = new ArrayList<>();
        DutyNumbers numbers = DutyNumbers.of(config);
        for (int port = 0; port < config.ports().size(); port++) {
            PortConfig portConfig = config.ports().get(port).withRateBps(running.linkRateBps(port));
            LosslessMargin margin = new LosslessMargin(portConfig);
            if (!margin.isNeeded()) {
                continue;
            }
            String in = "worker " + plan.workerOfDuty().get(numbers.ingress(port));
            String out = "worker " + plan.workerOfDuty().get(numbers.egress(port));
            Margin computed = margin(portConfig.name(), margin, counters, in, out);
            margins.add(computed.withTrouble(running.trouble(port)));
        }
        return margins;
    }

    /**
     * One port's margin.
     *
     * @param ingress name of the worker that runs the ingress half, in the counters
     */
    public static Margin margin(
            String port,
            LosslessMargin margin,
            CounterSnapshot counters,
            String ingress,
            String egress) {
        long wakeNs =
                Math.max(
                        worker(counters, ingress, WorkerCounter.LATENESS_MAX_NS),
                        worker(counters, egress, WorkerCounter.LATENESS_MAX_NS));
        long inNs = worker(counters, ingress, WorkerCounter.LONGEST_CYCLE_NS);
        long outNs = worker(counters, egress, WorkerCounter.LONGEST_CYCLE_NS);
        LosslessMargin seen = margin.at(wakeNs, inNs, outNs);
        long failures =
                counters.value(Scope.INGRESS, port, IngressCounter.FAILURES)
                        + counters.value(Scope.EGRESS, port, EgressCounter.FAILURES);
        return new Margin(
                port,
                failures == 0 && seen.isGuaranteed(),
                seen.bytes(),
                seen.slots(),
                seen.spareNs(),
                failed(failures) + seen.explain());
    }

    private static String failed(long failures) {
        return failures == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        "not guaranteed: its halves have failed %s since the start, and frames that"
                                + " arrived before their restart were lost (see 'show errors');"
                                + " without these failures: ",
                        failures == 1 ? "once" : failures + " times");
    }

    private static long worker(CounterSnapshot counters, String name, WorkerCounter counter) {
        return counters.value(Scope.WORKER, name, counter);
    }

    /**
     * The verdicts with their calculation, for a person; ports with the same verdict are listed
     * together.
     */
    public static String describe(List<Margin> margins) {
        Map<String, List<String>> ports = new LinkedHashMap<>();
        for (Margin margin : margins) {
            ports.computeIfAbsent(margin.why, why -> new ArrayList<>()).add(margin.port);
        }
        StringBuilder text = new StringBuilder();
        ports.forEach((why, names) ->
                text.append(names.size() == 1 ? "port " : "ports ")
                        .append(String.join(", ", names))
                        .append(": ")
                        .append(why));
        return text.toString();
    }
}
