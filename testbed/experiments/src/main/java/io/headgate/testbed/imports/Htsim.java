package io.headgate.testbed.imports;

import io.headgate.config.SwitchConfig.Mode;
import io.headgate.config.key.Text;
import io.headgate.testbed.imports.SourceText.Line;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Reads topologies of csg-htsim (Broadcom/csg-htsim, {@code fat_tree_topology.cpp}): trees of two
 * or three tiers, with the links, rate and latency of each tier's switches.
 */
final class Htsim {
    private static final List<String> OF_TIERS =
            List.of(
                    "downlink_speed_gbps",
                    "radix_down",
                    "radix_up",
                    "downlink_latency_ns",
                    "switch_latency_ns",
                    "oversubscribed",
                    "bundle",
                    "queue_up",
                    "queue_down");
    private static final List<String> NEEDED = OF_TIERS.subList(0, 4);
    private static final int MOST_PORTS = 128;
    private static final int MOST = 1_000_000_000;

    private final SourceText text;
    private final Map<String, Long> head = new HashMap<>();
    private final List<Map<String, Long>> tiers = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private int last;

    private Htsim(SourceText text) {
        this.text = text;
    }

    static Imported topology(SourceText text) {
        return new Htsim(text).topology();
    }

    /** Names of hosts by their numbers, as all formats have them. */
    static List<String> hosts(int count) {
        return IntStream.range(0, count).mapToObj(id -> "h" + id).toList();
    }

    private Imported topology() {
        List<String> known = new ArrayList<>(OF_TIERS);
        known.addAll(List.of("nodes", "tiers", "podsize", "tier"));
        for (Line line : text.lines()) {
            if (line.first().startsWith("#")) {
                continue;
            }
            last = line.number();
            String key = line.first().toLowerCase(Locale.ROOT);
            if (!known.contains(key)) {
                throw text.wrong(
                        last, "the key " + Text.quote(line.first()), Text.oneOf(key, known));
            }
            long value = text.whole(last, text.word(line, 1, "value of " + key), key, 0, MOST);
            boolean isOfTier = OF_TIERS.contains(key);
            if (key.equals("tier")) {
                if (value != tiers.size() || value > 2) {
                    throw text.wrong(last, "tier " + value, "tiers 0, 1 and 2 in their order");
                }
                tiers.add(new HashMap<>());
            } else if (isOfTier == tiers.isEmpty()) {
                throw text.wrong(
                        last,
                        key + (isOfTier ? " before the first tier" : " within a tier"),
                        isOfTier ? "it below a tier" : "it above the tiers");
            } else if ((isOfTier ? tiers.getLast() : head).put(key, value) != null) {
                throw text.wrong(last, key + " twice", "once in each tier");
            }
        }
        int count = (int) of(head, "tiers", 2, 3);
        if (tiers.size() != count) {
            throw text.wrong(last, tiers.size() + " tiers", count + ", as Tiers says");
        }
        for (int tier = 0; tier < count; tier++) {
            for (String key : NEEDED) {
                boolean isTop = tier == count - 1 && key.equals("radix_up");
                if (!isTop && !tiers.get(tier).containsKey(key)) {
                    throw text.wrong(
                            last, "tier " + tier + " without " + key, String.join(", ", NEEDED));
                }
            }
        }
        return count == 2 ? tree(2) : tree(3);
    }

    private long of(Map<String, Long> from, String key, long least, long most) {
        Long value = from.get(key);
        if (value == null || value < least || value > most) {
            throw text.wrong(
                    last,
                    value == null ? "no " + key : key + " " + value,
                    "it from " + least + " to " + most);
        }
        return value;
    }

    private int radix(int tier, String key) {
        return (int) of(tiers.get(tier), key, 1, MOST_PORTS);
    }

    private int bundle(int tier) {
        return tiers.get(tier).containsKey("bundle") ? radix(tier, "bundle") : 1;
    }

    private int divided(long value, long by, String what) {
        if (value % by != 0 || value / by < 1) {
            throw text.wrong(last, what + " " + value + ", for " + by, "numbers that divide it");
        }
        return (int) (value / by);
    }

    private Imported tree(int count) {
        int nodes = (int) of(head, "nodes", 2, Imported.MOST_HOSTS);
        int podsize = (int) of(head, "podsize", 1, nodes);
        int pods = divided(nodes, podsize, "hosts");
        int down = radix(0, "radix_down");
        int torsOfPod = divided(podsize, down, "hosts of a pod");
        int up = radix(0, "radix_up");
        int aggsOfPod = divided(up, bundle(1), "uplinks of a tier 0 switch");
        requireRadix(1, (long) torsOfPod * bundle(1));
        if (count == 2 && pods != 1) {
            throw text.wrong(last, pods + " pods of two tiers", "Podsize as large as Nodes");
        }
        Topology.Builder net = Topology.builder("imported").mode(Mode.ROUTED);
        int tors = torsOfPod * pods;
        int aggs = aggsOfPod * pods;
        IntStream.range(0, tors).forEach(tor -> net.switchNode("t" + tor));
        IntStream.range(0, aggs).forEach(agg -> net.switchNode("a" + agg));
        int coresOfAgg =
                count == 3
                        ? divided(radix(1, "radix_up"), bundle(2), "uplinks of a tier 1 switch")
                        : 0;
        IntStream.range(0, coresOfAgg * aggsOfPod).forEach(core -> net.switchNode("c" + core));
        for (int host = 0; host < nodes; host++) {
            net.host("h" + host, "t" + host / down, link(0));
        }
        for (int tor = 0; tor < tors; tor++) {
            for (int i = 0; i < aggsOfPod * bundle(1); i++) {
                int agg = tor / torsOfPod * aggsOfPod + i / bundle(1);
                net.link("t" + tor, "a" + agg, link(1));
            }
        }
        if (count == 3) {
            requireRadix(2, (long) pods * bundle(2));
            for (int agg = 0; agg < aggs; agg++) {
                for (int i = 0; i < coresOfAgg * bundle(2); i++) {
                    int core = agg % aggsOfPod + aggsOfPod * (i / bundle(2));
                    net.link("a" + agg, "c" + core, link(2));
                }
            }
        }
        note();
        return Imported.network(net.build(), notes);
    }

    private void requireRadix(int tier, long links) {
        if (radix(tier, "radix_down") != links) {
            throw text.wrong(
                    last,
                    "radix_down " + radix(tier, "radix_down") + " of tier " + tier,
                    links + ", computed from Nodes, Podsize, the tier below and Bundle");
        }
    }

    /** A switch's latency is half of it at each of its links: as long on every path. */
    private LinkSpec link(int tier) {
        long rateBps = of(tiers.get(tier), "downlink_speed_gbps", 1, 400) * 1_000_000_000L;
        long latencyNs = of(tiers.get(tier), "downlink_latency_ns", 0, MOST);
        long switchesNs = latencyOf(tier) + (tier == 0 ? 0 : latencyOf(tier - 1));
        return new LinkSpec(rateBps, latencyNs * 1000 + switchesNs * 500);
    }

    private long latencyOf(int tier) {
        return tiers.get(tier).getOrDefault("switch_latency_ns", 0L);
    }

    private void note() {
        if (tiers.stream().anyMatch(tier -> tier.getOrDefault("switch_latency_ns", 0L) > 0)) {
            notes.add(
                    text.name()
                            + ": switches have no delay here; half of Switch_Latency_ns is added to"
                            + " the delay of each link of a switch, which gives the same delay on"
                            + " every path");
        }
        for (String key : Arrays.asList("queue_up", "queue_down")) {
            if (tiers.stream().anyMatch(tier -> tier.containsKey(key))) {
                notes.add(
                        text.name()
                                + ": "
                                + key
                                + " is not converted; queue-limit applies to all ports");
            }
        }
        if (tiers.stream().anyMatch(tier -> tier.getOrDefault("oversubscribed", 1L) > 1)) {
            notes.add(
                    text.name()
                            + ": oversubscription is computed from the links; Oversubscribed is not"
                            + " needed");
        }
    }
}
