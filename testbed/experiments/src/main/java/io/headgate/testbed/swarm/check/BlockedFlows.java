package io.headgate.testbed.swarm.check;

import io.headgate.config.Mechanisms;
import io.headgate.dataplane.escape.Escape;
import io.headgate.dataplane.escape.EscapeConfig;
import io.headgate.dataplane.escape.TokenManager;
import io.headgate.dataplane.flowcontrol.EgressFlowControl;
import io.headgate.dataplane.flowcontrol.PfcWatchdog;
import io.headgate.dataplane.frame.FiveTuple;
import io.headgate.dataplane.linkcontrol.StopTimes;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.SlotPlace;
import io.headgate.testbed.swarm.draw.Fault;
import io.headgate.testbed.topology.LinkFaults;
import io.headgate.testbed.virtual.SwitchNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks theorem 4.4.1 of the dissertation: Escape clears head-of-line blocking. A flow waits in a
 * paused queue, and its path leads from there through paused ports, where none of its frames wait,
 * to an open port that knows the flow: then it moves on within {@link TokenGaps}.
 */
public final class BlockedFlows {
    /** A flow in a stopped queue. */
    private record Place(String node, int port, int priority, List<Long> flow) {}

    /**
     * The port that is open to a flow, the first frame that waits there (−1: none), and the longest
     * time between two tokens that come for the flow from there.
     */
    private record Open(String node, int port, int priority, long head, long gapNs) {
        Open behind(SwitchNode passed, int passedPort) {
            return new Open(
                    node, port, priority, head, TokenGaps.behindNs(passed, passedPort, gapNs));
        }
    }

    /** A flow's first frame, the time from which it has been seen there, and where it could go. */
    private record Seen(long frame, long sinceNs, Open open) {}

    private static final int PLACE_PORT_SHIFT = 9;
    private static final long PS_PER_NS = 1000;
    private static final int MOST_HOPS = 16;

    /** Time in frames of the largest size: for the way of a token there and of the frame back. */
    private static final int FRAMES = 400;

    private final CaseNetwork built;
    private final List<Direction> wires;
    private final long frameNs;
    private final long soundFromPs;
    private final FiveTuple tuple = new FiveTuple();
    private Map<Place, Seen> seen = new HashMap<>();
    private long moved;

    public BlockedFlows(CaseNetwork built) {
        this.built = built;
        this.wires = Direction.all(built);
        this.frameNs = built.what().patiencePs() / 100 / PS_PER_NS;
        this.soundFromPs = soundFromPs(built.what().faults());
    }

    /** When the last fault is over; never where link control may be lost or changed. */
    private static long soundFromPs(List<Fault> faults) {
        long fromPs = 0;
        for (Fault fault : faults) {
            switch (fault) {
                case Fault.OfLink of -> {
                    LinkFaults what = of.faults();
                    boolean isSound =
                            what.lossProbability() == 0
                                    && what.corruptionProbability() == 0
                                    && what.reorderProbability() == 0
                                    && what.repeatProbability() == 0
                                    && what.forgeProbability() == 0;
                    fromPs = isSound ? fromPs : Long.MAX_VALUE;
                }
                case Fault.Flap flap -> fromPs = Math.max(fromPs, flap.atPs() + flap.downPs());
                case Fault.Stall stall -> fromPs = Math.max(fromPs, stall.atPs() + stall.forPs());
            }
        }
        return fromPs;
    }

    /** Whether there is anything to check. */
    public boolean isAsked() {
        return areLinksSound() && built.what().settings().detours().hasEscape();
    }

    /** Whether links lose, change or add frames only while they are down. */
    public boolean areLinksSound() {
        return soundFromPs != Long.MAX_VALUE;
    }

    /** Number of flows that were seen stopped although they could go on, and then moved. */
    public long moved() {
        return moved;
    }

    /** Whether the last look saw flows that are stopped although they could go on. */
    public boolean isAnyToMove() {
        return !seen.isEmpty();
    }

    /** Looks at all flows; call it now and then. */
    public void look() {
        Map<Place, Seen> now = new HashMap<>();
        if (isAsked() && built.run().clock().ps() > soundFromPs) {
            for (Direction wire : wires) {
                if (wire.sender() instanceof SwitchNode here
                        && wire.receiver() instanceof SwitchNode there
                        && isOn(here, wire.senderPort())
                        && isOn(there, wire.receiverPort())) {
                    look(wire, here, there, now);
                }
            }
        }
        moved += seen.entrySet().stream().filter(e -> hasMoved(e, now)).count();
        seen = now;
    }

    private static boolean hasMoved(Map.Entry<Place, Seen> before, Map<Place, Seen> now) {
        Seen after = now.get(before.getKey());
        return after == null || after.frame != before.getValue().frame;
    }

    private void look(Direction wire, SwitchNode here, SwitchNode there, Map<Place, Seen> now) {
        int stopped = stopped(here, wire.senderPort());
        for (int rest = stopped; rest != 0; rest &= rest - 1) {
            int priority = Integer.numberOfTrailingZeros(rest);
            Map<List<Long>, Long> first = new HashMap<>();
            for (Frame frame : queued(here, wire.senderPort(), priority)) {
                if (tuple.read(FrameRegion.MEMORY, frame)) {
                    first.merge(words(tuple), frame.packetId, Math::min);
                }
            }
            first.forEach((flow, frame) -> {
                Open open = open(there, wire.receiverPort(), priority, flow, 0);
                if (open != null) {
                    Place place = new Place(here.name(), wire.senderPort(), priority, flow);
                    now.put(place, seenNow(place, frame, open));
                }
            });
        }
    }

    private Seen seenNow(Place place, long frame, Open open) {
        long nowNs = built.run().clock().ns();
        Seen before = seen.get(place);
        if (before == null || before.frame != frame || !isStillOpen(before.open, open)) {
            return new Seen(frame, nowNs, open);
        }
        long boundNs = open.gapNs + FRAMES * frameNs;
        if (nowNs - before.sinceNs > boundNs) {
            throw new BrokenException(
                    ("%s:%d priority %d: a flow has been blocked for %d ns, more than %d, although"
                                    + " port %s:%d can take it and is open")
                            .formatted(
                                    place.node,
                                    place.port,
                                    place.priority,
                                    nowNs - before.sinceNs,
                                    boundNs,
                                    open.node,
                                    open.port));
        }
        return new Seen(frame, before.sinceNs, open);
    }

    /**
     * Whether a flow has had the same way all the time: if the open port itself moves nothing, no
     * flow has a way.
     */
    private static boolean isStillOpen(Open before, Open now) {
        return before.node.equals(now.node)
                && before.port == now.port
                && (now.head < 0 || before.head != now.head);
    }

    /**
     * The first port on a flow's way that is not paused, if all before it know the flow, and none
     * of it waits there: a token would take that, and not what stands further up.
     */
    private @Nullable Open open(
            SwitchNode node, int from, int fromPriority, List<Long> flow, int hops) {
        int found = -1;
        int priority = -1;
        FiveTuple asked = tuple(flow);
        for (int port = 0; port < node.ports(); port++) {
            TokenManager escape = TokenEnds.escape(node, port).orElse(null);
            int known = escape == null ? -1 : escape.priorityOf(asked, from, fromPriority);
            if (known >= 0) {
                if (found >= 0 || !isOn(node, port)) {
                    return null; // it has changed its way
                }
                found = port;
                priority = known;
            }
        }
        if (found < 0 || hops > MOST_HOPS) {
            return null;
        }
        List<Frame> queued = queued(node, found, priority);
        if ((stopped(node, found) >>> priority & 1) == 0) {
            long head = queued.stream().mapToLong(frame -> frame.packetId).min().orElse(-1);
            return new Open(
                    node.name(), found, priority, head, TokenGaps.atOpenPortNs(node, found));
        }
        if (queued.stream().anyMatch(frame -> asked.isOf(FrameRegion.MEMORY, frame))) {
            return null;
        }
        for (Direction wire : wires) {
            if (wire.sender().equals(node)
                    && wire.senderPort() == found
                    && wire.receiver() instanceof SwitchNode next
                    && isOn(next, wire.receiverPort())) {
                Open open = open(next, wire.receiverPort(), priority, flow, hops + 1);
                return open == null ? null : open.behind(node, found);
            }
        }
        return null;
    }

    private static boolean isOn(SwitchNode node, int port) {
        Mechanisms.Use use = node.config(port).mechanisms().use(EscapeConfig.class);
        return use != null
                && use.isEnabled()
                && new Escape().of(use).peer() == EscapeConfig.Peer.SWITCH
                && TokenEnds.escape(node, port).isPresent();
    }

    private static int stopped(SwitchNode node, int port) {
        EgressFlowControl flow = node.engine().egress(port).flow();
        StopTimes times = flow == null ? null : flow.times();
        PfcWatchdog dog = flow == null ? null : flow.watchdog();
        if (times == null) {
            return 0;
        }
        return dog == null ? times.stopped() : times.stopped() & ~dog.ignoring();
    }

    private static List<Frame> queued(SwitchNode node, int port, int priority) {
        List<Frame> frames = new ArrayList<>();
        for (int slot = 0; slot < node.engine().region().slots(); slot++) {
            Frame frame = node.engine().region().made(slot);
            if (frame != null
                    && SlotPlace.kind(frame.place) == SlotPlace.QUEUE
                    && frame.place >>> PLACE_PORT_SHIFT == port
                    && frame.priority == priority
                    && (frame.home & 1) == 0) {
                frames.add(frame);
            }
        }
        return frames;
    }

    private static List<Long> words(FiveTuple flow) {
        List<Long> words = new ArrayList<>();
        for (int word = 0; word < FiveTuple.WORDS; word++) {
            words.add(flow.word(word));
        }
        return words;
    }

    private static FiveTuple tuple(List<Long> words) {
        FiveTuple flow = new FiveTuple();
        for (int word = 0; word < FiveTuple.WORDS; word++) {
            flow.word(word, words.get(word));
        }
        return flow;
    }
}
