package io.headgate.testbed.imports;

import io.headgate.config.SwitchConfig.Mode;
import io.headgate.config.key.Text;
import io.headgate.testbed.imports.SourceText.Line;
import io.headgate.testbed.topology.LinkFaults;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.Topology;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads files of HPCC's simulator (alibaba-edu/High-Precision-Congestion-Control, {@code
 * third.cc}). A topology has the numbers of nodes, switches and links; the switches; for each link
 * its ends, rate, delay and the share of packets that it loses. A file of flows has their number;
 * for each its source, destination, priority group, destination port, bytes, and its start in
 * seconds.
 */
final class Hpcc {
    private static final int MOST_NODES = Imported.MOST_HOSTS + 4096;
    private static final int MOST_LINKS = 100_000;
    private static final int MOST_PORTS = 128;
    private static final long PS_PER_S = 1_000_000_000_000L;
    private static final Pattern WITH_UNIT = Pattern.compile("([0-9.]+(?:[eE][-+]?[0-9]+)?)(.*)");

    private static final Map<String, Long> RATES =
            Map.ofEntries(
                    Map.entry("bps", 1L),
                    Map.entry("b/s", 1L),
                    Map.entry("kbps", 1_000L),
                    Map.entry("kb/s", 1_000L),
                    Map.entry("Kbps", 1_000L),
                    Map.entry("Kb/s", 1_000L),
                    Map.entry("Mbps", 1_000_000L),
                    Map.entry("Mb/s", 1_000_000L),
                    Map.entry("Gbps", 1_000_000_000L),
                    Map.entry("Gb/s", 1_000_000_000L));

    private static final Map<String, Long> TIMES =
            Map.of("ps", 1L, "ns", 1_000L, "us", 1_000_000L, "ms", 1_000_000_000L, "s", PS_PER_S);

    private final SourceText text;

    private Hpcc(SourceText text) {
        this.text = text;
    }

    static Imported topology(SourceText text) {
        return new Hpcc(text).topology();
    }

    static Imported flows(SourceText text) {
        return new Hpcc(text).flows();
    }

    private static String host(long id) {
        return "h" + id;
    }

    private Imported topology() {
        Line head = text.lines().getFirst();
        int nodes = count(head, 0, "nodes", 2, MOST_NODES);
        int switches = count(head, 1, "switches", 0, nodes);
        int links = count(head, 2, "links", 1, MOST_LINKS);
        Set<Integer> isSwitch = new TreeSet<>();
        int at = switches(switches, nodes, isSwitch);
        Topology.Builder net = Topology.builder("imported").mode(Mode.ROUTED);
        isSwitch.forEach(id -> net.switchNode("s" + id));
        List<Topology.Link> all = new ArrayList<>();
        Map<Integer, Integer> linkOf = new HashMap<>();
        for (int i = 0; i < links; i++) {
            Line line = line(at++, links + " links, of which there are " + i);
            all.add(link(line, nodes, isSwitch, linkOf));
        }
        if (at < text.lines().size()) {
            throw text.wrong(
                    text.lines().get(at).number(),
                    "a line more",
                    "the number of links in the first line, " + links);
        }
        for (int id = 0; id < nodes; id++) {
            if (!isSwitch.contains(id) && !linkOf.containsKey(id)) {
                throw text.wrong(head.number(), "host " + id + " without a link", "one for each");
            }
        }
        addAll(net, nodes, isSwitch, all);
        return Imported.network(
                net.build(),
                List.of(
                        text.name()
                                + ": buffers, thresholds of marks and pauses, and congestion"
                                + " control are in the simulator's config.txt, which is not read:"
                                + " lossy queues of 500 kB are used instead"));
    }

    /** How many there are of something, as a word of the first line says. */
    private int count(Line head, int place, String what, int least, int most) {
        String word = text.word(head, place, "number of " + what);
        return text.count(head.number(), word, what, least, most);
    }

    /** Reads which nodes are switches; returns the place of the next line. */
    private int switches(int switches, int nodes, Set<Integer> isSwitch) {
        int at = 1;
        while (isSwitch.size() < switches) {
            Line line = line(at++, switches + " switches, of which there are " + isSwitch.size());
            for (String word : line.words()) {
                int id = text.count(line.number(), word, "switch", 0, nodes - 1);
                if (!isSwitch.add(id) || isSwitch.size() > switches) {
                    throw text.wrong(
                            line.number(),
                            "switch " + id + ", which is a duplicate or one too many",
                            switches + " different ones");
                }
            }
        }
        return at;
    }

    private static void addAll(
            Topology.Builder net, int nodes, Set<Integer> isSwitch, List<Topology.Link> all) {
        // Hosts by their numbers, each with its link; then the others.
        Map<String, Topology.Link> ownLink = new HashMap<>();
        all.forEach(link -> ownLink.put(link.a().startsWith("h") ? link.a() : link.b(), link));
        for (int id = 0; id < nodes; id++) {
            if (!isSwitch.contains(id)) {
                String name = host(id);
                Topology.Link own = Objects.requireNonNull(ownLink.get(name));
                net.host(name, own.a().equals(name) ? own.b() : own.a(), own.spec());
            }
        }
        for (Topology.Link link : all) {
            if (link.a().startsWith("s") && link.b().startsWith("s")) {
                net.link(link.a(), link.b(), link.spec());
            }
        }
    }

    private Line line(int at, String wanted) {
        if (at >= text.lines().size()) {
            int last = text.lines().getLast().number();
            throw text.wrong(last, "the end of the file", wanted);
        }
        return text.lines().get(at);
    }

    private Topology.Link link(
            Line line, int nodes, Set<Integer> isSwitch, Map<Integer, Integer> linkOf) {
        if (line.words().size() != 5) {
            throw text.wrong(
                    line.number(),
                    line.words().size() + " words",
                    "two nodes, rate, delay and loss, such as 0 8 100Gbps 1us 0");
        }
        List<String> names = new ArrayList<>();
        for (int end = 0; end < 2; end++) {
            int id = text.count(line.number(), line.words().get(end), "node", 0, nodes - 1);
            boolean isHost = !isSwitch.contains(id);
            if (linkOf.merge(id, 1, Integer::sum) > (isHost ? 1 : MOST_PORTS)) {
                throw text.wrong(
                        line.number(),
                        (isHost ? "a second link of host " : "one link more of switch ") + id,
                        isHost ? "one link for each host" : MOST_PORTS + " links for each switch");
            }
            names.add(isHost ? host(id) : "s" + id);
        }
        if (names.get(0).equals(names.get(1))
                || (names.get(0).startsWith("h") && names.get(1).startsWith("h"))) {
            throw text.wrong(
                    line.number(),
                    "a link between " + names.get(0) + " and " + names.get(1),
                    "two different nodes, one of which is a switch");
        }
        long rateBps = withUnit(line, 2, "rate", RATES, "100Gbps", 1_000_000, 400_000_000_000L);
        long delayPs = withUnit(line, 3, "delay", TIMES, "1us", 0, PS_PER_S);
        double loss = loss(line);
        LinkSpec spec = new LinkSpec(rateBps, delayPs);
        return new Topology.Link(
                names.get(0),
                names.get(1),
                loss == 0 ? spec : spec.withFaults(LinkFaults.NONE.withLossProbability(loss)));
    }

    private long withUnit(
            Line line,
            int place,
            String what,
            Map<String, Long> units,
            String example,
            long least,
            long most) {
        String word = line.words().get(place);
        Matcher parts = WITH_UNIT.matcher(word);
        Long unit = parts.matches() ? units.get(parts.group(2)) : null;
        long value =
                unit == null ? -1 : text.scaled(line.number(), parts.group(1), what, unit, most);
        if (value < least) {
            throw text.wrong(
                    line.number(),
                    what + " " + Text.quote(word),
                    "one such as "
                            + example
                            + ", in "
                            + String.join(", ", new TreeSet<>(units.keySet())));
        }
        return value;
    }

    private double loss(Line line) {
        String word = line.words().get(4);
        long parts = text.scaled(line.number(), word, "loss", PS_PER_S, PS_PER_S);
        return (double) parts / PS_PER_S;
    }

    private Imported flows() {
        Line head = text.lines().getFirst();
        int count =
                text.count(head.number(), head.first(), "number of flows", 1, Imported.MOST_FLOWS);
        List<Imported.Flow> flows = new ArrayList<>();
        int most = 0;
        for (Line line : text.lines().subList(1, text.lines().size())) {
            if (flows.size() == count) {
                throw text.wrong(
                        line.number(), "flow " + (count + 1), count + ", as the first line says");
            }
            Imported.Flow flow = flow(line);
            most = Math.max(most, Math.max(flow.source(), flow.destination()));
            flows.add(flow);
        }
        if (flows.size() < count) {
            throw text.wrong(
                    text.lines().getLast().number(),
                    flows.size() + " flows",
                    count + ", as the first line says");
        }
        return new Imported(
                null,
                Htsim.hosts(most + 1),
                flows,
                List.of(
                        text.name()
                                + ": destination ports are not converted; each flow has its own"
                                + " source port",
                        text.name()
                                + ": no congestion control is converted; add control, such as hpcc,"
                                + " to the traffic"));
    }

    private Imported.Flow flow(Line line) {
        if (line.words().size() != 6) {
            throw text.wrong(
                    line.number(),
                    line.words().size() + " words",
                    "source, destination, priority group, port, bytes and start in seconds, such"
                            + " as 0 1 3 100 1000000 2.0");
        }
        int source = text.count(line.number(), line.words().get(0), "source", 0, MOST_NODES - 1);
        int destination =
                text.count(line.number(), line.words().get(1), "destination", 0, MOST_NODES - 1);
        if (source == destination) {
            throw text.wrong(line.number(), "a flow of " + source + " to itself", "two hosts");
        }
        return new Imported.Flow(
                source,
                destination,
                text.scaled(
                        line.number(), line.words().get(5), "start", PS_PER_S, Imported.LATEST_PS),
                text.whole(line.number(), line.words().get(4), "bytes", 1, Imported.MOST_BYTES),
                text.count(line.number(), line.words().get(2), "priority group", 0, 7),
                List.of());
    }
}
