package io.headgate.dataplane.telemetry;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import io.headgate.dataplane.congestion.CongestionPoint;
import io.headgate.dataplane.congestion.CongestionSetup;
import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.frame.Bth;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.FrameRoom;
import io.headgate.dataplane.frame.RcOpcode;
import io.headgate.dataplane.frame.Udp;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.HopRecord;
import io.headgate.dataplane.memory.HopRecords;
import io.headgate.dataplane.policy.QueueFields;
import io.headgate.dataplane.telemetry.HopEncoding.Room;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Writes in-band telemetry at a port: makes room in each RoCEv2 packet when it comes, and writes
 * the port's state into it when it starts: the bytes behind it in its queue, the time, the bytes
 * that the port has sent before (including preamble, FCS and gap), and the port's rate. This
 * follows HPCC's switches (Li et al., "HPCC: High Precision Congestion Control", SIGCOMM 2019,
 * section 3.1), except that the queue is that of the packet's priority.
 *
 * <p>A host's card writes no record of its own, because its queue belongs to the sender, not to the
 * network. If the host is the source, the card begins the telemetry of the packets that it sends.
 */
final class TelemetryPoint implements CongestionPoint {
    static final List<CounterText> COUNTERS =
            List.of(
                    CounterText.total("begun", "frames", "packets that got it here"),
                    CounterText.total("written", "frames", "frames written into"),
                    CounterText.total(
                            "limited",
                            "frames",
                            "frames not written into: as many ports as may have written before"),
                    CounterText.total(
                            "oversize",
                            "frames",
                            "frames not written into: they would be too long"),
                    CounterText.total(
                            "malformed",
                            "frames",
                            "frames whose telemetry makes no sense, left as they came"),
                    CounterText.total("stripped", "frames", "frames that it was taken off"),
                    CounterText.gauge("node", "number", "by which records name this switch"));

    private static final int BEGUN = 0;
    private static final int WRITTEN = 1;
    private static final int LIMITED = 2;
    private static final int OVERSIZE = 3;
    private static final int MALFORMED = 4;
    private static final int STRIPPED = 5;
    private static final int TOTALS = 6;

    private static final MemorySegment MEMORY = FrameRegion.MEMORY;
    private static final int ALL_QUEUES = (1 << PRIORITIES) - 1;
    private static final int NODES = 1 << 24;

    // Names that differ by a digit get numbers far apart.
    private static final int NAME_SPREAD = 0x9E37_79B1;

    private final HopEncoding form;
    private final QueueFields queues;
    private final int hops;
    private final boolean begins;
    private final boolean adds;
    private final boolean isLast;
    private final boolean takesAnswers;
    private final int mostPayloadBytes;
    private final HopRecord own = new HopRecord();
    private final HopRecords taken = new HopRecords();

    // Per priority: the bytes that wait, and those that start with a burst behind the frame looked
    // at.
    private final long[] behindBytes = new long[PRIORITIES];
    private final long[][] counted = new long[TOTALS][PRIORITIES];
    private long sentBytes;

    // Of records that this port has made and not written yet, since it was turned on.
    private Object owner = new Object();

    TelemetryPoint(TelemetryConfig config, CongestionSetup setup) {
        this.form = config.form();
        this.queues = setup.queues();
        this.hops = config.hops();
        boolean isCard = setup.node().isCard();
        this.begins = isCard == (config.source() == TelemetryConfig.Source.HOST);
        this.adds = !isCard;
        this.isLast = config.isLast() && !isCard;
        this.takesAnswers = config.packets() == TelemetryConfig.Packets.ALL;
        this.mostPayloadBytes = setup.mtuBytes() + config.growsBytes();
        if (adds) {
            own.node = config.node() > 0 ? config.node() : number(setup.node().name());
        } else {
            own.node = 0;
        }
        own.egressPort = setup.port() + 1;
        own.rateBps = setup.rateBps();
    }

    /**
     * The number of a switch without a configured one, from its name: the same at all of its ports,
     * in every run.
     */
    static int number(String name) {
        return 1 + Math.floorMod(name.hashCode() * NAME_SPREAD, NODES - 1);
    }

    @Override
    public int queues() {
        return ALL_QUEUES;
    }

    @Override
    public boolean growsFrames() {
        return true;
    }

    @Override
    public void prepare(long nowNs, Frame frame) {
        frame.recordOwner = null;
        if (form.isIn(frame)) {
            if (isLast) {
                takeOff(frame);
            } else if (adds) {
                add(nowNs, frame);
            }
        } else if (begins && !isLast && isWanted(frame)) {
            Room became = form.begin(frame, hops, mostPayloadBytes);
            count(became, BEGUN, frame);
            if (became == Room.MADE && adds) {
                add(nowNs, frame);
            }
        }
    }

    private boolean isWanted(Frame frame) {
        if (!FrameRoom.isTo(MEMORY, frame, Bth.UDP_PORT, Udp.HEADER_BYTES + Bth.HEADER_BYTES)) {
            return false;
        }
        long bth = frame.dataOffset + frame.transportOffset + Udp.HEADER_BYTES;
        return takesAnswers || RcOpcode.isRequest(Wire.u8(MEMORY, bth));
    }

    private void add(long nowNs, Frame frame) {
        own.ingressPort = frame.ingressPort + 1;
        own.timeNs = nowNs;
        Room became = form.add(frame, own, mostPayloadBytes);
        if (became == Room.MADE) {
            frame.recordOwner = owner;
        } else {
            count(became, WRITTEN, frame);
        }
    }

    private void takeOff(Frame frame) {
        taken.clear();
        if (form.takeOff(frame, taken)) {
            counted[STRIPPED][frame.priority]++;
        } else {
            counted[MALFORMED][frame.priority]++;
        }
    }

    private void count(Room became, int made, Frame frame) {
        switch (became) {
            case MADE -> counted[made][frame.priority]++;
            case OTHER -> {}
            case DAMAGED -> counted[MALFORMED][frame.priority]++;
            case HOP_LIMIT -> counted[LIMITED][frame.priority]++;
            case TOO_LONG -> counted[OVERSIZE][frame.priority]++;
        }
    }

    @Override
    public void enqueued(long nowNs, int queue, Frame[] frames, int from, int to) {
        // It reads the queues' lengths when frames leave.
    }

    /** Reads the queue's length once for a burst of one priority, which is the usual case. */
    @Override
    public void started(long nowNs, Frame[] frames, int from, int to) {
        int priority = frames[from].priority;
        long behind = 0;
        boolean isMixed = false;
        for (int i = from; i < to; i++) {
            behind += frames[i].lengthBytes;
            isMixed |= frames[i].priority != priority;
        }
        own.timeNs = nowNs;
        if (isMixed) {
            startedMixed(frames, from, to);
            return;
        }
        own.queue = priority;
        own.queueBytes = queues.bytes(priority) + behind;
        int written = 0;
        for (int i = from; i < to; i++) {
            own.queueBytes -= frames[i].lengthBytes;
            written += write(frames[i]);
        }
        counted[WRITTEN][priority] += written;
    }

    private void startedMixed(Frame[] frames, int from, int to) {
        for (int i = from; i < to; i++) {
            behindBytes[frames[i].priority] += frames[i].lengthBytes;
        }
        for (int i = from; i < to; i++) {
            int priority = frames[i].priority;
            behindBytes[priority] -= frames[i].lengthBytes;
            own.queue = priority;
            own.queueBytes = queues.bytes(priority) + behindBytes[priority];
            counted[WRITTEN][priority] += write(frames[i]);
        }
    }

    /** Writes the record into a frame that starts; returns 1 if it had room. */
    @SuppressWarnings("ReferenceEquality") // it is this port's, or another's
    private int write(Frame frame) {
        own.sentBytes = sentBytes;
        sentBytes += frame.lengthBytes + Ethernet.WIRE_OVERHEAD_BYTES;
        if (frame.recordOwner != owner) {
            return 0;
        }
        return form.write(frame, own) ? 1 : 0;
    }

    @Override
    public void removed(long nowNs, Frame frame) {
        // Records are written when frames start.
    }

    @Override
    public long counted(int counter, int queue) {
        return counter < TOTALS ? counted[counter][queue] : own.node;
    }

    @Override
    public void goOnFrom(CongestionPoint before) {
        if (before instanceof TelemetryPoint point) {
            sentBytes = point.sentBytes;
            owner = point.owner;
        }
    }

    @Override
    public void reset(long nowNs) {
        // What waits was not prepared here since then, if it ever was.
        owner = new Object();
    }
}
