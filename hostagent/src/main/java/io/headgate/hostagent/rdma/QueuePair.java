package io.headgate.hostagent.rdma;

import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.NoticeCounter;
import io.headgate.dataplane.counter.RdmaCounter;
import io.headgate.dataplane.frame.Aeth;
import io.headgate.dataplane.frame.Bth;
import io.headgate.dataplane.frame.Cnp;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.RcOpcode;
import io.headgate.dataplane.frame.Reth;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.HopRecords;
import io.headgate.dataplane.memory.SlotPlace;
import io.headgate.dataplane.queue.WireFormat;
import io.headgate.hostagent.rate.NoticeLimit;
import io.headgate.hostagent.rate.NotificationPoint;
import io.headgate.hostagent.rate.RateControl;
import io.headgate.hostagent.rate.RateControls;
import io.headgate.hostagent.rate.Sample;
import java.lang.foreign.MemorySegment;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One end of a reliable connection on a host's card: a {@link Requester} and a {@link Responder},
 * the frames that go between them, the memory of messages, and a {@link RateControl} that
 * determines when the next packet may go. After a late call, one missed packet is made up, so a
 * burst has at most two packets. Owned by the card's worker.
 */
final class QueuePair {
    private static final MemorySegment MEMORY = FrameRegion.MEMORY;
    private static final long NS_PER_S = 1_000_000_000L;

    /** Address of a queue pair's memory, as the other end uses it. */
    private static final long FIRST_ADDRESS = 0x10_0000;

    /**
     * The data that the ends exchange about themselves when they connect.
     *
     * @param firstPsn sequence number of the first packet that the end sends
     * @param address address of the memory that may be written
     */
    record Peer(int number, int firstPsn, long address, int key, long bytes) {}

    private final int number;
    private final int key;
    private final Path path;
    private final Peer peer;
    private final MemorySegment memory;
    private final MemorySegment messages;
    private final Requester requester;
    private final Responder responder;
    private final CounterBlock counters;

    // Where packets are kept that came while one before was missing, each in the place of its
    // number; without selective repair empty.
    private final MemorySegment kept;
    private final int mtuBytes;

    // What its packets say; what tells the sender of those that come of their marks, by packets or
    // by acknowledgements, and the marks to tell with the next of them.
    private final int ecn;
    private final boolean readsFecn;
    private final NotificationPoint notifier;
    private int marksToTell;

    // The packet that reports marks and has not left the card yet.
    private @Nullable Frame telling;

    private final @Nullable RateControl control;
    private final @Nullable NoticeLimit limit;
    private final long lineRateBps;
    private final int largestWireBytes;
    private long dueNs;

    // The last packet sent.
    private long lastNs;
    private int lastWireBytes;

    private long remainder;

    // What the control is shown: bytes of packets that were sent once, and of those acknowledged.
    private final Sample sample;
    private long sentBytes;
    private long ackedBytes;

    /**
     * @param memory memory for sent and received messages, followed by that for packets that are
     *     kept: {@link #memoryBytes}
     */
    QueuePair(
            long nowNs,
            Path path,
            Peer own,
            Peer peer,
            Requester requester,
            Responder responder,
            MemorySegment memory,
            @Nullable RateControls<?> rates,
            long lineRateBps,
            int mtuBytes,
            CounterBlock counters) {
        this.number = own.number();
        this.key = own.key();
        this.path = path;
        this.peer = peer;
        this.requester = requester;
        this.responder = responder;
        this.memory = memory;
        this.messages = memory.asSlice(0, own.bytes());
        this.kept = memory.asSlice(Math.min(MessageMemory.aligned(own.bytes()), memory.byteSize()));
        this.mtuBytes = mtuBytes;
        responder.placeBy(this::placeKept);
        this.lineRateBps = lineRateBps;
        this.counters = counters;
        this.dueNs = nowNs;
        this.largestWireBytes = WireFormat.ETHERNET.wireBytes(largestFrameBytes(mtuBytes));
        sample = new Sample(rates == null ? null : rates.hopEcho());
        if (rates == null) {
            control = null;
            limit = null;
            ecn = RocePacket.NOT_ECT;
            readsFecn = false;
            notifier = NotificationPoint.ECHO;
        } else {
            RateControl begun = rates.control();
            begun.begin(nowNs, lineRateBps, largestWireBytes);
            control = begun;
            followWindow(nowNs, begun);
            ecn = rates.mechanism().needsMarks() ? RocePacket.ECT_1 : RocePacket.NOT_ECT;
            readsFecn = rates.mechanism().readsFecn();
            notifier = rates.notificationPoint();
            limit = rates.noticePeriodNs() > 0 ? new NoticeLimit(rates.noticePeriodNs()) : null;
        }
    }

    /**
     * Sets the window of packets that the control allows, at least one; to be called after every
     * call of the control.
     */
    private void followWindow(long nowNs, RateControl by) {
        requester.window(nowNs, by.windowBytes() / largestWireBytes);
    }

    /** Memory of a connection, for its message and for packets that came ahead. */
    static long memoryBytes(RdmaSetup setup, long messageBytes) {
        return setup.repairBytes() == 0
                ? messageBytes
                : MessageMemory.aligned(messageBytes) + setup.repairBytes();
    }

    /**
     * The address to which the other end writes: the same for all, since each has its own memory.
     */
    static long firstAddress() {
        return FIRST_ADDRESS;
    }

    int number() {
        return number;
    }

    int peerNumber() {
        return peer.number();
    }

    Path path() {
        return path;
    }

    Requester requester() {
        return requester;
    }

    Responder responder() {
        return responder;
    }

    /** A number that grows when the other end sends or acknowledges something. */
    long progress() {
        return responder.expected() + requester.acknowledged();
    }

    MemorySegment memory() {
        return memory;
    }

    // ---- what it sends

    boolean maySend(long nowNs) {
        return requester.maySend() && dueNs <= nowNs;
    }

    boolean hasAnswer() {
        return responder.hasAnswer();
    }

    void answerInto(Frame frame) {
        int reportBytes = responder.reportBytes();
        int syndrome = responder.takeAnswer();
        int echoBytes = responder.echoBytes();
        counters.add(
                Aeth.type(syndrome) == Aeth.TYPE_ACK
                        ? RdmaCounter.ACKS_SENT
                        : RdmaCounter.NAKS_SENT,
                1);
        long aeth =
                RocePacket.begin(
                        frame,
                        path,
                        RocePacket.NOT_ECT,
                        RcOpcode.ACKNOWLEDGE,
                        Aeth.HEADER_BYTES + reportBytes + echoBytes,
                        peer.number(),
                        false,
                        responder.answerPsn(syndrome));
        Aeth.write(MEMORY, aeth, syndrome, (int) responder.messages() & Psn.MASK);
        if (reportBytes > 0) {
            responder.report(MEMORY, aeth + Aeth.HEADER_BYTES);
        }
        responder.echo(MEMORY, aeth + Aeth.HEADER_BYTES + reportBytes);
        if (!notifier.sendsPackets()) {
            RocePacket.congestion(aeth, NotificationPoint.congestion(marksToTell));
            marksToTell = 0;
        }
        RocePacket.seal(frame);
    }

    /** Whether a packet must report marks to the other end; one at a time is in the card. */
    boolean hasNotification() {
        return marksToTell != 0 && telling == null && notifier.sendsPackets();
    }

    /** Whether such a packet is in the card; its slot is returned when it has left. */
    boolean isNotifying() {
        return telling != null;
    }

    /** Checks whether that packet has left; to be called before slots are reused. */
    void noticeDeparture(LongSupplier clockNs) {
        Frame frame = telling;
        if (frame != null && frame.place == SlotPlace.FREE) {
            telling = null;
            notifier.left(clockNs.getAsLong());
        }
    }

    /** Writes the packet that reports marks to the other end. */
    void notificationInto(Frame frame) {
        boolean isCongested = (marksToTell & RateControl.MARKED_CE) != 0;
        marksToTell = 0;
        RocePacket.congestionNotification(
                frame,
                path,
                peer.number(),
                isCongested ? Cnp.CONGESTED : Cnp.UNDETERMINED,
                notifier.arrivedBps());
        telling = frame;
        counters.add(RdmaCounter.CNPS_SENT, 1);
    }

    /** Writes the next packet, if {@link #maySend}. */
    void sendInto(Frame frame, long nowNs) {
        requester.send(nowNs);
        int opcode = requester.opcode();
        int extended = RcOpcode.extendedBytes(opcode);
        int payload = requester.payloadBytes();
        long body =
                RocePacket.begin(
                        frame,
                        path,
                        ecn,
                        opcode,
                        extended + payload,
                        peer.number(),
                        requester.isAckRequested(),
                        requester.psn());
        if (extended > 0) {
            Reth.write(MEMORY, body, peer.address(), peer.key(), requester.messageBytes());
        }
        MemorySegment.copy(messages, requester.offsetBytes(), MEMORY, body + extended, payload);
        RocePacket.seal(frame);
        counters.add(RdmaCounter.PACKETS_SENT, 1);
        if (requester.isRepeated()) {
            counters.add(RdmaCounter.PACKETS_REPEATED, 1);
        }
        pace(nowNs, WireFormat.ETHERNET.wireBytes(frame.lengthBytes));
    }

    /** Delays the next packet by the time that this one takes at the connection's rate. */
    private void pace(long nowNs, int wireBytes) {
        sentBytes += requester.isRepeated() ? 0 : wireBytes;
        RateControl by = control;
        if (by == null) {
            return;
        }
        by.sent(nowNs, wireBytes);
        followWindow(nowNs, by);
        lastNs = nowNs;
        lastWireBytes = wireBytes;
        space(nowNs, wireBytes, by.rateBps());
    }

    /** Sets the time at which the packet after the one of that time is due. */
    private void space(long nowNs, int wireBytes, long rateBps) {
        if (rateBps >= lineRateBps) {
            // The card itself holds to that.
            dueNs = nowNs;
            remainder = 0;
            return;
        }
        long numerator = wireBytes * 8L * NS_PER_S + remainder;
        long intervalNs = numerator / rateBps;
        remainder = numerator - intervalNs * rateBps;
        dueNs = Math.max(dueNs, nowNs - intervalNs) + intervalNs;
    }

    /** Does the work that is due; returns whether there was any. */
    boolean tick(long nowNs) {
        boolean did = false;
        RateControl by = control;
        if (requester.tick(nowNs)) {
            did = true;
            counters.add(RdmaCounter.TIMEOUTS, 1);
            if (by != null) {
                by.lost(nowNs);
            }
        }
        if (by != null && by.deadlineNs() <= nowNs) {
            did = true;
            by.tick(nowNs);
        }
        if (by != null && did) {
            followWindow(nowNs, by);
        }
        if (notifier.deadlineNs() <= nowNs) {
            marksToTell |= notifier.tick(nowNs);
            did = true;
        }
        return did;
    }

    /** The time at which to call {@link #tick}, in ns; MAX_VALUE: never. */
    long tickNs() {
        RateControl by = control;
        long controlNs = by == null ? Long.MAX_VALUE : by.deadlineNs();
        return Math.min(requester.deadlineNs(), Math.min(notifier.deadlineNs(), controlNs));
    }

    /** The time at which the next packet may go, in ns; MAX_VALUE: not before something arrives. */
    long dueNs() {
        return requester.maySend() ? dueNs : Long.MAX_VALUE;
    }

    // ---- what comes

    /**
     * A packet for this queue pair has arrived, with correct lengths and ICRC.
     *
     * @param codePoint code point of explicit congestion notification
     * @param hops the telemetry of its path; null: none
     */
    void arrived(
            long nowNs,
            long bth,
            int bodyBytes,
            int codePoint,
            int wireBytes,
            @Nullable HopRecords hops) {
        sample.way(hops);
        int opcode = Bth.opcode(MEMORY, bth);
        if (!RcOpcode.isReliable(opcode)) {
            // Of another service, and no matter of this connection.
            counters.add(RdmaCounter.FOREIGN, 1);
            return;
        }
        if (opcode != RcOpcode.ACKNOWLEDGE) {
            marked(nowNs, codePoint, Bth.congestion(MEMORY, bth), wireBytes);
            responder.cameBy(hops);
        }
        arrived(nowNs, bth, opcode, bodyBytes);
    }

    /**
     * Reads the marks of a packet. Packets are sent with ECT(1), so that a switch has two marks:
     * CE, and ECT(0) if it cannot tell whether it is congested (TCD, SIGCOMM 2021).
     */
    private void marked(long nowNs, int codePoint, int congestion, int wireBytes) {
        int marks =
                switch (codePoint) {
                    case RocePacket.CE -> RateControl.MARKED_CE;
                    case RocePacket.ECT_0 -> RateControl.MARKED_UE;
                    default -> 0;
                };
        marks |= readsFecn ? NotificationPoint.marksOnTheWay(congestion) : 0;
        marksToTell |= notifier.arrived(nowNs, marks, wireBytes);
    }

    private void arrived(long nowNs, long bth, int opcode, int bodyBytes) {
        int psn = Bth.sequence(MEMORY, bth);
        long body = bth + Bth.HEADER_BYTES;
        if (opcode == RcOpcode.ACKNOWLEDGE) {
            answered(nowNs, bth, body, bodyBytes);
            return;
        }
        int extended = RcOpcode.extendedBytes(opcode);
        int payload = bodyBytes - extended;
        if (payload < 0) {
            counters.add(RdmaCounter.MALFORMED, 1);
            return;
        }
        long announced = extended > 0 ? Reth.lengthBytes(MEMORY, body) : 0;
        Responder.Arrived is = responder.look(psn);
        boolean isExpected = is == Responder.Arrived.TAKEN;
        if (is == Responder.Arrived.EARLY && !mayBegin(opcode, body, announced, payload)) {
            // When its turn comes it is refused.
            counters.add(RdmaCounter.PACKETS_EARLY, 1);
            return;
        }
        if (isExpected && !isWithin(opcode, body, announced, payload)) {
            responder.refuse(Aeth.REMOTE_ACCESS_ERROR);
            counters.add(RdmaCounter.PACKETS_INVALID, 1);
            return;
        }
        if (isExpected) {
            // The payload must be in place before the responder reports the message.
            long into = RcOpcode.isFirst(opcode) ? 0 : responder.offsetBytes();
            MemorySegment.copy(MEMORY, body + extended, messages, into, payload);
        }
        Responder.Arrived became =
                responder.arrived(
                        nowNs, psn, opcode, Bth.ackRequest(MEMORY, bth), payload, announced);
        if (became == Responder.Arrived.KEPT) {
            MemorySegment.copy(
                    MEMORY, body + extended, kept, placeOf(responder.sequence(psn)), payload);
        }
        counters.add(
                switch (became) {
                    case TAKEN -> RdmaCounter.PACKETS_TAKEN;
                    case KEPT -> RdmaCounter.PACKETS_KEPT;
                    case REPEATED -> RdmaCounter.PACKETS_DUPLICATE;
                    case EARLY -> RdmaCounter.PACKETS_EARLY;
                    case INVALID -> RdmaCounter.PACKETS_INVALID;
                },
                1);
    }

    /** Whether a packet stays within the memory that this end offered. */
    private boolean isWithin(int opcode, long body, long announced, int payload) {
        if (!RcOpcode.isFirst(opcode)) {
            return responder.offsetBytes() + payload <= messages.byteSize();
        }
        return mayBegin(opcode, body, announced, payload);
    }

    /** The same for a packet that begins a message; for other packets only the length is known. */
    private boolean mayBegin(int opcode, long body, long announced, int payload) {
        boolean fits = payload <= messages.byteSize();
        if (!RcOpcode.isFirst(opcode) || !RcOpcode.isWrite(opcode)) {
            return fits;
        }
        return fits
                && Reth.address(MEMORY, body) == FIRST_ADDRESS
                && Reth.remoteKey(MEMORY, body) == key
                && announced <= messages.byteSize();
    }

    /** The place of a packet that is kept; there is one for each packet that may come ahead. */
    private long placeOf(long packet) {
        return packet * mtuBytes & (kept.byteSize() - 1);
    }

    private boolean placeKept(long packet, int payloadBytes, long offsetBytes) {
        if (offsetBytes + payloadBytes > messages.byteSize()) {
            return false;
        }
        MemorySegment.copy(kept, placeOf(packet), messages, offsetBytes, payloadBytes);
        return true;
    }

    /**
     * An answer has arrived.
     *
     * @param body address of its header
     */
    private void answered(long nowNs, long bth, long body, int bodyBytes) {
        int syndrome = bodyBytes < Aeth.HEADER_BYTES ? 0 : Aeth.syndrome(MEMORY, body);
        boolean isReport = kept.byteSize() != 0 && syndrome == Aeth.PSN_SEQUENCE_ERROR;
        int headerBytes = Aeth.HEADER_BYTES + (isReport ? ReorderBuffer.REPORT_BYTES : 0);
        if (bodyBytes < headerBytes) {
            counters.add(RdmaCounter.MALFORMED, 1);
            return;
        }
        if (!sample.readEcho(MEMORY, body + headerBytes, bodyBytes - headerBytes)) {
            counters.add(RdmaCounter.MALFORMED, 1);
        }
        int marks = NotificationPoint.marks(Bth.congestion(MEMORY, bth));
        int psn = Bth.sequence(MEMORY, bth);
        Requester.Answered became =
                isReport
                        ? requester.reported(nowNs, psn, MEMORY, body + Aeth.HEADER_BYTES)
                        : requester.answered(nowNs, psn, syndrome);
        answered(nowNs, became, marks);
    }

    private void answered(long nowNs, Requester.Answered became, int marks) {
        RateControl by = control;
        switch (became) {
            case ADVANCED, REPEATED -> counters.add(RdmaCounter.ACKS_RECEIVED, 1);
            case WENT_BACK, REFUSED -> counters.add(RdmaCounter.NAKS_RECEIVED, 1);
            case IMPOSSIBLE -> counters.add(RdmaCounter.ACKS_IMPOSSIBLE, 1);
        }
        if (by == null || became == Requester.Answered.IMPOSSIBLE) {
            return;
        }
        if (became != Requester.Answered.REPEATED || marks != 0) {
            by.acknowledged(nowNs, sample(marks));
            if (sample.isIgnored()) {
                counters.add(RdmaCounter.TELEMETRY_IGNORED, 1);
            }
            if (by.holdsForWaiting()) {
                dueNs = lastNs;
                remainder = 0;
                space(lastNs, lastWireBytes, by.rateBps());
            }
        }
        if (became == Requester.Answered.WENT_BACK) {
            by.lost(nowNs);
        }
        followWindow(nowNs, by);
    }

    /**
     * Makes a sample. Packets differ in length: acknowledged packets count with the mean length of
     * all.
     */
    private Sample sample(int marks) {
        double share = (double) requester.acknowledged() / Math.max(1, requester.highest());
        ackedBytes = Math.max(ackedBytes, (long) (sentBytes * share));
        return sample.set(ackedBytes, sentBytes, marks, requester.roundTripNs());
    }

    /** Whether a packet that a notice quotes was sent by this connection. */
    boolean hasSent(int destinationIp, int destinationQueuePair) {
        return destinationIp == path.peerIp() && destinationQueuePair == peer.number();
    }

    /** Takes a congestion point's notice about the connection; returns the counter to increment. */
    NoticeCounter notified(long nowNs, int kind, long origin, long value) {
        RateControl by = control;
        NoticeLimit of = limit;
        if (by == null || of == null) {
            return NoticeCounter.UNKNOWN_FLOW;
        }
        NoticeCounter became = of.give(by, nowNs, kind, origin, value);
        followWindow(nowNs, by);
        return became;
    }

    /** Takes the other end's report of marks; returns the counter to increment. */
    NoticeCounter congested(long nowNs, long origin, long value) {
        return notified(nowNs, Cnp.KIND, origin, value);
    }

    /** Length of the longest frame of a connection with that path MTU, without FCS. */
    static int largestFrameBytes(int mtuBytes) {
        return Ethernet.HEADER_BYTES + RocePacket.ipBytes(Reth.HEADER_BYTES + mtuBytes);
    }
}
