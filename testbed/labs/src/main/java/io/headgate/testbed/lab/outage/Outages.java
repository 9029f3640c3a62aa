package io.headgate.testbed.lab.outage;

import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Section;
import io.headgate.control.report.Table;
import io.headgate.testbed.lab.column.LabColumn;
import io.headgate.testbed.lab.column.LabColumn.Of;
import io.headgate.testbed.topology.LinkPlan;
import io.headgate.testbed.topology.NetworkPlan;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reports the results of probes in a network whose links go down: the longest outage of each,
 * compared with the times at which routers received the remaining routes.
 */
public final class Outages {
    private static final double NS_PER_MS = 1e6;
    private static final double NS_PER_S = 1e9;

    /**
     * What routers may take beyond the configured time, on a machine that has a core for them: to
     * compute the routes and set them one after the other.
     */
    private static final long SETTING_NS = 100_000_000;

    private final NetworkPlan plan;
    private final List<Reroute> reroutes;
    private final long rerouteNs;
    private final long startNs;

    /**
     * @param reroutes in the order in which they took place
     * @param rerouteNs the configured time, with what a look at the links takes
     * @param startNs when the traffic began
     */
    public Outages(NetworkPlan plan, List<Reroute> reroutes, long rerouteNs, long startNs) {
        this.plan = plan;
        this.reroutes = List.copyOf(reroutes);
        this.rerouteNs = rerouteNs;
        this.startNs = startNs;
    }

    /** The result of a probe, for programs. */
    private record Result(
            String from,
            String to,
            int sent,
            int lost,
            double intervalMs,
            double longestOutageMs,
            @Nullable Double outageFromSeconds) {}

    /** Reports all probes; nothing if there are none. */
    public void report(Probes probes, RunReport report) {
        report(probes.results(), report);
    }

    void report(List<Probes.Probed> all, RunReport report) {
        if (all.isEmpty()) {
            return;
        }
        List<Result> results = new ArrayList<>();
        Table table = LabColumn.table(Of.PROBES);
        long longestNs = 0;
        String longest = "";
        for (Probes.Probed one : all) {
            String flow = host(one.flow().from()) + "→" + host(one.flow().to());
            Outage outage = one.longest();
            long lengthNs = outage == null ? 0 : outage.lengthNs();
            if (lengthNs > longestNs) {
                longestNs = lengthNs;
                longest = " (" + flow + ")";
            }
            Double from = outage == null ? null : (outage.fromNs() - startNs) / NS_PER_S;
            results.add(
                    new Result(
                            host(one.flow().from()),
                            host(one.flow().to()),
                            one.sent(),
                            one.lost(),
                            one.flow().intervalNs() / NS_PER_MS,
                            lengthNs / NS_PER_MS,
                            from));
            table.row(
                    flow,
                    Long.toString(one.sent()),
                    Long.toString(one.lost()),
                    ms(one.flow().intervalNs()),
                    ms(lengthNs),
                    from == null ? "-" : String.format(Locale.ROOT, "%.3f", from));
            judge(flow, one, report);
        }
        report.add(new Section("Outages", results, sentences(), table));
        report.headline(
                "longest outage of " + all.size() + " probes", ms(longestNs) + " ms" + longest);
    }

    private String sentences() {
        List<String> sentences = new ArrayList<>();
        for (Reroute reroute : reroutes) {
            List<String> down =
                    reroute.down().stream().mapToObj(one -> plan.links().get(one).name()).toList();
            sentences.add(
                    "%s: seen at %.3f s, routes in place %s ms later"
                            .formatted(
                                    down.isEmpty()
                                            ? "all links up"
                                            : "down " + String.join(", ", down),
                                    (reroute.noticedNs() - startNs) / NS_PER_S,
                                    ms(reroute.inPlaceNs() - reroute.noticedNs())));
        }
        return String.join("\n", sentences);
    }

    /**
     * Routes in place, and still nothing arrives: an outage must end then, or one interval later.
     */
    private void judge(String flow, Probes.Probed probed, RunReport report) {
        Outage outage = probed.longest();
        if (outage == null) {
            return;
        }
        for (int number = 0; number < reroutes.size(); number++) {
            Reroute reroute = reroutes.get(number);
            boolean isLast =
                    number + 1 == reroutes.size()
                            || reroutes.get(number + 1).noticedNs() - outage.lastNs() > 0;
            long afterNs = outage.lengthAfterNs(reroute.inPlaceNs());
            if (isLast && afterNs > outage.intervalNs() && hasWay(probed.flow(), reroute.down())) {
                report.problem(
                        "%s had no path for %s ms: %s ms after its routers had the remaining routes"
                                .formatted(flow, ms(outage.lengthNs()), ms(afterNs)));
            }
        }
    }

    /** Doubts a run in which the machine had no time to set routes. */
    public void doubtReroutes(RunReport report) {
        for (Reroute reroute : reroutes) {
            long lateNs = reroute.inPlaceNs() - reroute.noticedNs() - rerouteNs;
            if (lateNs > SETTING_NS) {
                report.doubt(
                        RunReport.Doubt.ofMachine(
                                ("routes were in place %s ms later than set by 'reroute'; computing"
                                                + " and setting them takes less than %s ms if the"
                                                + " machine has time")
                                        .formatted(ms(lateNs), ms(SETTING_NS))));
                return;
            }
        }
    }

    private boolean hasWay(ProbeFlow flow, BitSet down) {
        LinkPlan.End from = new LinkPlan.End(true, flow.from(), 0);
        LinkPlan.End to = new LinkPlan.End(true, flow.to(), 0);
        Set<LinkPlan.End> seen = new HashSet<>(Set.of(from));
        Deque<LinkPlan.End> next = new ArrayDeque<>(seen);
        while (!next.isEmpty()) {
            LinkPlan.End node = next.remove();
            for (LinkPlan link : plan.links()) {
                LinkPlan.End a = node(link.a());
                LinkPlan.End b = node(link.b());
                LinkPlan.End other = node.equals(a) ? b : node.equals(b) ? a : null;
                if (other != null && !down.get(link.number()) && seen.add(other)) {
                    next.add(other);
                }
            }
        }
        return seen.contains(to);
    }

    private static LinkPlan.End node(LinkPlan.End end) {
        return new LinkPlan.End(end.isHost(), end.node(), 0);
    }

    private String host(int number) {
        return plan.hosts().get(number).name();
    }

    private static String ms(long ns) {
        return String.format(Locale.ROOT, "%.1f", ns / NS_PER_MS);
    }
}
