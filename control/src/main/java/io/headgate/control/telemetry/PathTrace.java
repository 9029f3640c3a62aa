package io.headgate.control.telemetry;

import io.headgate.control.telemetry.SeenFlow.Hop;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The paths by which frames come from one host to another, according to their telemetry, including
 * the switches between ports that wrote telemetry: switches that write none are known only from
 * their neighbours.
 *
 * @param ways the paths, the most recently used first
 */
public record PathTrace(String from, String to, List<Way> ways) {
    /**
     * A path.
     *
     * @param isCut whether the frame says that some port is missing
     * @param steps ports in order; some wrote nothing
     */
    public record Way(List<String> flows, long agoMs, boolean isCut, List<Step> steps) {}

    /**
     * A switch on the path.
     *
     * @param wrote whether it wrote the hop itself; otherwise it is known from its neighbour
     */
    public record Step(boolean wrote, Hop hop) {
        private static Step silent(String node) {
            return new Step(false, new Hop(node, "-", "-", -1, -1, -1, -1, -1, -1, -1));
        }

        private String describe() {
            if (!wrote) {
                return hop.node() + ": wrote nothing";
            }
            StringBuilder text = new StringBuilder();
            text.append("%s: %s to %s, ".formatted(hop.node(), hop.in(), hop.out()));
            if (hop.latencyNs() >= 0) {
                text.append("%s in the switch, ".formatted(time(hop.latencyNs())));
            }
            text.append(waited(hop));
            if (hop.usePercent() >= 0) {
                text.append(
                        String.format(Locale.ROOT, ", link utilisation %.1f %%", hop.usePercent()));
            }
            return text.toString();
        }
    }

    /**
     * The paths of flows that came to a host.
     *
     * @param seen the flows seen by the host, the latest first
     * @param addresses known addresses of the host that they came from
     * @param peers the far ends, by switch and then by port
     */
    public static PathTrace of(
            String from,
            String to,
            List<SeenFlow> seen,
            Set<String> addresses,
            Function<String, Map<String, String>> peers) {
        Map<List<String>, Way> ways = new LinkedHashMap<>();
        for (SeenFlow flow : seen) {
            if (flow.hops().isEmpty() || !isFrom(flow, from, addresses, peers)) {
                continue;
            }
            List<Step> steps = steps(flow.hops(), peers);
            List<String> where =
                    steps.stream()
                            .map(step -> step.hop.node() + step.hop.in() + ":" + step.hop.out())
                            .toList();
            Way latest = ways.get(where);
            List<String> flows = new ArrayList<>(latest == null ? List.of() : latest.flows);
            flows.add(flow.name());
            ways.put(
                    where,
                    latest == null
                            ? new Way(flows, flow.agoMs(), flow.isCut(), steps)
                            : new Way(flows, latest.agoMs, latest.isCut, latest.steps));
        }
        return new PathTrace(from, to, List.copyOf(ways.values()));
    }

    private static boolean isFrom(
            SeenFlow flow,
            String from,
            Set<String> addresses,
            Function<String, Map<String, String>> peers) {
        Hop first = flow.hops().getFirst();
        return addresses.contains(flow.source())
                || from.equals(peers.apply(first.node()).get(first.in()));
    }

    /**
     * The hops in order. If the far end of a hop's port is not the next hop, a step for that peer
     * follows, which wrote no record.
     */
    private static List<Step> steps(List<Hop> hops, Function<String, Map<String, String>> peers) {
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < hops.size(); i++) {
            Hop hop = hops.get(i);
            steps.add(new Step(true, hop));
            String peer = peers.apply(hop.node()).get(hop.out());
            int colon = peer == null ? -1 : peer.lastIndexOf(':');
            String next = i + 1 < hops.size() ? hops.get(i + 1).node() : "";
            if (peer != null && colon > 0 && !peer.substring(0, colon).equals(next)) {
                steps.add(Step.silent(peer.substring(0, colon)));
            }
        }
        return steps;
    }

    /** For a person: whole lines. */
    public String toText() {
        StringBuilder text = new StringBuilder();
        for (Way way : ways) {
            int others = way.flows.size() - 1;
            text.append(
                    String.format(
                            Locale.ROOT,
                            "%s to %s: %s%s, the last frame %,d ms ago%n",
                            from,
                            to,
                            way.flows.getFirst(),
                            others == 0
                                    ? ""
                                    : " and %d other flow%s"
                                            .formatted(others, others == 1 ? "" : "s"),
                            way.agoMs));
            way.steps.forEach(step -> text.append("  ").append(step.describe()).append('\n'));
            text.append("  ").append(sum(way)).append('\n');
        }
        return text.toString();
    }

    private static String sum(Way way) {
        List<Hop> hops =
                way.steps.stream()
                        .filter(Step::wrote)
                        .map(Step::hop)
                        .filter(hop -> hop.latencyNs() >= 0)
                        .toList();
        String missing =
                way.isCut ? "; the frame had no room for the records of further ports" : "";
        if (hops.isEmpty()) {
            return "the time in the switches is not known" + missing;
        }
        Hop longest = hops.getFirst();
        long allNs = 0;
        for (Hop hop : hops) {
            allNs += hop.latencyNs();
            longest = hop.latencyNs() > longest.latencyNs() ? hop : longest;
        }
        if (allNs == 0) {
            return "it did not wait in any switch" + missing;
        }
        return "%s in switches, %s of it at %s:%s, where %s%s"
                .formatted(
                        time(allNs),
                        time(longest.latencyNs()),
                        longest.node(),
                        longest.out(),
                        waited(longest),
                        missing);
    }

    private static String waited(Hop hop) {
        return String.format(Locale.ROOT, "%,d bytes waited behind it", hop.queueBytes());
    }

    private static String time(long ns) {
        return String.format(Locale.ROOT, "%,.1f us", ns / 1e3);
    }
}
