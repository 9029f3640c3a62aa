package io.headgate.testbed.lab;

import io.headgate.config.SwitchConfig;
import io.headgate.config.read.SwitchConfigs;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.daemon.HostDaemon;
import io.headgate.control.report.FlowControlSection;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.SwitchSection;
import io.headgate.control.run.RunningSwitch;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.testbed.lab.Losses.Loss;
import io.headgate.testbed.lab.outage.Pings;
import io.headgate.testbed.lab.validity.Holds;
import io.headgate.testbed.lab.validity.LabMargins;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.Iperf3.Flow;
import io.headgate.testbed.netns.NetnsNetwork;
import io.headgate.testbed.netns.Privilege;
import io.headgate.testbed.netns.SocketBuffers;
import io.headgate.testbed.netns.Tools.Tool;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.picture.LinkLoad;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Hosts with agents at one switch, with priority flow control: put up once, with traffic one or
 * more times. Lossless traffic has DSCP 26, which is priority 3.
 */
public final class LosslessRun {
    /** DSCP of the lossless traffic. */
    static final int DSCP = 26;

    /** Its type of service byte. */
    static final int LOSSLESS_TOS = DSCP << 2;

    /** Priority of the lossless traffic. */
    static final int PRIORITY = 3;

    /** How often credits are granted at least, in ms. */
    static final int CREDIT_PERIOD_MS = 5;

    /** What is allowed for of each link. */
    static final long DELAY_NS = 50_000;

    /** Buffer occupancy from which a sender is paused. */
    static final long XOFF_BYTES = 100_000;

    private static final int SOCKET_BYTES = 1_000_000;
    private static final int HOSTS = 4;

    /** Both sides alike: no priority starves another, and few cores are slow to react. */
    static final String ALWAYS = ", classify: {trust: dscp}, scheduler: [1, 1, 1, 4, 1, 1, 1, 1]";

    /**
     * Settings of the configurations in addition to flow control.
     *
     * @param ports of ports of the switch and of the hosts, each with a comma before it
     * @param hosts of hosts alone, in the same form; then the switch has an address
     * @param heldMs for how long buffers allow a worker to be held, of the switch and of the hosts
     */
    record Beside(String ports, String hosts, int heldMs) {}

    /**
     * The result of one phase of traffic.
     *
     * @param holds what the machine did to workers meanwhile
     * @param cards what the hosts' cards counted, by host
     */
    record Result(
            Phase.Outcome outcome,
            List<Loss> losses,
            List<FlowControlSection.Row> flow,
            CounterSnapshot switchCounters,
            List<LinkLoad> loads,
            Holds holds,
            List<CounterSnapshot> cards) {
        Result {
            loads = List.copyOf(loads);
            cards = List.copyOf(cards);
        }

        /** A picture of the network meanwhile. */
        LabFiles.Used used(String caption, NetworkPlan plan) {
            return new LabFiles.Used(
                    "network-" + LabFiles.word(outcome.phase().name()), caption + ".", plan, loads);
        }

        /** Notices of fair rates that a port had sent meanwhile. */
        long notices(String port) {
            return switchCounters.value(Scope.EGRESS, port, "rocc.notices.p" + PRIORITY);
        }
    }

    private final LabOptions options;

    // Whether there are sure to be frames of flow control.
    private final boolean isPaused;

    private final RunReport report;
    private final Progress progress;
    private final SwitchConfig config;
    private final LabSwitches switches;
    private final RunningSwitch running;
    private final HostDaemon hosts;
    private final NetnsNetwork network;
    private final LabCapture capture;
    private final LabTraffic traffic;

    /**
     * Puts everything up.
     *
     * @param file for a capture
     */
    LosslessRun(Lab lab, LabNetwork own, Beside beside, RunReport report, Path file)
            throws BedException {
        Privilege privilege =
                own.prepare(EnumSet.of(Tool.IP, Tool.PING, Tool.SETPRIV, Tool.IPERF3));
        this.options = lab.options;
        this.isPaused = beside.hosts.isEmpty();
        this.report = report;
        this.progress = lab.progress;
        LabPlan plan =
                LabPlan.lossless(
                        HOSTS,
                        options,
                        ALWAYS + pfc(beside.heldMs) + beside.ports,
                        "",
                        beside.hosts);
        own.goFirst();
        network = own.build(plan, privilege);
        switches = own.startSwitches(network);
        running = switches.only();
        config = running.config();
        hosts = own.startHosts(plan.agents(network));
        network.configureHosts();
        own.awaitLinks(switches);
        capture = own.capture(switches, file);
        traffic = new LabTraffic(options, network, capture, report);
    }

    /** What all ports have where each gives credits for a buffer of this size. */
    static String credits(long bytes) {
        return ("flow-control: credits, lossless: [3],"
                        + " credits: {update: on-change, min-gap: 100us, period: %dms,"
                        + " block-scale: 2, buffer: %dB}")
                .formatted(CREDIT_PERIOD_MS, bytes);
    }

    /** What all ports have with pauses, with a comma before each key. */
    static String pfc(int heldMs) {
        return (", flow-control: pfc, lossless: [3],"
                        + " link: {delay: %dns, own-reaction: %dms, peer-reaction: %dms},"
                        + " buffers: {xoff: %dB}")
                .formatted(DELAY_NS, heldMs, heldMs, XOFF_BYTES);
    }

    /** Lossless UDP; the receiver's socket holds what comes while its reader is kept waiting. */
    static Flow flow(int from, int to, long bps) {
        return new Flow(from, to, bps, LOSSLESS_TOS, SocketBuffers.granted(SOCKET_BYTES), "");
    }

    /**
     * Every host pings every other, from which the switch learns where they are. Then hosts no
     * longer ask for addresses.
     */
    void pingAll() throws BedException {
        capture.open();
        new Pings(network, report, progress::say).all();
        capture.shut();
        network.introduceHosts();
    }

    /**
     * Runs one phase of traffic, captured for a moment.
     *
     * @param windowAt the part of the phase after which that is: a switch whose capture begins is
     *     busy for some ten milliseconds with code that it has not run yet
     */
    Result run(Phase phase, double windowAt) throws BedException {
        progress.say(phase.describe(options.seconds(), LosslessRun::host));
        // What it took to come up is not how it reacts.
        running.clearWatermarks();
        hosts.agent().cards().clearWatermarks();
        Losses losses = new Losses(network, switches, hosts);
        Phase.Outcome outcome = traffic.run(switches, phase, isPaused, windowAt);
        LabCounters counted = losses.switchCounters();
        CounterSnapshot counters = counted.bySwitch().getFirst();
        List<FlowControlSection.Row> flow = new ArrayList<>(FlowControlSection.rows(counters));
        List<CounterSnapshot> cards = losses.allHostCounters();
        cards.forEach(card -> flow.addAll(FlowControlSection.rows(card)));
        return new Result(
                outcome,
                losses.sinceThen(),
                flow,
                counters,
                counted.loads(options.seconds(), cards),
                holds(),
                cards);
    }

    /** Holds of workers of the switch and of the agents since the phase began. */
    private Holds holds() {
        List<CounterSnapshot> all = new ArrayList<>();
        all.add(running.counters());
        for (int nic = 0; nic < HOSTS; nic++) {
            all.add(hosts.counters(nic));
        }
        return Holds.of(all);
    }

    /**
     * Adds to the report whether the switch can guarantee what it promises.
     *
     * @param name of the section
     * @return as {@link LabMargins#describe}
     */
    String describeMargins(String name) {
        List<CounterSnapshot> cards = IntStream.range(0, HOSTS).mapToObj(hosts::counters).toList();
        return switches.margins(cards).describe(name, report);
    }

    /** Adds to the report what the switch is, and what it counted in a phase alone. */
    void describe(Result of) {
        report.add(
                SwitchSection.of(
                        running,
                        of.switchCounters,
                        "phase \"" + of.outcome.phase().name() + "\" began"));
    }

    /** Ends the capture, and has it read. */
    void finish() {
        capture.close();
        new LabChecks(report, progress).capture(network.programs(), capture);
    }

    String switchYaml() {
        return SwitchConfigs.toYaml(config);
    }

    RunningSwitch running() {
        return running;
    }

    NetnsNetwork network() {
        return network;
    }

    /** A host's name by its number, from 1. */
    static String host(int number) {
        return "h" + number;
    }
}
