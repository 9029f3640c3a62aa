package io.headgate.dataplane.icc;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import io.headgate.dataplane.congestion.CongestionPoint;
import io.headgate.dataplane.congestion.CongestionSetup;
import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.HopRecord;
import io.headgate.dataplane.memory.sync.PortBoard;
import java.util.List;

/**
 * The congestion point of ICC at one port of a switch: shows the state of its own queues on its
 * board, and writes into acknowledgements that leave by this port the state shown by their ingress
 * port.
 *
 * <p>At a host's card there are no other ports, so it does nothing.
 */
final class IccPoint implements CongestionPoint {
    static final List<CounterText> COUNTERS =
            List.of(
                    CounterText.total(
                            "congested",
                            "times",
                            "reports sent immediately because the port became congested"),
                    CounterText.total("draining", "times", "found draining, and not told"),
                    CounterText.total(
                            "neither",
                            "times",
                            "reports sent immediately because the port was in neither state"),
                    CounterText.total("timer", "times", "reports sent by the timer"),
                    CounterText.total(
                            "stamped",
                            "frames",
                            "acknowledgements that carry the state of the port at which they"
                                    + " arrived"));

    static final int WORDS = 7;
    private static final int TIME = 0;
    private static final int QUEUE = 1;
    private static final int GROWTH = 2;
    private static final int LOAD = 3;
    private static final int FLOWS = 4;
    private static final int NODE = 5;
    private static final int RATE = 6;

    // Before it are what the port was found to be, as PortJudgement numbers it.
    private static final int STAMPED = 4;

    private static final int FULL = 1_000;
    private static final int NODES = 1 << 16;

    private final PortBoard board;
    private final int queues;
    private final int node;
    private final long rateBps;
    private final PortJudgement judgement;
    private final FlowCount flows;
    private final HopRecord shown = new HopRecord();
    private final HopRecord found = new HopRecord();
    private final long[] counted = new long[COUNTERS.size() * PRIORITIES];
    private long waitingBytes;
    private int lastQueue;

    IccPoint(IccConfig config, CongestionSetup setup) {
        this.board = setup.board();
        this.queues = board.ports() == 0 ? 0 : config.queues();
        this.node = setup.random().nextInt(NODES);
        this.rateBps = setup.rateBps();
        this.judgement =
                new PortJudgement(
                        setup.rateBps(), config.sampleNs(), config.timerNs(), config.load());
        this.flows = new FlowCount(config.flowAgeNs());
    }

    @Override
    public int queues() {
        return queues;
    }

    @Override
    public boolean growsFrames() {
        return queues != 0;
    }

    /** Writes into an acknowledgement, or counts any other frame for its flow. */
    @Override
    public void prepare(long nowNs, Frame frame) {
        if (IccRecord.isIn(frame)) {
            IccRecord.read(frame, found);
            if (look(frame.ingressPort) && IccRecord.isMoreCongested(shown, found)) {
                IccRecord.write(frame, shown);
                count(STAMPED, frame.priority);
            }
        } else if (!IccRecord.mayJoin(frame)) {
            flows.arrived(nowNs, frame.flowHash);
        } else if (look(frame.ingressPort)) {
            IccRecord.join(frame, shown);
            count(STAMPED, frame.priority);
        }
    }

    /** Reads the state that a port shows; false if it shows none. */
    private boolean look(int atPort) {
        if (!board.look(atPort)) {
            return false;
        }
        shown.node = (int) board.get(NODE);
        shown.egressPort = atPort + 1;
        shown.timeNs = board.get(TIME);
        shown.queueBytes = board.get(QUEUE);
        shown.growthBps = board.get(GROWTH);
        shown.usePermille = (int) board.get(LOAD);
        shown.flows = (int) board.get(FLOWS);
        shown.rateBps = board.get(RATE);
        return true;
    }

    @Override
    public boolean readsFlowHash() {
        return true;
    }

    @Override
    public void enqueued(long nowNs, int queue, Frame[] frames, int from, int to) {
        if ((queues >>> queue & 1) == 0) {
            return;
        }
        lastQueue = queue;
        for (int i = from; i < to; i++) {
            judgement.arrived(nowNs, waitingBytes);
            waitingBytes += frames[i].lengthBytes;
        }
    }

    @Override
    public void started(long nowNs, Frame[] frames, int from, int to) {
        for (int i = from; i < to; i++) {
            judgement.sent(nowNs, frames[i].lengthBytes + Ethernet.WIRE_OVERHEAD_BYTES);
            removed(nowNs, frames[i]);
        }
    }

    @Override
    public void removed(long nowNs, Frame frame) {
        if ((queues >>> frame.priority & 1) != 0) {
            waitingBytes -= frame.lengthBytes;
        }
    }

    @Override
    public int tick(long nowNs) {
        if (nowNs < judgement.deadlineNs()) {
            return 0;
        }
        int verdict = judgement.due(nowNs, waitingBytes);
        count(verdict, lastQueue);
        if (verdict != PortJudgement.DRAINING) {
            tell(nowNs);
        }
        return 1;
    }

    private void tell(long nowNs) {
        board.put(TIME, nowNs);
        board.put(QUEUE, judgement.qlenBytes());
        board.put(GROWTH, (long) judgement.qlenrateBps());
        board.put(LOAD, Math.round(judgement.lu() * FULL));
        board.put(FLOWS, Math.max(1, flows.flows(nowNs)));
        board.put(NODE, node);
        board.put(RATE, rateBps);
        board.show();
    }

    private void count(int counter, int queue) {
        counted[counter * PRIORITIES + queue]++;
    }

    @Override
    public long deadlineNs() {
        return judgement.deadlineNs();
    }

    @Override
    public long counted(int counter, int queue) {
        return counted[counter * PRIORITIES + queue];
    }

    @Override
    public void reset(long nowNs) {
        waitingBytes = 0;
        judgement.clear(nowNs);
        flows.clear();
        board.withdraw();
    }
}
