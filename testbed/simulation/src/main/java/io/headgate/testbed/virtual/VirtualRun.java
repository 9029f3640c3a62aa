package io.headgate.testbed.virtual;

import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.random.NamedRandom;
import io.headgate.hostagent.card.CardSetup;
import io.headgate.hostagent.rate.PacingWheel;
import io.headgate.testbed.topology.LinkFaults;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.virtual.link.LinkContext;
import io.headgate.testbed.virtual.link.LinkDirection;
import io.headgate.testbed.virtual.link.LinkEnd;
import io.headgate.testbed.virtual.link.LinkObserver;
import io.headgate.testbed.virtual.link.LinkPlace;
import io.headgate.testbed.virtual.link.VirtualLink;
import io.headgate.testbed.virtual.link.WireLog;
import io.headgate.testbed.virtual.time.NodeEvents;
import io.headgate.testbed.virtual.time.VirtualClock;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A network in virtual time: nodes, links, a clock that counts picoseconds, and the loop that
 * drives them. One thread uses it; it may have others run a part of the nodes in each turn.
 *
 * <p>An instant is one picosecond at which something happens. First come the links' events,
 * receptions before transmissions, each in the order of ports, then timers. Then the duties that
 * were rung or are due are called in the order of their numbers, again from the first until none is
 * left; duties see whole nanoseconds. Probes come last.
 *
 * <p>Nodes affect each other only over links, and links take time. So while no probe or observer is
 * active, nodes are run one after another, each for up to twice the delay of the shortest link.
 *
 * <p>Nodes, links, timers and probes are added first; the run starts with the first call that runs
 * it.
 */
public final class VirtualRun {
    /** Longest duration of a run, in ps: 18 minutes. */
    public static final long LAST_PS = NodeEvents.LAST_PS;

    private final RunOptions options;
    private final RunParts parts;

    // Right while the run stands still.
    private final VirtualClock clock;
    private final Alarms alarms;
    private final WireLog log;
    private final LinkContext lent;

    private final List<VirtualNode> nodes = new ArrayList<>();
    private final TreeSet<String> names = new TreeSet<>();
    private final List<VirtualLink> links = new ArrayList<>();
    private @Nullable RunChecker checker;

    // By node.
    private NodeSchedule[] schedules = {};

    private boolean started;

    // Between the beginning of a part and its end, and for good if that was an exception.
    private boolean broken;

    // No node can do anything to another in less; 0 if it can at once.
    private long lookaheadPs;

    // Whether nodes affect each other by other ways than their links.
    private boolean together;

    // No node can do anything to another of its side in less.
    private long turnPs;

    private long instants;

    public VirtualRun(RunOptions options) {
        this.options = options;
        this.parts = new RunParts(options.threads(), options.checking());
        this.clock = parts.first().clock;
        this.alarms = new Alarms(clock, parts);
        this.log = new WireLog(options.digest());
        this.lent =
                new LinkContext(
                        parts.first().lent,
                        parts::requireNone,
                        log,
                        options.wire(),
                        options.seed());
    }

    // --- What a network is made of ---------------------------------------------------------------

    /** Adds a switch. Its ports have no links yet. */
    public SwitchNode addSwitch(SwitchConfig config) {
        requireNotStarted();
        SwitchNode node = new SwitchNode(nodes.size(), host(), config);
        add(node);
        return node;
    }

    /** Adds a host, whose card has no application device yet. */
    public HostNode addHost(CardSetup setup) {
        requireNotStarted();
        HostNode node = new HostNode(nodes.size(), host(), setup);
        add(node);
        return node;
    }

    private NodeHost host() {
        return new NodeHost(
                options.wire(),
                options.interleaving() ? random("node " + nodes.size(), "interleaving") : null);
    }

    private void add(VirtualNode node) {
        if (!names.add(node.name())) {
            throw new IllegalArgumentException("two nodes are named " + node.name());
        }
        nodes.add(node);
    }

    /** Links two ports that have no link yet. */
    public VirtualLink connect(
            VirtualNode a, int portOfA, VirtualNode b, int portOfB, LinkSpec setup) {
        requireNotStarted();
        VirtualLink link =
                new VirtualLink(
                        lent, links.size(), setup, a.linkPort(portOfA), b.linkPort(portOfB));
        a.attach(link.end(0));
        b.attach(link.end(1));
        links.add(link);
        LinkFaults faults = setup.faults();
        if (faults != null && faults.upMeanPs() > 0) {
            // Pulls it and plugs it in again.
            repeat(
                    random(link.name(), "flaps"),
                    () -> link.isUp() ? faults.upMeanPs() : faults.downMeanPs(),
                    () -> link.setUp(!link.isUp()));
        }
        return link;
    }

    /**
     * Adds a timer; it fires before the duties of its instant are called. It may see old counter
     * values: counters are correct in probes that read them, and at the end of {@link #runUntil}.
     */
    public VirtualTimer addTimer(VirtualTimer.Task task) {
        requireNotStarted();
        return alarms.addTimer(task);
    }

    /**
     * Adds a probe: a timer that fires at the end of its instant, reads, and changes only its own
     * time.
     */
    public VirtualTimer addProbe(VirtualTimer.Task task) {
        requireNotStarted();
        return alarms.addProbe(task);
    }

    /**
     * Adds a probe that reads no counters: bringing them up to date costs more than most probes.
     */
    public VirtualTimer addPlainProbe(VirtualTimer.Task task) {
        requireNotStarted();
        return alarms.addPlainProbe(task);
    }

    /** Adds an action that is called whenever threads have run nodes and rest again. */
    void atRest(Runnable action) {
        parts.atRest(action);
    }

    /** Makes all nodes run together, because they affect each other not only over links. */
    public void keepTogether() {
        requireNotStarted();
        together = true;
    }

    /** Sets the observer of every frame that is put on a link; null: none. */
    public void observe(@Nullable LinkObserver newObserver) {
        log.observe(newObserver);
    }

    /**
     * Calls none of a node's duties from now until {@link #resume}: its worker does not run, like a
     * thread that the machine has suspended. Call it from a timer, or while the run stands still.
     */
    public void stall(VirtualNode node) {
        parts.requireNone("a node is stalled");
        parts.stall(node.number());
    }

    /** Calls a stalled node's duties again, all of them first now. */
    public void resume(VirtualNode node) {
        parts.requireNone("a node is resumed");
        parts.resume(node.number());
        // The resumed node has an instant now, whatever the time of its next event.
        RunDuties ofNode = node.engineHost().duties();
        if (ofNode != null) {
            for (int i = 0; i < node.engine().duties().size(); i++) {
                ofNode.ready().set(node.firstDuty() + i);
            }
            schedules[node.number()].schedule(node.firstDuty(), clock.ps());
        }
    }

    /**
     * Number of calls that did something while another half of the switch was in a call; 0 unless
     * interleaving is on.
     */
    public long interleaved() {
        return parts.interleaved();
    }

    /** The generator of this run for one purpose of one owner; the same numbers each time. */
    public NamedRandom random(String owner, String purpose) {
        return NamedRandom.of(options.seed(), owner, purpose);
    }

    private void requireNotStarted() {
        if (started) {
            throw new IllegalStateException("the run has started: nothing can be added");
        }
    }

    // --- Running -------------------------------------------------------------------------------

    /**
     * Runs everything up to and including a time; then the clock has this time.
     *
     * @param untilPs at most {@link #LAST_PS}
     */
    public void runUntil(long untilPs) {
        advance(untilPs);
        parts.publish();
        broken = false;
    }

    /**
     * Does the same as {@link #runUntil}, but for counters, which may be old: for a caller that
     * does not read them before it goes on.
     */
    public void runPartUntil(long untilPs) {
        advance(untilPs);
        broken = false;
    }

    private void advance(long untilPs) {
        requireReachable(untilPs);
        goOn();
        while (next() <= untilPs) {
            if (!window(untilPs)) {
                instant();
            }
        }
        // Each part's clock is where its own last event was.
        parts.time(Math.max(untilPs, clock.ps()));
        parts.reportReturns();
    }

    /**
     * Runs the next instant, if it is not after a time; returns whether there was one.
     *
     * @param untilPs at most {@link #LAST_PS}
     */
    public boolean step(long untilPs) {
        requireReachable(untilPs);
        goOn();
        if (next() > untilPs) {
            broken = false;
            return false;
        }
        boolean looked = instant();
        // The checker has published what changed, but for what a probe has done after it.
        if (checker == null || looked) {
            parts.publish();
        }
        broken = false;
        return true;
    }

    private static void requireReachable(long untilPs) {
        if (untilPs > LAST_PS) {
            throw new IllegalArgumentException(
                    "a run until " + untilPs + " ps; up to " + LAST_PS + " ps are allowed");
        }
    }

    /** Calls the duties that were rung while the run stood still, before time goes on. */
    private void goOn() {
        if (broken) {
            throw new IllegalStateException("the run failed at " + clock.ps() + " ps");
        }
        broken = true;
        start();
        parts.settle();
    }

    /** Time of the next event; {@link PacingWheel#NEVER} if there is none. */
    public long nextPs() {
        start();
        parts.settle();
        return next();
    }

    private long next() {
        return Math.min(nextOfNodes(), alarms.nextTime());
    }

    private long nextOfNodes() {
        return Math.min(parts.nextTime(0), parts.nextTime(1));
    }

    private void start() {
        if (started) {
            return;
        }
        started = true;
        if (options.extraCallsMeanPs() > 0) {
            NamedRandom random = random("runner", "extra calls");
            repeat(
                    random,
                    options::extraCallsMeanPs,
                    () -> parts.call(random.nextInt(parts.duties())));
        }
        numberEvents();
        if (options.checking()) {
            checker = new RunChecker(clock, nodes, links, parts.first().duties);
        }
        parts.start(schedules, ports() >= options.readAheadPorts());
        endInstant();
    }

    /** Does something again and again, at intervals that are drawn each time. */
    private void repeat(NamedRandom random, DoubleSupplier meanPs, Runnable action) {
        VirtualTimer timer =
                alarms.addTimer((self, nowPs) -> {
                    action.run();
                    self.schedule(nowPs + intervalPs(random, meanPs));
                });
        timer.schedule(intervalPs(random, meanPs));
    }

    private static long intervalPs(NamedRandom random, DoubleSupplier meanPs) {
        return 1 + (long) random.nextExponential(meanPs.getAsDouble());
    }

    private int ports() {
        return nodes.stream().mapToInt(VirtualNode::ports).sum();
    }

    private void numberEvents() {
        lookaheadPs = links.isEmpty() || together ? 0 : Long.MAX_VALUE;
        for (VirtualLink link : links) {
            lookaheadPs = Math.min(lookaheadPs, link.setup().delayPs());
        }
        int[] sides = TwoSides.of(nodes.size(), links);
        turnPs = TwoSides.areTwo(sides) ? 2 * lookaheadPs : lookaheadPs;
        // Without two sides, a node may receive while its sender sends: that is for one thread.
        boolean isParted = TwoSides.areTwo(sides) && lookaheadPs > 0 && !options.checking();
        int[] partOf = Parting.of(nodes, links, sides, isParted ? parts.count() : 1);
        schedules = new NodeSchedule[nodes.size()];
        for (VirtualNode node : nodes) {
            int number = node.number();
            RunPart part = parts.get(partOf[number]);
            node.join(partOf[number], part.clock);
            schedules[number] = join(node, part, sides[number]);
        }
        log.grow(2 * links.size());
        for (VirtualLink link : links) {
            for (int end = 0; end < 2; end++) {
                place(link.from(end), link.end(end), link.end(1 - end), partOf);
            }
        }
        alarms.start();
    }

    private static NodeSchedule join(VirtualNode node, RunPart part, int side) {
        RunDuties duties = part.duties;
        node.engineHost().join(duties, duties.count());
        duties.add(node.number(), node.name(), node.engine().duties());
        PacingWheel agenda = part.agenda(side);
        agenda.grow(node.number() + 1);
        return new NodeSchedule(
                agenda,
                node.number(),
                node.ports(),
                node.firstDuty(),
                node.engine().duties().size());
    }

    private void place(LinkDirection direction, LinkEnd from, LinkEnd to, int[] partOf) {
        NodeSchedule sender = schedules[from.node()];
        NodeSchedule receiver = schedules[to.node()];
        direction.place(
                new LinkPlace(
                        parts.get(partOf[from.node()]).lent,
                        sender.events,
                        sender.departures(from.port(), direction),
                        sender.firstDuty + from.at().egressDuty()),
                new LinkPlace(
                        parts.get(partOf[to.node()]).lent,
                        receiver.events,
                        receiver.arrivals(to.port(), direction),
                        receiver.firstDuty + to.at().ingressDuty()));
        direction.promise(to.at().ingress().freeSlots());
    }

    /**
     * Runs one node after another, each through all of its instants within the time in which none
     * can do anything to another: what one sends arrives after that (a conservative window, as in
     * Nicol, "The cost of conservative synchronization in parallel discrete event simulations",
     * JACM 1993). The same happens as instant by instant, with each node's memory in cache while it
     * is its turn. Not while somebody looks between instants.
     *
     * <p>Where all links are between two sides, they take turns. The other side does something at
     * its next event, or once this side's next has reached it; and that takes a link's delay to
     * come here. So this side's turn ends a delay after the former or two after its own next. Where
     * there are no two sides, the other one is empty, and a turn is one delay. Where there are two,
     * several threads may run the nodes whose turn it is: while these send, their receivers rest.
     *
     * @return whether there was anything before the next timer or probe
     */
    private boolean window(long untilPs) {
        if (lookaheadPs == 0 || checker != null || log.isObserved()) {
            return false;
        }
        long endPs = Math.min(alarms.nextTime(), later(untilPs, 1));
        if (nextOfNodes() >= endPs) {
            return false;
        }
        turn(0, endPs);
        turn(1, endPs);
        return true;
    }

    private void turn(int side, long endPs) {
        long fromPs = parts.nextTime(side);
        long untilPs =
                Math.min(
                        later(parts.nextTime(1 - side), lookaheadPs),
                        Math.min(later(fromPs, turnPs), endPs));
        parts.turn(side, fromPs, untilPs);
    }

    private static long later(long ps, long byPs) {
        return ps > PacingWheel.NEVER - byPs ? PacingWheel.NEVER : ps + byPs;
    }

    /** Answers whether a probe has looked at its end. */
    private boolean instant() {
        long nowPs = next();
        parts.time(nowPs);
        do {
            parts.happen(nowPs);
            alarms.fire(nowPs);
        } while (nextOfNodes() == nowPs);
        parts.settle();
        return endInstant();
    }

    private boolean endInstant() {
        instants++;
        if (checker != null) {
            parts.reportReturns();
            checker.check();
        }
        if (!alarms.areProbesDue()) {
            return false;
        }
        if (alarms.areCountersRead()) {
            parts.publish();
        } else {
            parts.reportReturns();
        }
        alarms.fireProbes(clock.ps());
        return true;
    }

    // --- What a run can be asked -----------------------------------------------------------------

    public RunOptions options() {
        return options;
    }

    public long seed() {
        return options.seed();
    }

    public VirtualClock clock() {
        return clock;
    }

    /** All nodes, by number. */
    public List<VirtualNode> nodes() {
        return List.copyOf(nodes);
    }

    /** The node that a link ends at. */
    public VirtualNode node(LinkEnd end) {
        return nodes.get(end.node());
    }

    /** All links, by number. */
    public List<VirtualLink> links() {
        return List.copyOf(links);
    }

    /**
     * The digest of all frames on all links so far.
     *
     * @throws IllegalStateException if the run keeps none
     */
    public long digest() {
        return log.digest();
    }

    /** Frames that were put on a link, each counted for each link. */
    public long frameHops() {
        long frames = 0;
        for (VirtualLink link : links) {
            frames += link.from(0).framesSent() + link.from(1).framesSent();
        }
        return frames;
    }

    /**
     * How far nodes can be apart in time while they are run one by one, in ps: at most twice the
     * shortest link's delay. Known once the run has started.
     */
    public long apartPs() {
        return 2 * lookaheadPs;
    }

    /** Instants so far; if nodes were run one by one, the sum of their instants. */
    public long instants() {
        return instants + parts.instants();
    }

    /** Calls of duties so far, those of the checking mode not counted. */
    public long dutyCalls() {
        return parts.calls();
    }
}
