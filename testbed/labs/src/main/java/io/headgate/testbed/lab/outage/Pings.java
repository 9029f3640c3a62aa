package io.headgate.testbed.lab.outage;

import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Section;
import io.headgate.control.report.Table;
import io.headgate.testbed.lab.column.LabColumn;
import io.headgate.testbed.lab.column.LabColumn.Of;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.NetnsNetwork;
import io.headgate.testbed.netns.Ping;
import io.headgate.testbed.netns.Programs;
import io.headgate.testbed.topology.HostPlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Pings between the hosts of a lab: a host that another one cannot reach is a problem. */
public final class Pings {
    /** With more hosts than this, each pings only the next. */
    private static final int MOST_PINGING_ALL = 8;

    private static final int PINGS = 3;
    private static final long TIMEOUT_MS = 60_000;

    private final NetnsNetwork network;
    private final List<String> names;
    private final RunReport report;
    private final Consumer<String> progress;

    /**
     * @param progress takes a line for a person
     */
    public Pings(NetnsNetwork network, RunReport report, Consumer<String> progress) {
        this.network = network;
        this.names = network.plan().hosts().stream().map(HostPlan::name).toList();
        this.report = report;
        this.progress = progress;
    }

    /** Every host pings every other, all at once. */
    public void all() throws BedException {
        run(IntStream.range(0, names.size()).toArray(), false);
    }

    /**
     * Hosts ping each other, all at once; where there are many each pings the next one.
     *
     * @param hosts their numbers, from 0
     */
    public void run(int[] hosts, boolean ipv6) throws BedException {
        record Under(int from, int to, Programs.Running ping) {}

        if (hosts.length < 2) {
            return;
        }
        boolean isAll = hosts.length <= MOST_PINGING_ALL;
        List<Under> under = new ArrayList<>();
        for (int first = 0; first < hosts.length; first++) {
            for (int step = 1; step < (isAll ? hosts.length : 2); step++) {
                int from = hosts[first];
                int to = hosts[(first + step) % hosts.length];
                List<String> ping =
                        Ping.command(ipv6 ? network.address6(to) : network.address(to), PINGS);
                Programs.Running running = network.programs().start(network.hostNetns(from), ping);
                under.add(new Under(from, to, running));
            }
        }
        List<Ping.Outcome> pings = new ArrayList<>();
        for (Under one : under) {
            String output = one.ping.await(TIMEOUT_MS).output();
            Ping.Outcome ping = Ping.parse(one.from + 1, one.to + 1, PINGS, output);
            pings.add(ping);
            if (!ping.reachable()) {
                report.problem(
                        names.get(one.from) + " does not reach " + names.get(one.to) + " by ping");
            }
        }
        String what = ipv6 ? "Ping over IPv6" : "Ping";
        long reachable = pings.stream().filter(Ping.Outcome::reachable).count();
        String sentence = reachable + " of " + pings.size() + " pairs reachable";
        progress.accept(what + ": " + sentence);
        report.add(isAll ? matrix(pings, what, sentence) : list(pings, what, sentence));
    }

    private Section matrix(List<Ping.Outcome> pings, String what, String sentence) {
        List<String> headings = new ArrayList<>(List.of("from \\ to"));
        names.forEach(name -> headings.add(">" + name));
        Table table = new Table(headings.toArray(String[]::new));
        for (int from = 1; from <= names.size(); from++) {
            String[] row = new String[headings.size()];
            Arrays.fill(row, "-");
            row[0] = names.get(from - 1);
            for (Ping.Outcome ping : pings) {
                if (ping.from() == from) {
                    row[ping.to()] = cell(ping);
                }
            }
            table.row(row);
        }
        return new Section(what, pings, sentence + "; shortest round trip in ms:", table);
    }

    private Section list(List<Ping.Outcome> pings, String what, String sentence) {
        Table table = LabColumn.table(Of.PINGS);
        for (Ping.Outcome ping : pings) {
            table.row(names.get(ping.from() - 1), names.get(ping.to() - 1), cell(ping));
        }
        return new Section(what, pings, sentence, table);
    }

    private static String cell(Ping.Outcome ping) {
        return ping.reachable() ? String.format(Locale.ROOT, "%.3f", ping.minimumMs()) : "none";
    }
}
