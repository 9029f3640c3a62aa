package io.headgate.testbed.scenario.file;

import io.headgate.config.yaml.YamlConfig;
import io.headgate.dataplane.random.NamedRandom;
import io.headgate.testbed.traffic.spec.Collective;
import io.headgate.testbed.traffic.spec.Collective.Algorithm;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.Workloads;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Makes flows from the traffic patterns that an entry names: collectives, incasts, permutations and
 * scattered flows. Random draws depend on {@code draw} and the entry's name; for scattered flows on
 * {@code draw} and the file's name.
 *
 * @param mostFlows maximum number of flows that it may make
 */
record PatternReader(TrafficEntry entry, int mostFlows) {
    static final String PERMUTATION = "permutation";

    private static final int FIRST_PORT = 49_152;
    private static final int PORTS = 16_384;
    private static final long MOST_AWAITED = 2_000_000;
    private static final int MOST_TRIES = 1000;

    private NamedRandom random(String purpose) {
        return NamedRandom.of(entry.draw(), entry.name(), purpose);
    }

    /**
     * Draws another host for each host, so that each sends to one and receives from one. It draws
     * until no host would send to itself; after many tries all hosts form one circle.
     */
    List<Integer> permutation(List<Integer> hosts) {
        NamedRandom random = random(PERMUTATION);
        List<Integer> to = new ArrayList<>(hosts);
        for (int tries = 1; ; tries++) {
            // Fisher and Yates; the last time Sattolo's, which leaves nothing where it was.
            int fewer = tries == MOST_TRIES ? 0 : 1;
            for (int i = to.size() - 1; i > 0; i--) {
                int other = (int) random.nextLong(i + fewer);
                to.set(i, to.set(other, to.get(i)));
            }
            boolean hasFixed = false;
            for (int i = 0; i < to.size(); i++) {
                hasFixed |= to.get(i).equals(hosts.get(i));
            }
            if (!hasFixed) {
                return to;
            }
            to = new ArrayList<>(hosts);
        }
    }

    /**
     * The flows of incasts, one after the other, each to a receiver drawn from {@code to}, from
     * senders drawn from {@code from}.
     *
     * @param one template of the flows, except hosts and start
     * @param endPs end of the run
     */
    List<FlowSpec> incast(
            TrafficEntry.Incast said,
            FlowSpec one,
            List<Integer> from,
            List<Integer> to,
            long endPs) {
        long everyPs = said.everyPs();
        int degree = said.senders();
        long untilPs = Math.min(endPs, one.stopPs());
        long times = Math.ceilDiv(Math.max(0, untilPs - one.startPs()), everyPs);
        if (times > mostFlows / degree) {
            throw wrong(
                    times + " incasts of " + degree + " senders",
                    "at most " + mostFlows + " flows more");
        }
        NamedRandom random = random("incast");
        List<FlowSpec> flows = new ArrayList<>();
        for (long startPs = one.startPs(); startPs < untilPs; startPs += everyPs) {
            int receiver = to.get((int) random.nextLong(to.size()));
            List<Integer> others = new ArrayList<>(from);
            others.removeIf(host -> host == receiver);
            if (others.size() < degree) {
                throw wrong(
                        degree + " senders of " + others.size(),
                        "at most the number of hosts in 'from' without the receiver");
            }
            for (int i = 0; i < degree; i++) {
                int drawn = i + (int) random.nextLong(others.size() - i);
                int sender = others.set(drawn, others.get(i));
                flows.add(one.between(sender, receiver).withStartPs(startPs));
            }
        }
        return flows;
    }

    /**
     * Flows of each host, each to a random other host at a random time.
     *
     * @param one template of the flows, except hosts and start
     */
    List<FlowSpec> scatter(
            TrafficEntry.Scatter said,
            FlowSpec one,
            List<Integer> from,
            List<Integer> to,
            NamedRandom random) {
        int each = said.flows();
        int apart = said.apart();
        if ((long) each * from.size() > mostFlows) {
            throw wrong(
                    (long) each * from.size() + " flows", "at most " + mostFlows + " flows more");
        }
        List<FlowSpec> flows = new ArrayList<>();
        for (int source : from) {
            List<Integer> others = new ArrayList<>(to);
            others.removeIf(host -> host / apart == source / apart);
            if (others.isEmpty()) {
                throw wrong(
                        "no host that is apart from a sender's " + apart,
                        "more hosts in to, or fewer apart");
            }
            for (int i = 0; i < each; i++) {
                int destination = others.get((int) random.nextLong(others.size()));
                long latePs = random.nextLong(Math.max(1, said.withinPs()));
                flows.add(one.between(source, destination).withStartPs(one.startPs() + latePs));
            }
        }
        return flows;
    }

    /**
     * The flows of a collective.
     *
     * @param one template of the flows, except hosts and size
     * @param ranks hosts, by rank
     * @param before flows of earlier entries, which it may wait for by name
     */
    List<FlowSpec> collective(
            TrafficEntry.Collective said,
            FlowSpec one,
            List<Integer> ranks,
            List<FlowSpec> before) {
        boolean isToAll = said.kind() == Collective.Kind.ALL_TO_ALL;
        Collective collective =
                new Collective(
                        said.kind(),
                        Objects.requireNonNullElse(
                                said.algorithm(), isToAll ? Algorithm.AT_ONCE : Algorithm.RING),
                        ranks.size(),
                        one.sizeBytes(),
                        said.chunks(),
                        said.computePs());
        if (new HashSet<>(ranks).size() < ranks.size()) {
            throw wrong("a host with two ranks", "each host once");
        }
        if (collective.flows() > mostFlows) {
            throw wrong(collective.flows() + " flows more", "at most " + mostFlows);
        }
        List<List<FlowSpec.After>> earlier = earlier(said.after(), ranks, before);
        requireFew(collective, earlier);
        List<FlowSpec> flows = new ArrayList<>();
        for (Collective.Send send : collective.sends()) {
            List<FlowSpec.After> after = new ArrayList<>();
            for (FlowSpec.After awaited : earlier.get(send.from())) {
                after.add(new FlowSpec.After(awaited.flow(), send.offsetPs()));
            }
            send.after()
                    .forEach(own ->
                            after.add(
                                    new FlowSpec.After(before.size() + own.flow(), own.delayPs())));
            FlowSpec flow =
                    one.between(ranks.get(send.from()), ranks.get(send.to()))
                            .withStartPs(one.startPs() + send.offsetPs())
                            .withSizeBytes(send.sizeBytes())
                            .withAfter(after);
            flows.add(
                    one.shape().sourcePort() != 0
                            ? flow
                            : flow.withShape(one.shape().withSourcePort(port(flow, send.chunk()))));
        }
        return flows;
    }

    /**
     * All steps between two ranks are one connection, as collective libraries have them, so on one
     * path.
     */
    private static int port(FlowSpec flow, int chunk) {
        long key = ((long) flow.source() << 40) ^ ((long) flow.destination() << 20) ^ chunk;
        return FIRST_PORT + (int) (NamedRandom.mix(key + 1) & (PORTS - 1));
    }

    /**
     * What each rank waits for of the entries named in {@code after}: all that it receives of
     * these, as far as it does not itself pass it on; if that is nothing, its last sends.
     */
    private static List<List<FlowSpec.After>> earlier(
            List<String> names, List<Integer> ranks, List<FlowSpec> before) {
        List<List<FlowSpec.After>> all = new ArrayList<>();
        ranks.forEach(_ -> all.add(new ArrayList<>()));
        for (String name : names) {
            if (before.stream().noneMatch(flow -> flow.name().equals(name))) {
                throw wrong(
                        "after " + YamlConfig.quote(name),
                        "names of earlier entries that have their own flows");
            }
        }
        if (names.isEmpty()) {
            return all;
        }
        // By host: flows that one of its own sends waits for.
        Set<Long> passedOn = new HashSet<>();
        for (FlowSpec flow : before) {
            flow.after().forEach(awaited -> passedOn.add(key(flow.source(), awaited.flow())));
        }
        for (int rank = 0; rank < ranks.size(); rank++) {
            int host = ranks.get(rank);
            List<FlowSpec.After> received = all.get(rank);
            List<FlowSpec.After> sent = new ArrayList<>();
            for (int i = 0; i < before.size(); i++) {
                FlowSpec flow = before.get(i);
                if (names.contains(flow.name()) && !passedOn.contains(key(host, i))) {
                    if (flow.destination() == host) {
                        received.add(new FlowSpec.After(i, 0));
                    } else if (flow.source() == host) {
                        sent.add(new FlowSpec.After(i, 0));
                    }
                }
            }
            if (received.isEmpty()) {
                received.addAll(sent);
            }
        }
        return all;
    }

    private static long key(int host, int flow) {
        return ((long) host << 32) | flow;
    }

    private static void requireFew(Collective collective, List<List<FlowSpec.After>> earlier) {
        long perRank = collective.flows() / collective.ranks() + 1;
        long waits = earlier.stream().mapToLong(List::size).sum() * perRank;
        if (waits > MOST_AWAITED) {
            throw wrong(
                    "flows that wait for " + waits + " others",
                    "at most " + MOST_AWAITED + ", so fewer ranks or steps");
        }
    }

    private static IllegalArgumentException wrong(String found, String allowed) {
        return new IllegalArgumentException(found + Workloads.ALLOWED + allowed);
    }
}
