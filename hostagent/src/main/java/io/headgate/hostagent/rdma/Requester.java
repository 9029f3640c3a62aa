package io.headgate.hostagent.rdma;

import io.headgate.dataplane.frame.Aeth;
import io.headgate.dataplane.frame.RcOpcode;
import io.headgate.hostagent.rate.Sample;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The sending end of a reliable connection (InfiniBand architecture volume 1, section 9.7.3). It
 * cuts messages into packets, asks for acknowledgements, and goes back to the first missing packet
 * (go-back-N) when the responder says so, or when an acknowledgement that it asked for does not
 * come in time; or, with {@link SelectiveRepair}, sends only lost packets again.
 *
 * <p>It asks for an acknowledgement with the last packet of a message, with one packet in {@link
 * Settings#ackEvery}, and with the packet that fills the window. Inside, packets are numbered from
 * 0; on the wire, from the number that the connection was made with. Owned by the sending host.
 * Memory grows with the messages under way, at most the window; nothing is allocated per packet.
 */
public final class Requester {
    /** The effect of an answer. */
    public enum Answered {
        /** It acknowledges more packets than before. */
        ADVANCED,
        /** It has nothing new. */
        REPEATED,
        /** It reports a missing packet that was not known to be missing: that one is sent next. */
        WENT_BACK,
        /**
         * It is about packets that were never sent, or has a form that no responder of ours uses.
         */
        IMPOSSIBLE,
        /** The responder refuses the request: the connection has failed. */
        REFUSED
    }

    /**
     * The parameters on which both ends have agreed, and the sender's time-out.
     *
     * @param mtuBytes maximum payload of a packet
     * @param firstPsn number of the first packet on the wire
     * @param ackEvery one packet in this many asks for an acknowledgement
     * @param timeoutNs time without an acknowledgement after which it goes back
     * @param retries number of consecutive times that it goes back, without an acknowledgement in
     *     between, before the connection has failed
     */
    public record Settings(int mtuBytes, int firstPsn, int ackEvery, long timeoutNs, int retries) {
        /** Retries without end, if losses are part of the experiment. */
        public static final int FOR_EVER = Integer.MAX_VALUE;

        /**
         * @throws IllegalArgumentException if a value is out of its range
         */
        public Settings {
            if (mtuBytes < 1
                    || firstPsn < 0
                    || firstPsn > Psn.MASK
                    || ackEvery < 1
                    || timeoutNs < 1
                    || retries < 0) {
                throw new IllegalArgumentException(
                        "path MTU %d, first packet %d, acknowledged every %d, again after %d ns, %d times"
                                .formatted(mtuBytes, firstPsn, ackEvery, timeoutNs, retries));
            }
        }
    }

    private static final int NONE = -1;

    private final Settings settings;
    private final MessageListener listener;

    // What is lost, where only that is sent again; null: all from the first one missing on is.
    private final @Nullable SelectiveRepair repair;
    private final int mostUnderWay;

    // A ring of the messages that are not acknowledged whole, by number.
    private long[] firsts = new long[8];
    private long[] sizes = new long[8];
    private long[] startsNs = new long[8];
    private boolean[] writes = new boolean[8];
    private long oldest;
    private long newest;

    // The message that the next packet is of; and the packet behind the last of all messages.
    private long current;
    private long end;

    private long next;
    private long highest;
    private long acknowledged;
    private int window;

    // The packet whose requested acknowledgement is awaited, and when the wait ends.
    private long asked = NONE;
    private long timerNs = Long.MAX_VALUE;

    // A time-out came while none had asked: the first packet sent again does.
    private boolean probes;
    private int retried;
    private boolean failed;

    // A packet whose acknowledgement tells the round trip time.
    private long timed = NONE;
    private long timedNs;
    private long roundTripNs = Sample.NOT_TIMED;

    // The packet sent last.
    private int opcode;
    private long sequence;
    private long offsetBytes;
    private int payloadBytes;
    private long messageBytes;
    private boolean ackRequest;
    private boolean repeated;

    private long naks;
    private long timeouts;
    private long repeats;

    /**
     * A requester that has sent nothing yet.
     *
     * @param repairWindow maximum number of packets that the receiver keeps, a power of two; 0:
     *     go-back-N
     * @param reordering number of later packets after which a missing one is lost, at least 1
     */
    public Requester(
            Settings settings, MessageListener listener, int repairWindow, int reordering) {
        this.settings = settings;
        this.listener = listener;
        this.repair = repairWindow == 0 ? null : new SelectiveRepair(repairWindow, reordering);
        this.mostUnderWay = repairWindow == 0 ? Psn.MOST_UNDER_WAY : repairWindow;
        this.window = mostUnderWay;
    }

    /**
     * Sets the maximum number of packets under way, possibly fewer than are; applies from the next
     * packet on, and the timer follows at once.
     */
    public void window(long nowNs, long packets) {
        window = Math.clamp(packets, 1, mostUnderWay);
        followTimer(nowNs);
    }

    /**
     * Starts or stops the timer. It runs while a requested acknowledgement is awaited, and also
     * while the window is full, since possibly none of the packets in it has requested one. A
     * packet that did not request one may wait for its turn behind one that does, however slow.
     */
    private void followTimer(long nowNs) {
        boolean isAsked = asked >= acknowledged;
        boolean isFull = next - acknowledged >= window;
        if (failed || !(isAsked || isFull)) {
            timerNs = Long.MAX_VALUE;
        } else if (timerNs == Long.MAX_VALUE) {
            timerNs = nowNs + settings.timeoutNs();
        }
    }

    /** Number of packets of a message of that many bytes: also 1 for an empty one. */
    public static long packets(long bytes, int mtuBytes) {
        return Math.max(1, Math.ceilDiv(bytes, mtuBytes));
    }

    /** Adds a message behind the existing ones. */
    public void post(Verb verb, long bytes) {
        if (newest - oldest == firsts.length) {
            grow();
        }
        int slot = slot(newest++);
        firsts[slot] = end;
        sizes[slot] = bytes;
        writes[slot] = verb == Verb.WRITE;
        end += packets(bytes, settings.mtuBytes());
    }

    private void grow() {
        int before = firsts.length;
        long[] oldFirsts = firsts;
        long[] oldSizes = sizes;
        long[] oldStarts = startsNs;
        boolean[] oldWrites = writes;
        firsts = new long[2 * before];
        sizes = new long[2 * before];
        startsNs = new long[2 * before];
        writes = new boolean[2 * before];
        for (long message = oldest; message < newest; message++) {
            int from = (int) message & (before - 1);
            int to = slot(message);
            firsts[to] = oldFirsts[from];
            sizes[to] = oldSizes[from];
            startsNs[to] = oldStarts[from];
            writes[to] = oldWrites[from];
        }
    }

    private int slot(long message) {
        return (int) message & (firsts.length - 1);
    }

    /** The packet after a message's last. */
    private long endOf(long message) {
        return message + 1 < newest ? firsts[slot(message + 1)] : end;
    }

    /** Whether there is a packet to send, and the window allows it. */
    public boolean maySend() {
        return ((next < end && next - acknowledged < window) || isRepairing()) && !failed;
    }

    private boolean isRepairing() {
        SelectiveRepair by = repair;
        return by != null && by.lost() != SelectiveRepair.NONE;
    }

    /** Sends the next packet, if {@link #maySend}: the accessors describe it. */
    public void send(long nowNs) {
        SelectiveRepair by = repair;
        if (by != null && by.lost() != SelectiveRepair.NONE) {
            sendAgain(nowNs, by);
            return;
        }
        while (next >= endOf(current)) {
            current++;
        }
        boolean isFirst = describe(next, current);
        repeated = next < highest;
        next++;
        ackRequest =
                next == endOf(current)
                        || next % settings.ackEvery() == 0
                        || next - acknowledged >= window
                        || (probes && sequence == acknowledged);
        if (repeated) {
            repeats++;
        } else {
            highest = next;
            if (isFirst) {
                startsNs[slot(current)] = nowNs;
            }
            if (ackRequest && timed == NONE) {
                timed = sequence;
                timedNs = nowNs;
            }
            if (by != null) {
                by.sent(sequence, acknowledged);
            }
        }
        if (ackRequest) {
            asked = sequence;
        }
        followTimer(nowNs);
    }

    private void sendAgain(long nowNs, SelectiveRepair by) {
        long packet = by.lost();
        describe(packet, messageOf(packet));
        by.repaired(highest);
        repeated = true;
        repeats++;
        ackRequest = true;
        asked = Math.max(asked, packet);
        // Its acknowledgement may be of either copy, so it gives no time (Karn).
        timed = timed == packet ? NONE : timed;
        followTimer(nowNs);
    }

    /** The message under way that contains a packet. */
    private long messageOf(long packet) {
        long low = oldest;
        long high = newest;
        while (high - low > 1) {
            long middle = (low + high) >>> 1;
            if (firsts[slot(middle)] <= packet) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Sets the description of a packet; returns whether a message begins with it. */
    private boolean describe(long packet, long message) {
        int slot = slot(message);
        boolean isFirst = packet == firsts[slot];
        sequence = packet;
        messageBytes = sizes[slot];
        offsetBytes = (packet - firsts[slot]) * settings.mtuBytes();
        payloadBytes = (int) Math.min(settings.mtuBytes(), messageBytes - offsetBytes);
        opcode = RcOpcode.of(writes[slot], isFirst, packet + 1 == endOf(message));
        return isFirst;
    }

    /**
     * An answer has arrived.
     *
     * @param psn number on the wire: of the last acknowledged packet, or of the missing one
     * @param syndrome as {@link Aeth} has it
     */
    public Answered answered(long nowNs, int psn, int syndrome) {
        long of = Psn.widen((psn - settings.firstPsn()) & Psn.MASK, acknowledged);
        roundTripNs = Sample.NOT_TIMED;
        if (failed || of >= highest) {
            return Answered.IMPOSSIBLE;
        }
        return switch (Aeth.type(syndrome)) {
            case Aeth.TYPE_ACK -> of < acknowledged ? Answered.REPEATED : advance(nowNs, of + 1);
            case Aeth.TYPE_NAK -> of < acknowledged ? Answered.REPEATED : nak(nowNs, of, syndrome);
            // Receivers here always have room, so that "receiver not ready" is impossible, as are
            // other types.
            default -> Answered.IMPOSSIBLE;
        };
    }

    /**
     * The receiver has reported that it has all packets before one, and others behind it ({@link
     * ReorderBuffer}).
     *
     * @param psn number of the missing packet on the wire
     */
    public Answered reported(long nowNs, int psn, MemorySegment segment, long at) {
        return reported(
                nowNs,
                psn,
                ReorderBuffer.basePsn(segment, at),
                ReorderBuffer.low(segment, at),
                ReorderBuffer.high(segment, at));
    }

    Answered reported(long nowNs, int psn, int basePsn, long low, long high) {
        SelectiveRepair by = repair;
        long missing = Psn.widen((psn - settings.firstPsn()) & Psn.MASK, acknowledged);
        long base = Psn.widen((basePsn - settings.firstPsn()) & Psn.MASK, acknowledged);
        roundTripNs = Sample.NOT_TIMED;
        if (by == null || failed || missing >= highest || (base & (Long.SIZE - 1)) != 0) {
            return Answered.IMPOSSIBLE;
        }
        naks++;
        boolean isNew = missing > acknowledged && advance(nowNs, missing) == Answered.ADVANCED;
        if (by.report(base, low, high, acknowledged, highest)) {
            isNew = true;
            retried = 0;
            if (timed != NONE && timed >= acknowledged && by.isHeld(timed)) {
                roundTripNs = nowNs - timedNs;
                timed = NONE;
            }
        }
        if (by.beginsRecovery(acknowledged, highest)) {
            return Answered.WENT_BACK;
        }
        return isNew ? Answered.ADVANCED : Answered.REPEATED;
    }

    private Answered nak(long nowNs, long missing, int syndrome) {
        // All before it has come.
        advance(nowNs, missing);
        if (syndrome == Aeth.PSN_SEQUENCE_ERROR) {
            naks++;
            goBack();
            return Answered.WENT_BACK;
        }
        failed = true;
        followTimer(nowNs);
        return Answered.REFUSED;
    }

    private Answered advance(long nowNs, long to) {
        if (to == acknowledged) {
            return Answered.REPEATED;
        }
        if (repair != null) {
            repair.advanced(acknowledged, to);
        }
        acknowledged = to;
        retried = 0;
        probes = false;
        if (timed != NONE && timed < to) {
            roundTripNs = nowNs - timedNs;
            timed = NONE;
        }
        while (oldest < newest && endOf(oldest) <= to) {
            int slot = slot(oldest++);
            listener.completed(nowNs, sizes[slot], startsNs[slot]);
        }
        current = Math.max(current, oldest);
        next = Math.max(next, to);
        // What is awaited now has its whole time.
        timerNs = Long.MAX_VALUE;
        followTimer(nowNs);
        return Answered.ADVANCED;
    }

    private void goBack() {
        if (repair == null) {
            next = acknowledged;
            current = oldest;
        } else {
            repair.timedOut(acknowledged, highest);
        }
        // After a repetition an acknowledgement may be of either copy, so it gives no time (Karn).
        timed = NONE;
        asked = NONE;
        timerNs = Long.MAX_VALUE;
    }

    /** Called at {@link #deadlineNs} or later: goes back; returns whether it was time. */
    public boolean tick(long nowNs) {
        if (nowNs < timerNs) {
            return false;
        }
        timeouts++;
        probes |= asked < acknowledged;
        goBack();
        if (retried == settings.retries()) {
            failed = true;
        } else {
            retried++;
        }
        return true;
    }

    /** The time at which to call {@link #tick}; {@link Long#MAX_VALUE}: never. */
    public long deadlineNs() {
        return timerNs;
    }

    /** Whether the responder refused, or stopped answering. */
    public boolean hasFailed() {
        return failed;
    }

    /** Whether all packets of all messages have been sent. */
    public boolean hasSentAll() {
        return highest == end;
    }

    /** Whether all posted messages are acknowledged. */
    public boolean isIdle() {
        return acknowledged == end;
    }

    /** Number of messages that are not completely acknowledged. */
    public long messagesUnderWay() {
        return newest - oldest;
    }

    /** Number of the packet that is sent next. */
    public long next() {
        SelectiveRepair by = repair;
        return by != null && by.lost() != SelectiveRepair.NONE ? by.lost() : next;
    }

    /** Number after that of the last packet ever sent. */
    public long highest() {
        return highest;
    }

    /** All packets before this one have arrived. */
    public long acknowledged() {
        return acknowledged;
    }

    /** The round trip that the last answer timed; {@link Sample#NOT_TIMED}: none. */
    public long roundTripNs() {
        return roundTripNs;
    }

    // ---- the packet sent last

    /** The packet's number, from 0. */
    public long sequence() {
        return sequence;
    }

    public int psn() {
        return Psn.of(settings.firstPsn() + sequence);
    }

    /** The packet's opcode, see {@link RcOpcode}. */
    public int opcode() {
        return opcode;
    }

    /** The offset of its payload in the message. */
    public long offsetBytes() {
        return offsetBytes;
    }

    public int payloadBytes() {
        return payloadBytes;
    }

    /** Length of the whole message. */
    public long messageBytes() {
        return messageBytes;
    }

    /** Whether it asks for an acknowledgement. */
    public boolean isAckRequested() {
        return ackRequest;
    }

    /** Whether it was sent before. */
    public boolean isRepeated() {
        return repeated;
    }

    // ---- counted

    /** Number of times that the responder reported a missing packet. */
    public long naks() {
        return naks;
    }

    /** Number of times that nothing was acknowledged for too long. */
    public long timeouts() {
        return timeouts;
    }

    /** Number of packets that were sent again. */
    public long repeats() {
        return repeats;
    }

    @Override
    public String toString() {
        return "requester[acknowledged %d, next %d, highest %d, end %d, of %s]"
                .formatted(acknowledged, next, highest, end, Arrays.toString(sizes));
    }
}
