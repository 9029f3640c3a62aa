package io.headgate.hostagent.rdma;

import io.headgate.dataplane.frame.Aeth;
import io.headgate.dataplane.frame.RcOpcode;
import io.headgate.dataplane.memory.HopRecords;
import io.headgate.hostagent.rate.HopEcho;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The receiving end of a reliable connection (InfiniBand architecture volume 1, section 9.7.4):
 * takes packets in order, each once, and has an answer ready when one is asked for. At the first
 * packet that comes too early it says once that one is missing, and no more until that one has
 * come.
 *
 * <p>Answers that wait are merged: the latest says all. Owned by the receiving host; a few fields.
 */
public final class Responder {
    /** What became of a packet. */
    public enum Arrived {
        /** It is the one expected, and taken. */
        TAKEN,
        /** It came before. */
        REPEATED,
        /** One before it is missing. */
        EARLY,
        /** It is the one expected, and makes no sense: the connection has failed. */
        INVALID
    }

    private static final int NO_ANSWER = 0;

    private final int mtuBytes;
    private final int firstPsn;
    private final MessageListener listener;

    private long expected;
    private boolean complained;
    private boolean failed;
    private int refusal = NO_ANSWER;

    // The message that is arriving; last, the number of messages that have arrived.
    private boolean inMessage;
    private boolean isWrite;
    private long offsetBytes;
    private long announcedBytes;
    private long startedNs;
    private long messages;

    // Syndrome of the answer that waits.
    private int answer = NO_ANSWER;

    // What telemetry said of the last packet's way, until an answer has told it.
    private final @Nullable HopEcho echo;
    private final HopRecords way;

    /**
     * A responder on which nothing came yet.
     *
     * @param mtuBytes payload of all packets of a message but the last
     * @param firstPsn number of the first packet on the wire
     * @param echo how answers echo the telemetry of packets' way; null: they do not
     */
    public Responder(int mtuBytes, int firstPsn, MessageListener listener, @Nullable HopEcho echo) {
        this.mtuBytes = mtuBytes;
        this.firstPsn = firstPsn;
        this.listener = listener;
        this.echo = echo;
        this.way = new HopRecords(echo == null ? 0 : echo.mostHops());
    }

    /** What a packet of that number would be, before anything else is known of it. */
    public Arrived look(int psn) {
        long sequence = sequence(psn);
        if (sequence == expected) {
            return failed ? Arrived.INVALID : Arrived.TAKEN;
        }
        return sequence < expected ? Arrived.REPEATED : Arrived.EARLY;
    }

    private long sequence(int psn) {
        return Psn.widen((psn - firstPsn) & Psn.MASK, expected);
    }

    /**
     * A packet came.
     *
     * @param psn on the wire
     * @param opcode as {@link RcOpcode} has it
     * @param payloadBytes without padding
     * @param announcedBytesOfWrite of the whole message, where the packet begins a WRITE
     */
    public Arrived arrived(
            long nowNs,
            int psn,
            int opcode,
            boolean ackRequest,
            int payloadBytes,
            long announcedBytesOfWrite) {
        Arrived is = look(psn);
        switch (is) {
            case EARLY -> complain();
            case REPEATED -> {
                // Its acknowledgement was lost, or is on the way.
                if (ackRequest && answer == NO_ANSWER) {
                    answer = Aeth.ACK;
                }
            }
            case TAKEN -> {
                if (!take(nowNs, opcode, payloadBytes, announcedBytesOfWrite)) {
                    refuse(Aeth.INVALID_REQUEST);
                    return Arrived.INVALID;
                }
                if (ackRequest || answer != NO_ANSWER) {
                    answer = Aeth.ACK;
                }
            }
            // What said so may have been lost.
            case INVALID -> answer = refusal;
        }
        return is;
    }

    private void complain() {
        if (!complained && !failed) {
            complained = true;
            answer = Aeth.PSN_SEQUENCE_ERROR;
        }
    }

    private boolean take(long nowNs, int opcode, int payloadBytes, long announced) {
        boolean isFirst = RcOpcode.isFirst(opcode);
        boolean isLast = RcOpcode.isLast(opcode);
        if (!RcOpcode.isRequest(opcode)
                || isFirst == inMessage
                || (!isFirst && RcOpcode.isWrite(opcode) != isWrite)
                || (isLast ? payloadBytes > mtuBytes : payloadBytes != mtuBytes)) {
            return false;
        }
        if (isFirst) {
            isWrite = RcOpcode.isWrite(opcode);
            offsetBytes = 0;
            announcedBytes = announced;
            startedNs = nowNs;
        }
        long sofar = offsetBytes + payloadBytes;
        if (isWrite && (isLast ? sofar != announcedBytes : sofar >= announcedBytes)) {
            return false;
        }
        offsetBytes = sofar;
        inMessage = !isLast;
        expected++;
        complained = false;
        if (isLast) {
            messages++;
            listener.completed(nowNs, offsetBytes, startedNs);
        }
        return true;
    }

    /** Ends the connection: what was asked for cannot be. */
    public void refuse(int syndrome) {
        failed = true;
        refusal = syndrome;
        answer = syndrome;
    }

    /** Whether an answer waits. */
    public boolean hasAnswer() {
        return answer != NO_ANSWER;
    }

    /** Syndrome of the answer that waits, which is taken with it. */
    public int takeAnswer() {
        int taken = answer;
        answer = NO_ANSWER;
        return taken;
    }

    /** The number that an answer of that syndrome carries: the last taken, or the one missing. */
    public int answerPsn(int syndrome) {
        return Psn.of(firstPsn + expected - (Aeth.type(syndrome) == Aeth.TYPE_ACK ? 1 : 0));
    }

    /** A packet came by that way: the next answer tells it, unless a later one has come by then. */
    public void cameBy(@Nullable HopRecords hops) {
        if (hops != null && hops.hops() > 0) {
            way.copy(hops);
        }
    }

    /** Bytes of the next answer behind its header that echo the packets' way. */
    public int echoBytes() {
        HopEcho by = echo;
        return by == null || way.hops() == 0 ? 0 : by.bytes(way);
    }

    /** Writes these bytes, once. */
    public void echo(MemorySegment segment, long at) {
        HopEcho by = echo;
        if (by != null && way.hops() > 0) {
            by.write(way, segment, at);
            way.clear();
        }
    }

    /** Messages that have come whole. */
    public long messages() {
        return messages;
    }

    /** Number of the packet expected, from 0. */
    public long expected() {
        return expected;
    }

    /** Bytes of the message that comes, or came last, so far. */
    public long offsetBytes() {
        return offsetBytes;
    }

    /** Whether what was asked for could not be. */
    public boolean hasFailed() {
        return failed;
    }
}
