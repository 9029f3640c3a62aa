package io.headgate.testbed.lab;

import io.headgate.control.report.RunReport;
import io.headgate.dataplane.runner.RealTimeEngine;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.Iperf3;
import io.headgate.testbed.netns.NetnsNetwork;
import io.headgate.testbed.netns.Ping;
import io.headgate.testbed.netns.Programs;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** What the hosts of a lab send: pings between all, and TCP and UDP phase by phase. */
final class LabTraffic {
    private static final int PINGS = 3;
    private static final long PING_TIMEOUT_MS = 60_000;
    private static final double MIDDLE = 0.5;
    private static final double NS_PER_S = 1e9;

    private final LabOptions options;
    private final LabFiles files;
    private final NetnsNetwork network;
    private final HostCounters hostCounters;
    private final LabCapture capture;
    private final RunReport report;
    private final Progress progress;

    LabTraffic(
            LabOptions options,
            NetnsNetwork network,
            LabCapture capture,
            RunReport report,
            Progress progress) {
        this.options = options;
        this.files = new LabFiles(options.reportDirectory(), report);
        this.network = network;
        this.hostCounters = new HostCounters(network);
        this.capture = capture;
        this.report = report;
        this.progress = progress;
    }

    /** Every host pings every other, all at once. */
    void pingAll(boolean ipv6) throws BedException {
        record Under(int from, int to, Programs.Running ping) {}

        List<Under> under = new ArrayList<>();
        int hosts = network.plan().hosts().size();
        for (int from = 1; from <= hosts; from++) {
            for (int to = 1; to <= hosts; to++) {
                if (from != to) {
                    String address = ipv6 ? network.address6(to - 1) : network.address(to - 1);
                    under.add(
                            new Under(
                                    from,
                                    to,
                                    network.programs()
                                            .start(
                                                    network.hostNetns(from - 1),
                                                    Ping.command(address, PINGS))));
                }
            }
        }
        List<Ping.Outcome> pings = new ArrayList<>();
        for (Under one : under) {
            String output = one.ping.await(PING_TIMEOUT_MS).output();
            Ping.Outcome outcome = Ping.parse(one.from, one.to, PINGS, output);
            pings.add(outcome);
            if (!outcome.reachable()) {
                report.problem("h" + one.from + " does not reach h" + one.to + " by ping");
            }
        }
        long reachable = pings.stream().filter(Ping.Outcome::reachable).count();
        String what = ipv6 ? "Ping over IPv6" : "Ping";
        progress.say(what + ": " + reachable + " of " + pings.size() + " pairs reachable");
        report.add(LabSections.pings(pings, hosts, what));
    }

    /**
     * All phases of the four-port lab, one after the other.
     *
     * @return the result of each
     */
    List<Phase.Outcome> run(LabSwitches switches, TimeSeries looks) throws BedException {
        long rateBps = switches.only().config().ports().getFirst().rateBps();
        long udpBps = options.udpBps() == 0 ? rateBps / 10 : options.udpBps();
        List<Phase.Outcome> outcomes = new ArrayList<>();
        try {
            for (Phase phase : Phase.all(rateBps, udpBps)) {
                progress.say(phase.describe(options.seconds()));
                looks.mark(phase.name());
                outcomes.add(run(switches, phase, false, MIDDLE));
            }
        } finally {
            // Also of a lab that ends early.
            report.add(LabSections.tcp(outcomes));
            report.add(LabSections.udp(outcomes));
            report.add(LabSections.drops(outcomes));
        }
        looks.mark("rest");
        return outcomes;
    }

    /**
     * One phase.
     *
     * @param controlled as {@link LabCapture#openAfter} takes it
     * @param windowAt the part of the phase's time after which the capture is open for its moment
     */
    Phase.Outcome run(LabSwitches switches, Phase phase, boolean controlled, double windowAt)
            throws BedException {
        LabCounters before = LabCounters.of(switches);
        long socketBefore = hostCounters.socketDrops();
        long afterNs = (long) (windowAt * options.seconds() * NS_PER_S);
        List<Iperf3.Outcome> flows =
                Iperf3.run(
                        network,
                        phase.protocol(),
                        phase.flows(),
                        options.seconds(),
                        phase.udpBps(),
                        () -> capture.openAfter(afterNs, switches, controlled));
        capture.awaitMoment();
        for (int i = 0; i < flows.size(); i++) {
            keepResult(phase, i, flows.get(i));
        }
        // Switch and agents ask their kernels for drops only now and then.
        LockSupport.parkNanos(RealTimeEngine.KERNEL_DROPS_KNOWN_NS);
        LabCounters during = LabCounters.of(switches).since(before);
        return new Phase.Outcome(
                phase,
                flows,
                during.drops(),
                hostCounters.socketDrops() - socketBefore,
                during.loads(options.seconds(), List.of()));
    }

    private void keepResult(Phase phase, int number, Iperf3.Outcome flow) throws BedException {
        String name =
                LabFiles.word(phase.name())
                        + "-h"
                        + flow.flow().from()
                        + "-h"
                        + flow.flow().to()
                        + (phase.flows().indexOf(flow.flow()) == number ? "" : "-" + (number + 1));
        files.put("iperf3-" + name + ".json", flow.json());
        String problem = flow.problem();
        if (problem != null) {
            report.problem("iperf3 " + name + " (flow " + (number + 1) + ") failed: " + problem);
        } else if (flow.receivedBps() <= 0) {
            report.problem("iperf3 " + name + " received nothing");
        }
    }
}
