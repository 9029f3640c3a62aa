package io.headgate.control.cli;

import io.headgate.config.HostConfig;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.report.Json;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.NoticeCounter;
import io.headgate.dataplane.counter.RdmaCounter;
import io.headgate.hostagent.rdma.PerfPlan;
import io.headgate.hostagent.rdma.RdmaReport;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** The result of a RoCEv2 measurement, as text or JSON. */
record RdmaResult(
        PerfPlan.Test test,
        RdmaOptions options,
        HostConfig.Nic nic,
        RdmaReport report,
        CounterSnapshot counters) {
    private static final double NS_PER_US = 1e3;
    private static final double NS_PER_S = 1e9;
    private static final double BPS_PER_GBPS = 1e9;
    private static final double KBPS_PER_GBPS = 1e6;
    private static final int PLACES = 1_000;

    void print(PrintWriter out) {
        if (options.isJson()) {
            out.println(Json.COMPACT.writeValueAsString(fields()));
        } else if (test == PerfPlan.Test.LAT && options.isClient()) {
            latency(out);
        } else {
            bandwidth(out);
        }
    }

    private Map<String, Object> fields() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("test", test.label());
        all.put("role", options.isClient() ? "client" : "server");
        all.put("host", nic.name());
        all.put("address", options.address());
        String server = options.serverAddress();
        if (server != null) {
            all.put("server", server);
        }
        all.put("pathMtuBytes", options.mtuBytes());
        String failure = report.failure();
        if (failure != null) {
            all.put("failure", failure);
        }
        all.put("messages", messages());
        all.put("bytes", bytes());
        all.put("goodputGbps", gbps(report.goodputBps() / BPS_PER_GBPS));
        List<Map<String, Object>> connections = new ArrayList<>();
        report.connections().forEach(one -> connections.add(fields(one)));
        all.put("connections", connections);
        Map<String, Long> counted = new LinkedHashMap<>();
        for (RdmaCounter id : RdmaCounter.values()) {
            counted.put(id.label(), counters.value(Scope.SWITCH, nic.name(), id));
        }
        for (NoticeCounter id : NoticeCounter.values()) {
            counted.put(id.label(), counters.value(Scope.SWITCH, nic.name(), id));
        }
        all.put("counters", counted);
        return all;
    }

    private Map<String, Object> fields(RdmaReport.Connection one) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("queuePair", one.queuePair());
        fields.put("messages", one.messages());
        fields.put("bytes", one.bytes());
        fields.put("completionUs", one.elapsedNs() / NS_PER_US);
        double gbps = one.elapsedNs() == 0 ? 0 : one.bytes() * 8.0 / one.elapsedNs();
        fields.put("goodputGbps", gbps(gbps));
        fields.put("repeatedPackets", one.repeats());
        fields.put("naks", one.naks());
        fields.put("timeouts", one.timeouts());
        if (options.isClient()) {
            fields.put(
                    test == PerfPlan.Test.LAT ? "latencyUs" : "messageTimeUs",
                    times(one.timesNs(), half()));
        }
        return fields;
    }

    /** Divisor of measured times: latency is half of a round trip, as in perftest. */
    private double half() {
        return test == PerfPlan.Test.LAT ? 2 : 1;
    }

    private static Map<String, Double> times(Histogram ns, double parts) {
        Map<String, Double> times = new LinkedHashMap<>();
        double per = NS_PER_US * parts;
        boolean isEmpty = ns.getTotalCount() == 0;
        times.put("min", isEmpty ? 0 : rounded(ns.getMinValue() / per));
        times.put("median", rounded(ns.getValueAtPercentile(50) / per));
        times.put("mean", rounded(ns.getMean() / per));
        times.put("p99", rounded(ns.getValueAtPercentile(99) / per));
        times.put("p999", rounded(ns.getValueAtPercentile(99.9) / per));
        times.put("max", rounded(ns.getMaxValue() / per));
        return times;
    }

    private static double rounded(double value) {
        return Math.rint(value * PLACES) / PLACES;
    }

    /** Rounded to a kilobit: slow links reach only thousandths of this unit. */
    private static double gbps(double value) {
        return Math.rint(value * KBPS_PER_GBPS) / KBPS_PER_GBPS;
    }

    private long messages() {
        return report.connections().stream().mapToLong(RdmaReport.Connection::messages).sum();
    }

    private long bytes() {
        return report.connections().stream().mapToLong(RdmaReport.Connection::bytes).sum();
    }

    private void bandwidth(PrintWriter out) {
        out.printf(
                "%-10s %12s %10s %12s %14s %9s %9s%n",
                "queue pair",
                "bytes",
                "messages",
                "time[s]",
                "goodput[Gb/s]",
                "repeated",
                "timeouts");
        for (RdmaReport.Connection one : report.connections()) {
            double gbps = one.elapsedNs() == 0 ? 0 : one.bytes() * 8.0 / one.elapsedNs();
            out.printf(
                    "%-10d %12d %10d %12.3f %14.4f %9d %9d%n",
                    one.queuePair(),
                    one.bytes(),
                    one.messages(),
                    one.elapsedNs() / NS_PER_S,
                    gbps,
                    one.repeats(),
                    one.timeouts());
        }
        out.printf(
                "all: %d messages, %.4f Gb/s of payload%n",
                messages(), report.goodputBps() / BPS_PER_GBPS);
        if (options.isClient()) {
            for (RdmaReport.Connection one : report.connections()) {
                out.println(
                        "message times of " + one.queuePair() + ", us: " + times(one.timesNs(), 1));
            }
        }
    }

    private void latency(PrintWriter out) {
        out.printf(
                "%-10s %10s %10s %10s %10s %10s %10s %10s   (us)%n",
                "queue pair", "messages", "min", "median", "mean", "p99", "p99.9", "max");
        for (RdmaReport.Connection one : report.connections()) {
            Map<String, Double> times = times(one.timesNs(), half());
            out.printf("%-10d %10d", one.queuePair(), one.messages());
            times.values().forEach(value -> out.printf(" %10.2f", value));
            out.println();
        }
    }
}
