package io.headgate.testbed.lab;

import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.counters.CounterSnapshot.Drop;
import io.headgate.control.daemon.HostDaemon;
import io.headgate.control.report.FlowControlSection;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Doubt;
import io.headgate.control.report.RunReport.Section;
import io.headgate.control.report.Table;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.HostCounter;
import io.headgate.dataplane.counter.RdmaCounter;
import io.headgate.dataplane.device.linux.net.LinuxInterface;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.testbed.lab.column.LabColumn;
import io.headgate.testbed.lab.column.LabColumn.Of;
import io.headgate.testbed.lab.own.LabMeasure;
import io.headgate.testbed.lab.policy.Passage;
import io.headgate.testbed.lab.rdma.RdmaHosts;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.Iperf3;
import io.headgate.testbed.netns.NetnsNetwork;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.topology.LinkPlan;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Counts the frames lost since a moment, at every place between two sockets where a frame can be
 * lost: the switches, the agents, the TAPs as {@code ip -s link} shows them, the queues before the
 * TAPs, and the receivers' sockets.
 */
final class Losses {
    record Loss(String where, String reason, long frames, String meaning) {
        /** Whether a full queue of a switch dropped it, or pushed it out for another frame. */
        boolean isOfQueues() {
            return where.startsWith(AT_SWITCH) && OF_QUEUES.contains(reason);
        }

        /** Whether it can be the effect of a hold. */
        boolean isOfHolds() {
            return OF_HOLDS.contains(reason) || isBehind();
        }

        boolean isBehind() {
            return reason.equals(SOCKETS);
        }
    }

    /** Datagrams that came after iperf3 had stopped reading. */
    static final String ENDED = "end of traffic";

    private static final String AT_SWITCH = "switch, port ";

    private static final Set<String> OF_QUEUES =
            Set.of(DropReason.QUEUE_FULL.name(), DropReason.PUSHED_OUT.name());

    private static final String DISCIPLINE = "queueing discipline";

    static final String SOCKETS = "sockets";
    private static final String TAP_TRANSMITTING = "TAP, transmitting";

    /** Reasons of drops that happen while a thread is held up. */
    private static final Set<String> OF_HOLDS =
            Set.of(
                    DropReason.HEADROOM_EXHAUSTED.name(),
                    DropReason.NO_SLOT.name(),
                    DropReason.KERNEL_RX_RING_FULL.name(),
                    DropReason.KERNEL_RX_FILL_EMPTY.name(),
                    DropReason.KERNEL_RX_INTERFACE.name(),
                    DropReason.TAP_RING_FULL.name(),
                    DISCIPLINE,
                    TAP_TRANSMITTING);

    /**
     * A host's card.
     *
     * @param host its number, from 0
     * @param hasTap whether its applications are programs; else they are endpoints of RoCEv2
     */
    record Card(int host, String name, boolean hasTap, Supplier<CounterSnapshot> counters) {}

    private static final double NS_PER_MS = 1e6;

    private static final LinuxInterface.Statistics NO_TAP =
            new LinuxInterface.Statistics(0, 0, 0, 0, 0, 0, 0, 0);

    private final NetnsNetwork network;
    private final LabSwitches switches;
    private final List<Card> cards;
    private final HostCounters hostCounters;
    private final LabCounters switchBefore;
    private final List<CounterSnapshot> hostsBefore;
    private final List<LinuxInterface.Statistics> tapsBefore;
    private final List<Long> socketsBefore;
    private final List<Long> sentBefore;
    private final List<Long> lateBefore;

    static Card agent(HostDaemon hosts, int nic, int host) {
        return new Card(
                host, hosts.config().nics().get(nic).name(), true, () -> hosts.counters(nic));
    }

    Losses(NetnsNetwork network, LabSwitches switches, List<Card> cards) throws BedException {
        this.network = network;
        this.switches = switches;
        this.cards = List.copyOf(cards);
        this.hostCounters = new HostCounters(network);
        this.switchBefore = LabCounters.of(switches);
        this.hostsBefore = cards();
        this.tapsBefore = taps();
        this.socketsBefore = ofHosts(hostCounters::socketDrops);
        this.sentBefore = ofHosts(hostCounters::sentPackets);
        this.lateBefore = ofHosts(hostCounters::lateDatagrams);
    }

    private List<CounterSnapshot> cards() {
        return counters(cards);
    }

    static List<CounterSnapshot> counters(List<Card> cards) {
        return cards.stream().map(card -> card.counters.get()).toList();
    }

    /** Of cards without a TAP as if nothing passed it. */
    private List<LinuxInterface.Statistics> taps() throws BedException {
        List<LinuxInterface.Statistics> taps = new ArrayList<>();
        for (Card card : cards) {
            taps.add(card.hasTap ? network.hostInterface(card.host).statistics() : NO_TAP);
        }
        return taps;
    }

    LabCounters switchCounters() {
        return LabCounters.of(switches).since(switchBefore);
    }

    /** The counters of a card since then, by its place among them. */
    CounterSnapshot hostCounters(int nic) {
        return cards.get(nic).counters.get().since(hostsBefore.get(nic));
    }

    List<CounterSnapshot> allHostCounters() {
        return IntStream.range(0, hostsBefore.size()).mapToObj(this::hostCounters).toList();
    }

    /** The time for which a card was stopped, all its priorities together. */
    static long stoppedNs(CounterSnapshot card) {
        return FlowControlSection.rows(card).stream()
                .mapToLong(FlowControlSection.Row::stoppedNs)
                .sum();
    }

    /** The time for which all cards together were stopped, as a series of one sample. */
    Series timeStopped() {
        double stoppedNs = allHostCounters().stream().mapToDouble(Losses::stoppedNs).sum();
        return one(LabMeasure.TIME_STOPPED, stoppedNs / NS_PER_MS);
    }

    /** What all endpoints of RoCEv2 together sent again, as a series of one sample. */
    Series packetsRepeated() {
        double repeated = 0;
        for (int nic = 0; nic < cards.size(); nic++) {
            if (!cards.get(nic).hasTap) {
                repeated +=
                        hostCounters(nic)
                                .value(
                                        Scope.SWITCH,
                                        cards.get(nic).name,
                                        RdmaCounter.PACKETS_REPEATED);
            }
        }
        return one(LabMeasure.PACKETS_REPEATED, repeated);
    }

    private static Series one(LabMeasure measure, double value) {
        return Series.of(measure.word(), measure.unit(), List.of(new double[] {0, value}));
    }

    /** All losses since then; empty if there were none. */
    List<Loss> sinceThen() throws BedException {
        List<Loss> losses = new ArrayList<>();
        for (Drop drop : switchCounters().drops()) {
            losses.add(loss(AT_SWITCH + drop.port(), drop));
        }
        List<LinuxInterface.Statistics> taps = taps();
        for (int nic = 0; nic < taps.size(); nic++) {
            String name = cards.get(nic).name;
            CounterSnapshot card = hostCounters(nic);
            if (!cards.get(nic).hasTap) {
                for (Drop drop : card.drops()) {
                    if (!RdmaHosts.isOfEnded(drop, name)) {
                        losses.add(loss("endpoint, " + drop.port(), drop));
                    }
                }
                continue;
            }
            for (Drop drop : card.drops()) {
                losses.add(loss("agent, " + drop.port(), drop));
            }
            add(
                    losses,
                    "host " + name,
                    DISCIPLINE,
                    card.value(Scope.SWITCH, name, HostCounter.BACKLOG_DROPPED),
                    HostCounter.BACKLOG_DROPPED.description());
            add(
                    losses,
                    "host " + name,
                    TAP_TRANSMITTING,
                    taps.get(nic).transmitDropped()
                            - tapsBefore.get(nic).transmitDropped()
                            - tapRingFull(card),
                    "tx_dropped of ip -s link");
            add(
                    losses,
                    "host " + name,
                    "TAP, receiving",
                    taps.get(nic).receiveDropped() - tapsBefore.get(nic).receiveDropped(),
                    "rx_dropped of ip -s link, including frames that the host's kernel does not"
                            + " use");
        }
        List<Long> sockets = ofHosts(hostCounters::socketDrops);
        for (int host = 0; host < sockets.size(); host++) {
            add(
                    losses,
                    "host " + network.plan().hosts().get(cards.get(host).host).name(),
                    SOCKETS,
                    sockets.get(host) - socketsBefore.get(host),
                    "not the network: a receiver did not read its socket in time");
        }
        return losses;
    }

    /** The same of a phase, with what came to sockets that were no longer read. */
    List<Loss> ofPhase() throws BedException {
        List<Loss> losses = sinceThen();
        add(
                losses,
                "hosts",
                ENDED,
                Math.max(0, lateDatagrams()),
                "arrived after iperf3 had stopped reading its sockets");
        return losses;
    }

    /**
     * How far datagrams came, in the order of their flows; nothing where hosts have others than one
     * flow of UDP.
     */
    List<Passage> passages(List<Iperf3.Outcome> flows) throws BedException {
        Set<Integer> hosts = new HashSet<>();
        for (Iperf3.Outcome flow : flows) {
            hosts.add(flow.flow().from());
            if (flow.protocol() != Iperf3.Protocol.UDP || flow.problem() != null) {
                return List.of();
            }
        }
        List<Integer> ofCards = cards.stream().map(Card::host).toList();
        boolean haveTaps = cards.stream().allMatch(Card::hasTap);
        if (hosts.size() < flows.size() || !haveTaps) {
            return List.of();
        }
        LabCounters counters = switchCounters();
        List<Long> sent = sentPackets();
        List<Passage> passages = new ArrayList<>();
        for (Iperf3.Outcome flow : flows) {
            int host = flow.flow().from() - 1;
            int card = ofCards.indexOf(host);
            LinkPlan.End at = network.portOf(host);
            passages.add(
                    Passage.of(
                            flow,
                            network.plan().hosts().get(host).name(),
                            switches.all().get(at.node()).ports().get(at.port()).name(),
                            hostCounters(card),
                            counters.bySwitch().get(at.node()),
                            sent.get(card)));
        }
        return passages;
    }

    /** What each host's kernel has sent since then, in packets. */
    private List<Long> sentPackets() throws BedException {
        List<Long> sent = ofHosts(hostCounters::sentPackets);
        return IntStream.range(0, sent.size())
                .mapToObj(host -> sent.get(host) - sentBefore.get(host))
                .toList();
    }

    /** Datagrams since then that came to hosts after their sockets were last read. */
    private long lateDatagrams() throws BedException {
        return sum(ofHosts(hostCounters::lateDatagrams)) - sum(lateBefore);
    }

    private static long sum(List<Long> counts) {
        return counts.stream().mapToLong(Long::longValue).sum();
    }

    /** A value that is counted at a host, by its number. */
    @FunctionalInterface
    private interface AtHost {
        long count(int host) throws BedException;
    }

    private List<Long> ofHosts(AtHost counter) throws BedException {
        List<Long> counts = new ArrayList<>();
        for (Card card : cards) {
            counts.add(card.hasTap ? counter.count(card.host) : 0L);
        }
        return counts;
    }

    /** What an agent has seen of its TAP's drops. */
    private static long tapRingFull(CounterSnapshot card) {
        return card.drops().stream()
                .filter(drop -> drop.reason().equals(DropReason.TAP_RING_FULL.name()))
                .mapToLong(Drop::frames)
                .sum();
    }

    private static Loss loss(String where, Drop drop) {
        return new Loss(where, drop.reason(), drop.frames(), drop.description());
    }

    private static void add(
            List<Loss> losses, String where, String reason, long frames, String meaning) {
        if (frames != 0) {
            losses.add(new Loss(where, reason, frames, meaning));
        }
    }

    static long frames(List<Loss> losses) {
        return losses.stream().mapToLong(Loss::frames).sum();
    }

    /** Whether there are any, all such as happen where a worker, of switch or agent, is held. */
    static boolean areOfHolds(List<Loss> losses) {
        return !losses.isEmpty()
                && losses.stream().allMatch(loss -> OF_HOLDS.contains(loss.reason));
    }

    /** Whether there are any, all of them behind the network, in sockets that were not read. */
    static boolean areBehind(List<Loss> losses) {
        return !losses.isEmpty() && losses.stream().allMatch(Loss::isBehind);
    }

    /** How many of them are such as the machine makes: of a hold, or of a socket not read. */
    static long ofMachine(List<Loss> losses) {
        return losses.stream()
                .filter(loss -> OF_HOLDS.contains(loss.reason) || loss.isBehind())
                .mapToLong(Loss::frames)
                .sum();
    }

    /** The text of a verdict on these: their number, and whether they are behind the network. */
    static String sentence(List<Loss> losses) {
        long all = losses.stream().mapToLong(Loss::frames).sum();
        long behind = losses.stream().filter(Loss::isBehind).mapToLong(Loss::frames).sum();
        String lost = all == 1 ? "1 frame was lost" : all + " frames were lost";
        String reading = "behind the network, where a receiver did not read in time";
        if (behind == 0) {
            return lost;
        }
        return behind == all
                ? lost + " in sockets, " + reading + ": none in switch, agents or TAPs"
                : lost + ", " + behind + " of them in sockets, " + reading;
    }

    /** Such as {@code : 3 WATCHDOG, 2 QUEUE_FULL}. */
    static String reasons(List<Loss> losses) {
        Map<String, Long> frames = new TreeMap<>();
        losses.forEach(loss -> frames.merge(loss.reason, loss.frames, Long::sum));
        List<String> each = new ArrayList<>();
        frames.forEach((reason, count) -> each.add(count + " " + reason));
        return ": " + String.join(", ", each);
    }

    /**
     * Says what was lost. What is lost in sockets alone is for a receiver that had no core, and
     * says nothing of the network: it makes a run invalid. What a receiver misses is the same
     * frames seen from the far end, so it is said only where it misses more than was counted on the
     * way.
     *
     * @param missed datagrams that receivers miss
     * @param held what the machine did, where that is why: if all others are of holds, the run is
     *     invalid, too
     */
    static void judge(List<Loss> losses, long missed, String held, RunReport report) {
        List<Loss> within = losses.stream().filter(loss -> !loss.isBehind()).toList();
        if (areOfHolds(within) && !held.isEmpty()) {
            report.doubt(Doubt.ofMachine(sentence(losses) + held));
        } else if (areBehind(losses)) {
            report.doubt(Doubt.ofMachine(sentence(losses)));
        } else if (!losses.isEmpty()) {
            report.problem(sentence(losses) + reasons(losses));
        }
        long counted = losses.stream().mapToLong(Loss::frames).sum();
        if (missed > counted) {
            report.problem(
                    "iperf3 misses "
                            + missed
                            + " datagrams, "
                            + (missed - counted)
                            + " more than the losses counted in the network");
        }
    }

    static Section section(String name, List<Loss> losses) {
        if (losses.isEmpty()) {
            return new Section(
                    name,
                    losses,
                    "none: not in the switch, nor in agents, queueing disciplines, TAPs, sockets");
        }
        Table table = LabColumn.table(Of.LOSSES);
        for (Loss loss : losses) {
            table.row(loss.where, loss.reason, Long.toString(loss.frames), loss.meaning);
        }
        return new Section(name, losses, table);
    }
}
