package io.headgate.testbed.virtual.deadlock;

import io.headgate.config.FlowControlConfig.Mode;
import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.flowcontrol.EgressFlowControl;
import io.headgate.dataplane.flowcontrol.PfcWatchdog;
import io.headgate.dataplane.linkcontrol.StopTimes;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.SlotPlace;
import io.headgate.dataplane.pause.PauseState;
import io.headgate.testbed.virtual.SwitchNode;
import io.headgate.testbed.virtual.VirtualNode;
import io.headgate.testbed.virtual.VirtualRun;
import io.headgate.testbed.virtual.link.LinkEnd;
import io.headgate.testbed.virtual.link.VirtualLink;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The graph of which queues of a network wait for which, at the moment of its creation. A stopped
 * queue waits for the queues in which the far end holds frames that came from it. It may go on as
 * soon as one of them moves and its account falls, so it is stuck only if all of them are.
 *
 * <p>Frames of higher priorities still come after hosts have stopped sending new ones: switches
 * notify the senders of stopped flows, and hosts retransmit frames that a full buffer dropped; both
 * last as long as these flows are stopped. If a link or a slow application takes only such frames,
 * the frames that wait behind them wait for the flows, so the flows wait for themselves.
 */
public final class WaitGraph {
    /** An end of a link. */
    private record Port(VirtualNode node, int number) {}

    /** A switch's end of a link whose far end has stopped some priorities. */
    private record Stop(Port from, Port to, int priorities) {}

    /** Frames received by a port, in an account; or those that wait at one, in a priority. */
    private record Account(int port, int priority) {}

    /** The places where the frames of a switch or a host wait. */
    private static final class Waiting {
        final Set<Account> occupied = new HashSet<>();
        final Map<Account, NavigableSet<StoppedQueue>> queues = new HashMap<>();

        Waiting(VirtualNode node) {
            FrameRegion region = node.engine().region();
            int slots = region.slots();
            Frame before = null;
            for (int slot = 0; slot < slots; slot++) {
                Frame frame = region.made(slot);
                if (frame == null || SlotPlace.kind(frame.place) != SlotPlace.QUEUE) {
                    continue;
                }
                // Most slots wait where the one before them does, and say nothing new.
                if (before != null && isAlike(before, frame)) {
                    continue;
                }
                before = frame;
                int port = SlotPlace.half(frame.place) >> 1;
                occupied.add(new Account(port, frame.priority));
                if ((frame.home & 1) == 0) {
                    queues.computeIfAbsent(
                                    new Account(frame.home >> 1, frame.account),
                                    account -> new TreeSet<>())
                            .add(queue(node, port, frame.priority));
                }
            }
        }

        private static boolean isAlike(Frame one, Frame other) {
            return one.place == other.place
                    && one.priority == other.priority
                    && one.home == other.home
                    && one.account == other.account;
        }

        /** Whether frames are waiting that leave before those of a queue. */
        boolean before(StoppedQueue queue, List<Integer> weights) {
            boolean isStrict = weights.get(queue.priority()) == TrafficConfig.STRICT;
            return occupied.stream()
                    .anyMatch(other ->
                            other.port == queue.port()
                                    && weights.get(other.priority) == TrafficConfig.STRICT
                                    && (!isStrict || other.priority > queue.priority()));
        }

        /**
         * The queues that hold frames that came in at a port: those of an account or, without one,
         * all.
         */
        NavigableSet<StoppedQueue> from(int port, int priority, boolean all) {
            NavigableSet<StoppedQueue> found = new TreeSet<>();
            queues.forEach((account, in) -> {
                // Copies count for no pause.
                boolean counts = all && account.priority < TrafficConfig.PRIORITIES;
                if (account.port == port && (counts || account.priority == priority)) {
                    found.addAll(in);
                }
            });
            return found;
        }
    }

    private final NavigableMap<StoppedQueue, NavigableSet<StoppedQueue>> waitsFor;

    /** The graph of stopped queues, each with those that hold frames from it. */
    WaitGraph(Map<StoppedQueue, NavigableSet<StoppedQueue>> waitsFor) {
        this.waitsFor = new TreeMap<>(waitsFor);
    }

    /**
     * The current graph, without stops at nodes through which no circle can lead; best taken
     * between two instants.
     */
    public static WaitGraph of(VirtualRun run) {
        return of(run, 0);
    }

    /**
     * The current graph of queues with a long stop; reads a switch's frames only if a circle may
     * lead through it.
     *
     * @param leastStopNs how long a queue must have been stopped to count as stopped
     */
    public static WaitGraph of(VirtualRun run, long leastStopNs) {
        List<Stop> stops = stops(run, leastStopNs);
        keepThrough(stops);
        WaitGraph graph = new WaitGraph(Map.of());
        graph.addStopped(stops);
        return graph;
    }

    /** The current graph of a network whose hosts have stopped sending new frames. */
    public static WaitGraph ofRest(VirtualRun run) {
        WaitGraph graph = new WaitGraph(Map.of());
        graph.addBehindHigher(graph.addStopped(stops(run, 0)));
        return graph;
    }

    /** The ends that have been stopped for long, of switches. */
    private static List<Stop> stops(VirtualRun run, long leastStopNs) {
        long nowNs = run.clock().ns();
        List<Stop> stops = new ArrayList<>();
        for (VirtualLink link : run.links()) {
            for (int from = 0; from < 2; from++) {
                LinkEnd sender = link.end(from);
                // A host that is stopped holds nothing for which a switch waits.
                if (!(run.node(sender) instanceof SwitchNode here)) {
                    continue;
                }
                EgressFlowControl flow = here.engine().egress(sender.port()).flow();
                int priorities = flow == null ? 0 : stopped(flow, nowNs, leastStopNs);
                if (priorities != 0) {
                    LinkEnd receiver = link.end(1 - from);
                    stops.add(
                            new Stop(
                                    new Port(here, sender.port()),
                                    new Port(run.node(receiver), receiver.port()),
                                    priorities));
                }
            }
        }
        return stops;
    }

    /**
     * Removes stops that no circle can contain: those at a node that stops no other, and those by a
     * node that no other stops. Most runs have only such, and reading frames takes time.
     */
    private static void keepThrough(List<Stop> stops) {
        boolean changed = true;
        while (changed) {
            Set<VirtualNode> stopped = new HashSet<>();
            Set<VirtualNode> stopping = new HashSet<>();
            for (Stop one : stops) {
                stopped.add(one.from.node);
                stopping.add(one.to.node);
            }
            changed =
                    stops.removeIf(one ->
                            !stopping.contains(one.from.node) || !stopped.contains(one.to.node));
        }
    }

    /** Answers where frames wait at the nodes that have to do with it. */
    private Map<VirtualNode, Waiting> addStopped(List<Stop> stops) {
        Map<VirtualNode, Waiting> frames = new HashMap<>();
        stops.forEach(stop -> add(stop.from, stop.to, stop.priorities, frames));
        return frames;
    }

    /** Queues that are not stopped, but in which frames wait behind those of higher priorities. */
    private void addBehindHigher(Map<VirtualNode, Waiting> frames) {
        NavigableSet<StoppedQueue> stopped = new TreeSet<>(waitsFor.keySet());
        frames.forEach((node, waiting) -> {
            for (NavigableSet<StoppedQueue> queues : waiting.queues.values()) {
                for (StoppedQueue queue : queues) {
                    if (queue.port() < node.ports()
                            && waiting.before(
                                    queue, node.config(queue.port()).traffic().weights())) {
                        waitsFor.putIfAbsent(queue, stopped);
                    }
                }
            }
        });
    }

    private void add(Port from, Port to, int stopped, Map<VirtualNode, Waiting> frames) {
        Waiting here = frames.computeIfAbsent(from.node, Waiting::new);
        Waiting there = frames.computeIfAbsent(to.node, Waiting::new);
        // PAUSE stops the whole link, whichever account is full.
        boolean wholeLink = to.node.config(to.number).flowControl().mode() == Mode.PAUSE;
        for (int priority = 0; priority < TrafficConfig.PRIORITIES; priority++) {
            if ((stopped >>> priority & 1) != 0
                    && here.occupied.contains(new Account(from.number, priority))) {
                waitsFor.put(
                        queue(from.node, from.number, priority),
                        there.from(to.number, priority, wholeLink));
            }
        }
    }

    /** The priorities that may not send: paused for some time, or without credits. */
    private static int stopped(EgressFlowControl flow, long nowNs, long leastStopNs) {
        StopTimes times = flow.times();
        PauseState state = flow.state();
        PfcWatchdog dog = flow.watchdog();
        if (times == null) {
            return 0;
        }
        int stopped = times.stopped();
        for (int priority = 0; priority < TrafficConfig.PRIORITIES; priority++) {
            if (times.presentNs(priority, nowNs) < leastStopNs
                    || (state != null && state.untilNs(priority) - nowNs <= 0)) {
                stopped &= ~(1 << priority);
            }
        }
        return dog == null ? stopped : stopped & ~dog.ignoring();
    }

    private static StoppedQueue queue(VirtualNode node, int port, int priority) {
        String name = port < node.ports() ? node.config(port).name() : "local";
        return new StoppedQueue(node.name(), port, name, priority);
    }

    /**
     * The circles in which queues wait for one another: each queue waits for the next, and the last
     * for the first. A circle begins with its least queue; no queue is in two circles. Empty
     * without a circle.
     */
    public List<List<StoppedQueue>> circles() {
        Map<StoppedQueue, StoppedQueue> next = new TreeMap<>();
        Set<StoppedQueue> left = waiting();
        for (StoppedQueue queue : left) {
            next.put(queue, holders(queue).first());
        }
        List<List<StoppedQueue>> circles = new ArrayList<>();
        Set<StoppedQueue> seen = new HashSet<>();
        for (StoppedQueue start : next.keySet()) {
            List<StoppedQueue> path = new ArrayList<>();
            StoppedQueue at = start;
            while (at != null && seen.add(at)) {
                path.add(at);
                at = next.get(at);
            }
            int from = at == null ? -1 : path.indexOf(at);
            if (from >= 0) {
                circles.add(fromLeast(path.subList(from, path.size())));
            }
        }
        return circles;
    }

    /**
     * Without those that wait for nothing, or also for something that is not left: the others wait
     * in circles, or for such, and nothing else can set them free.
     */
    private Set<StoppedQueue> waiting() {
        Set<StoppedQueue> left = new TreeSet<>(waitsFor.keySet());
        boolean changed = true;
        while (changed) {
            Set<StoppedQueue> before = Set.copyOf(left);
            changed =
                    left.removeIf(queue ->
                            holders(queue).isEmpty() || !before.containsAll(holders(queue)));
        }
        return left;
    }

    private NavigableSet<StoppedQueue> holders(StoppedQueue queue) {
        return waitsFor.getOrDefault(queue, Collections.emptyNavigableSet());
    }

    private static List<StoppedQueue> fromLeast(List<StoppedQueue> circle) {
        int least = 0;
        for (int i = 1; i < circle.size(); i++) {
            least = circle.get(i).compareTo(circle.get(least)) < 0 ? i : least;
        }
        List<StoppedQueue> turned = new ArrayList<>(circle.subList(least, circle.size()));
        turned.addAll(circle.subList(0, least));
        return List.copyOf(turned);
    }
}
