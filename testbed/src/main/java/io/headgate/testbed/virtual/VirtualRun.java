package io.headgate.testbed.virtual;

import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.engine.Duty;
import io.headgate.dataplane.engine.EgressHalf;
import io.headgate.dataplane.engine.IngressHalf;
import io.headgate.dataplane.engine.NicSetup;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A network in virtual time: nodes, links, a clock that counts picoseconds, and the loop that
 * drives them. One thread uses it.
 *
 * <p>An instant is one picosecond at which something happens. First come the links' events, what is
 * received before what was transmitted before timers, each in the order of node, port and number.
 * Then the duties that were rung or are due are called in the order of their numbers, from the
 * first again until none is left; duties see whole nanoseconds. Then probes look.
 *
 * <p>Nodes, links, timers and probes are added first; the run starts when it is first told to run.
 */
public final class VirtualRun {
    private static final int MAX_ROUNDS = 1000;
    private static final long PS_PER_NS = 1000;
    private static final long LAST_DEADLINE_NS = Long.MAX_VALUE / PS_PER_NS - 1;
    private static final long NOT_SCHEDULED = Long.MAX_VALUE;

    private static final byte OTHER_DUTY = 0;
    private static final byte INGRESS_DUTY = 1;
    private static final byte EGRESS_DUTY = 2;

    private final RunOptions options;
    private final VirtualClock clock = new VirtualClock();
    private final EventQueue events = new EventQueue(64);
    private final ReadySet ready = new ReadySet();
    private final FlightPool pool = new FlightPool(Arena.ofAuto());
    private final @Nullable FrameDigest digest;

    private final List<VirtualNode> nodes = new ArrayList<>();
    private final TreeSet<String> names = new TreeSet<>();
    private final List<VirtualLink> links = new ArrayList<>();
    private final List<VirtualTimer> timers = new ArrayList<>();
    private final List<VirtualTimer> probes = new ArrayList<>();
    private @Nullable LinkObserver observer;
    private @Nullable RunChecker checker;
    private @Nullable DutyWatch watch;
    private @Nullable RunProgress progress;
    private long progressInterval = Long.MAX_VALUE;
    private long nextProgress = Long.MAX_VALUE;

    // By number; the run's whole table of duties.
    private Duty[] duties = {};
    private byte[] kinds = {};
    private long[] deadlinesNs = {};

    // Events are numbered so that their order is the architecture's: arrivals, senders, timers,
    // duties, probes.
    private LinkDirection[] arriving = {};
    private LinkDirection[] sending = {};
    private int firstSender;
    private int firstTimer;
    private int firstDuty;
    private int firstProbe;
    private boolean started;

    private long frameHops;
    private long instants;
    private long dutyCalls;
    private final List<VirtualTimer> dueProbes = new ArrayList<>();

    public VirtualRun(RunOptions options) {
        this.options = options;
        this.digest = options.digest() ? new FrameDigest() : null;
    }

    // --- What a network is made of ---------------------------------------------------------------

    /** Adds a switch. Its ports have no links yet. */
    public SwitchNode addSwitch(SwitchConfig config) {
        requireNotStarted();
        SwitchNode node = new SwitchNode(this, nodes.size(), duties.length, config);
        add(node);
        return node;
    }

    /** Adds a host, with nothing behind its card yet. */
    public HostNode addHost(NicSetup setup) {
        requireNotStarted();
        HostNode node = new HostNode(this, nodes.size(), duties.length, setup);
        add(node);
        return node;
    }

    private void add(VirtualNode node) {
        if (!names.add(node.name())) {
            throw new IllegalArgumentException("two nodes are named " + node.name());
        }
        nodes.add(node);
        int first = duties.length;
        List<Duty> added = node.duties();
        duties = Arrays.copyOf(duties, first + added.size());
        kinds = Arrays.copyOf(kinds, duties.length);
        for (int i = 0; i < added.size(); i++) {
            Duty duty = added.get(i);
            duties[first + i] = duty;
            kinds[first + i] =
                    switch (duty) {
                        case IngressHalf half -> INGRESS_DUTY;
                        case EgressHalf half -> EGRESS_DUTY;
                        default -> OTHER_DUTY;
                    };
        }
        ready.grow(duties.length);
    }

    /** Links two ports that have no link yet. */
    public VirtualLink connect(
            VirtualNode a, int portOfA, VirtualNode b, int portOfB, LinkSetup setup) {
        requireNotStarted();
        VirtualLink link = new VirtualLink(this, links.size(), setup, a, portOfA, b, portOfB);
        links.add(link);
        link.addFlaps();
        return link;
    }

    /** Adds a timer; it fires before the duties of its instant are called. */
    public VirtualTimer addTimer(VirtualTimer.Task task) {
        requireNotStarted();
        VirtualTimer timer = new VirtualTimer(this, task);
        timers.add(timer);
        return timer;
    }

    /**
     * Adds a probe: a timer that fires when its instant is over, looks, and changes nothing but its
     * own time.
     */
    public VirtualTimer addProbe(VirtualTimer.Task task) {
        requireNotStarted();
        VirtualTimer probe = new VirtualTimer(this, task);
        probes.add(probe);
        return probe;
    }

    /** Has an observer told of every frame that is put on a link; null: no longer. */
    public void observe(@Nullable LinkObserver newObserver) {
        observer = newObserver;
    }

    /**
     * Has someone told how far a run has come.
     *
     * @param everyInstants how often; at least 1
     */
    public void reportProgress(long everyInstants, RunProgress newProgress) {
        if (everyInstants < 1) {
            throw new IllegalArgumentException("progress every " + everyInstants + " instants");
        }
        progressInterval = everyInstants;
        progress = newProgress;
        nextProgress = instants + everyInstants;
    }

    /**
     * Calls none of a node's duties from now until {@link #release}: its worker does not run, as a
     * thread that the machine has put aside. To be called from a timer, or while the run stands
     * still.
     */
    public void hold(VirtualNode node) {
        watch().hold(node);
    }

    /** Calls a held node's duties again, all of them first now. */
    public void release(VirtualNode node) {
        watch().release(node);
        for (int i = 0; i < node.duties().size(); i++) {
            ready.set(node.firstDuty() + i);
        }
        // There is an instant now, whoever called.
        if (started) {
            events.schedule(firstDuty + node.firstDuty(), clock.ps());
        }
    }

    private DutyWatch watch() {
        DutyWatch made = watch;
        if (made == null) {
            made = new DutyWatch();
            watch = made;
        }
        return made;
    }

    /** The generator of this run for one purpose of one owner; the same numbers each time. */
    public VirtualRandom random(String owner, String purpose) {
        return VirtualRandom.of(options.seed(), owner, purpose);
    }

    private void requireNotStarted() {
        if (started) {
            throw new IllegalStateException("the run has started: nothing can be added");
        }
    }

    // --- Running -------------------------------------------------------------------------------

    /** Runs all that happens up to a time, itself included; then it is that time. */
    public void runUntil(long untilPs) {
        start();
        while (events.nextTime() <= untilPs) {
            instant();
        }
        if (untilPs > clock.ps()) {
            clock.set(untilPs);
        }
    }

    /** Runs the next instant, if it is not after a time; answers whether there was one. */
    public boolean step(long untilPs) {
        start();
        if (events.nextTime() > untilPs) {
            return false;
        }
        instant();
        return true;
    }

    /** When something happens next; {@link EventQueue#NEVER} if nothing will. */
    public long nextPs() {
        start();
        return events.nextTime();
    }

    private void start() {
        if (started) {
            return;
        }
        started = true;
        if (options.extraCallsMeanPs() > 0) {
            addExtraCalls();
        }
        numberEvents();
        deadlinesNs = new long[duties.length];
        Arrays.fill(deadlinesNs, NOT_SCHEDULED);
        if (options.checking()) {
            checker = new RunChecker(this, watch());
        }
        for (int duty = 0; duty < duties.length; duty++) {
            ready.set(duty);
        }
        settle();
        endInstant();
    }

    private void addExtraCalls() {
        VirtualRandom random = random("runner", "extra calls");
        double meanPs = options.extraCallsMeanPs();
        VirtualTimer timer =
                new VirtualTimer(
                        this,
                        (self, nowPs) -> {
                            ready.set(random.nextInt(duties.length));
                            self.schedule(nowPs + 1 + (long) random.nextExponential(meanPs));
                        });
        timer.schedule(1 + (long) random.nextExponential(meanPs));
        timers.add(timer);
    }

    private void numberEvents() {
        int ports = 0;
        for (VirtualNode node : nodes) {
            ports += node.ports();
        }
        arriving = new LinkDirection[ports];
        sending = new LinkDirection[ports];
        firstSender = ports;
        firstTimer = 2 * ports;
        firstDuty = firstTimer + timers.size();
        firstProbe = firstDuty + duties.length;
        events.grow(firstProbe + probes.size());
        int[] firstPort = new int[nodes.size()];
        int next = 0;
        for (VirtualNode node : nodes) {
            firstPort[node.number()] = next;
            next += node.ports();
        }
        for (VirtualLink link : links) {
            for (int end = 0; end < 2; end++) {
                number(link.from(end), link.end(end), link.end(1 - end), firstPort);
            }
        }
        for (int i = 0; i < timers.size(); i++) {
            timers.get(i).number(firstTimer + i);
        }
        for (int i = 0; i < probes.size(); i++) {
            probes.get(i).number(firstProbe + i);
        }
    }

    private void number(LinkDirection direction, LinkEnd from, LinkEnd to, int[] firstPort) {
        int arrival = firstPort[to.node().number()] + to.port();
        int sender = firstPort[from.node().number()] + from.port();
        arriving[arrival] = direction;
        sending[sender] = direction;
        direction.number(
                arrival,
                firstSender + sender,
                to.node().firstDuty() + 2 * to.port(),
                from.node().firstDuty() + 2 * from.port() + 1);
        direction.promise(to.node().ingress(to.port()).freeSlots());
    }

    private void instant() {
        long nowPs = events.nextTime();
        clock.set(nowPs);
        do {
            happen(events.poll(), nowPs);
        } while (events.nextTime() == nowPs);
        settle();
        endInstant();
    }

    private void happen(int event, long nowPs) {
        if (event < firstSender) {
            arriving[event].arrive();
        } else if (event >= firstDuty) {
            if (event < firstProbe) {
                int duty = event - firstDuty;
                deadlinesNs[duty] = NOT_SCHEDULED;
                ready.set(duty);
            } else {
                dueProbes.add(probes.get(event - firstProbe));
            }
        } else if (event < firstTimer) {
            sending[event - firstSender].atSender();
        } else {
            timers.get(event - firstTimer).fire(nowPs);
            if (watch != null) {
                watch.timerFired();
            }
        }
    }

    /** Calls duties until none has anything to do. */
    private void settle() {
        long nowNs = clock.ns();
        int rounds = 0;
        int duty = ready.take(0);
        while (duty >= 0) {
            call(duty, nowNs);
            int next = ready.take(duty + 1);
            if (next < 0) {
                next = ready.take(0);
                if (next >= 0 && ++rounds > MAX_ROUNDS) {
                    ready.set(next);
                    throw noRest();
                }
            }
            duty = next;
        }
    }

    private void call(int number, long nowNs) {
        DutyWatch watching = watch;
        if (watching != null && !watching.mayCall(nodeOf(number))) {
            return;
        }
        dutyCalls++;
        long deadline;
        switch (kinds[number]) {
            case INGRESS_DUTY -> {
                IngressHalf half = (IngressHalf) duties[number];
                half.doWork(nowNs);
                deadline = half.deadlineNs();
            }
            case EGRESS_DUTY -> {
                EgressHalf half = (EgressHalf) duties[number];
                half.doWork(nowNs);
                deadline = half.deadlineNs();
            }
            default -> {
                Duty duty = duties[number];
                duty.doWork(nowNs);
                deadline = duty.deadlineNs();
            }
        }
        if (deadline != deadlinesNs[number]) {
            reschedule(number, nowNs, deadline);
        }
    }

    private VirtualNode nodeOf(int duty) {
        int from = 0;
        int to = nodes.size() - 1;
        while (from < to) {
            int middle = (from + to + 1) >>> 1;
            if (nodes.get(middle).firstDuty() <= duty) {
                from = middle;
            } else {
                to = middle - 1;
            }
        }
        return nodes.get(from);
    }

    private void reschedule(int number, long nowNs, long deadlineNs) {
        if (deadlineNs <= nowNs) {
            ready.set(number);
        } else if (deadlineNs > LAST_DEADLINE_NS) {
            events.cancel(firstDuty + number);
            deadlinesNs[number] = NOT_SCHEDULED;
        } else {
            events.schedule(firstDuty + number, deadlineNs * PS_PER_NS);
            deadlinesNs[number] = deadlineNs;
        }
    }

    private IllegalStateException noRest() {
        List<String> names = new ArrayList<>();
        for (int duty = ready.take(0); duty >= 0; duty = ready.take(0)) {
            names.add(dutyName(duty));
        }
        return new IllegalStateException(
                "no rest at %d ps: after %d rounds there is still work for %s"
                        .formatted(clock.ps(), MAX_ROUNDS, String.join(", ", names)));
    }

    /** Such as {@code s0/p1.egress}. */
    String dutyName(int number) {
        return nodeOf(number).name() + "/" + duties[number].name();
    }

    private void endInstant() {
        instants++;
        if (checker != null) {
            checker.check();
        }
        if (!dueProbes.isEmpty()) {
            for (VirtualTimer probe : dueProbes) {
                probe.fire(clock.ps());
            }
            dueProbes.clear();
        }
        if (instants >= nextProgress) {
            nextProgress = instants + progressInterval;
            if (progress != null) {
                progress.reached(clock.ps(), frameHops);
            }
        }
    }

    /** A link's frame starts. */
    void transmitted(
            int direction,
            long startPs,
            long arrivePs,
            int lengthBytes,
            long address,
            int storedBytes) {
        frameHops++;
        if (digest != null) {
            digest.add(direction, startPs, arrivePs, lengthBytes, address, storedBytes);
        }
        if (observer != null) {
            observer.transmitted(direction, startPs, arrivePs, lengthBytes, address, storedBytes);
        }
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
        if (digest == null) {
            throw new IllegalStateException("this run keeps no digest");
        }
        return digest.value();
    }

    /** Frames that were put on a link, each counted for each link. */
    public long frameHops() {
        return frameHops;
    }

    /** Instants so far. */
    public long instants() {
        return instants;
    }

    /** Calls of duties so far, those of the checking mode not counted. */
    public long dutyCalls() {
        return dutyCalls;
    }

    Duty[] duties() {
        return duties;
    }

    EventQueue events() {
        return events;
    }

    ReadySet ready() {
        return ready;
    }

    FlightPool pool() {
        return pool;
    }
}
