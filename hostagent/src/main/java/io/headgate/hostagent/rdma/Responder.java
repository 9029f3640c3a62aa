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
 * packet that comes too early it reports once that one is missing, and not again until that one has
 * come; or, with selective repair, it keeps the early packet and reports it ({@link
 * ReorderBuffer}).
 *
 * <p>Waiting answers are merged: the latest covers all. Owned by the receiving host; a few fields.
 */
public final class Responder {
    /** The fate of a packet. */
    public enum Arrived {
        /** It is the expected one, and taken. */
        TAKEN,
        /** It has come before. */
        REPEATED,
        /** An earlier one is missing: this one is discarded. */
        EARLY,
        /** An earlier one is missing: this one is kept until that has come. */
        KEPT,
        /** It is the expected one, but makes no sense: the connection has failed. */
        INVALID
    }

    /** Puts the payload of packets that were kept into their messages. */
    @FunctionalInterface
    public interface Placement {
        /** Does not store payload. */
        Placement NONE = (packet, payloadBytes, offsetBytes) -> true;

        /**
         * @return whether the message has that place
         */
        boolean place(long packet, int payloadBytes, long offsetBytes);
    }

    /** Length of the report behind the header of an answer: {@link ReorderBuffer}. */
    public static final int REPORT_BYTES = ReorderBuffer.REPORT_BYTES;

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

    // Where packets are kept that come while one before is missing; null: they are thrown away.
    private final @Nullable ReorderBuffer ahead;
    private Placement placement = Placement.NONE;
    private boolean late;

    // What telemetry said of the last packet's way, until an answer has told it.
    private final @Nullable HopEcho echo;
    private final HopRecords way;

    /**
     * A responder that has received nothing yet.
     *
     * @param mtuBytes payload of all packets of a message except the last
     * @param firstPsn number of the first packet on the wire
     * @param echo format in which answers echo the telemetry of packets' path; null: they do not
     * @param window maximum distance that a packet may come ahead of the expected one, a power of
     *     two; 0: such packets are discarded
     */
    public Responder(
            int mtuBytes,
            int firstPsn,
            MessageListener listener,
            @Nullable HopEcho echo,
            int window) {
        this.mtuBytes = mtuBytes;
        this.firstPsn = firstPsn;
        this.listener = listener;
        this.echo = echo;
        this.ahead = window == 0 ? null : new ReorderBuffer(window);
        this.way = new HopRecords(echo == null ? 0 : echo.mostHops());
    }

    /** Sets the object that puts the payload of kept packets into place. */
    public void placeBy(Placement by) {
        placement = by;
    }

    /** The fate of a packet with that number, before anything else is known about it. */
    public Arrived look(int psn) {
        long sequence = sequence(psn);
        if (sequence == expected) {
            return failed ? Arrived.INVALID : Arrived.TAKEN;
        }
        return sequence < expected ? Arrived.REPEATED : Arrived.EARLY;
    }

    /** The full number of a packet. */
    long sequence(int psn) {
        return Psn.widen((psn - firstPsn) & Psn.MASK, expected);
    }

    /**
     * A packet has arrived.
     *
     * @param psn number on the wire
     * @param opcode as {@link RcOpcode} has it
     * @param payloadBytes payload without padding
     * @param announcedBytesOfWrite bytes of the whole message, if the packet begins a WRITE
     */
    public Arrived arrived(
            long nowNs,
            int psn,
            int opcode,
            boolean ackRequest,
            int payloadBytes,
            long announcedBytesOfWrite) {
        Arrived is = look(psn);
        ReorderBuffer buffer = ahead;
        if (is == Arrived.EARLY && buffer != null) {
            return early(buffer, psn, opcode, payloadBytes, announcedBytesOfWrite);
        }
        switch (is) {
            case EARLY, KEPT -> complain();
            case REPEATED -> {
                // Its acknowledgement was lost, or is on the way.
                if (ackRequest && answer == NO_ANSWER) {
                    acknowledge();
                }
            }
            case TAKEN -> {
                late = buffer != null && !buffer.isEmpty();
                if (!take(nowNs, opcode, payloadBytes, announcedBytesOfWrite)) {
                    refuse(Aeth.INVALID_REQUEST);
                    return Arrived.INVALID;
                }
                boolean fills = buffer != null && takeKept(nowNs, buffer);
                if (failed) {
                    return Arrived.INVALID;
                }
                if (ackRequest || answer != NO_ANSWER || fills) {
                    acknowledge();
                }
            }
            // What said so may have been lost.
            case INVALID -> answer = refusal;
        }
        return is;
    }

    private Arrived early(
            ReorderBuffer buffer,
            int psn,
            int opcode,
            int payloadBytes,
            long announcedBytesOfWrite) {
        if (failed || payloadBytes > mtuBytes) {
            return Arrived.EARLY;
        }
        Arrived is =
                buffer.keep(sequence(psn), expected, opcode, payloadBytes, announcedBytesOfWrite);
        if (is != Arrived.EARLY) {
            late = sequence(psn) < buffer.highest();
            acknowledge();
        }
        return is;
    }

    /**
     * Takes the kept packets that are expected now; returns whether there are any, or others that
     * still wait.
     */
    private boolean takeKept(long nowNs, ReorderBuffer buffer) {
        if (buffer.isEmpty()) {
            return false;
        }
        long packet = buffer.take(expected);
        while (packet != 0) {
            int opcode = ReorderBuffer.opcode(packet);
            int payload = ReorderBuffer.payloadBytes(packet);
            long offset = RcOpcode.isFirst(opcode) ? 0 : offsetBytes;
            if (!placement.place(expected, payload, offset)) {
                refuse(Aeth.REMOTE_ACCESS_ERROR);
                return true;
            }
            if (!take(nowNs, opcode, payload, ReorderBuffer.announcedBytes(packet))) {
                refuse(Aeth.INVALID_REQUEST);
                return true;
            }
            packet = buffer.take(expected);
        }
        return true;
    }

    /**
     * Prepares the answer to what arrived: an acknowledgement, or a NAK while kept packets are
     * still to be reported.
     */
    private void acknowledge() {
        ReorderBuffer buffer = ahead;
        boolean isMore = buffer != null && buffer.hasUntold(expected);
        answer = isMore ? Aeth.PSN_SEQUENCE_ERROR : Aeth.ACK;
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

    /** Ends the connection, because the request cannot be met. */
    public void refuse(int syndrome) {
        failed = true;
        refusal = syndrome;
        answer = syndrome;
    }

    /** Whether an answer waits. */
    public boolean hasAnswer() {
        return answer != NO_ANSWER;
    }

    /** Takes the waiting answer; returns its syndrome. */
    public int takeAnswer() {
        int taken = answer;
        answer = NO_ANSWER;
        ReorderBuffer buffer = ahead;
        if (buffer != null && taken == Aeth.PSN_SEQUENCE_ERROR) {
            buffer.report(expected);
            if (buffer.hasUntold(expected)) {
                answer = Aeth.PSN_SEQUENCE_ERROR;
            }
        }
        return taken;
    }

    /**
     * The number that an answer with that syndrome carries: of the last packet taken, or of the
     * missing one.
     */
    public int answerPsn(int syndrome) {
        return Psn.of(firstPsn + expected - (Aeth.type(syndrome) == Aeth.TYPE_ACK ? 1 : 0));
    }

    /** Length of the report behind the header of the waiting answer. */
    public int reportBytes() {
        return ahead != null && answer == Aeth.PSN_SEQUENCE_ERROR ? REPORT_BYTES : 0;
    }

    /** Writes the report of the answer that was taken last. */
    public void report(MemorySegment segment, long at) {
        ReorderBuffer buffer = ahead;
        if (buffer != null) {
            buffer.write(segment, at, firstPsn);
        }
    }

    /** Whether the last packet taken or kept came after one that was sent later. */
    public boolean isLate() {
        return late;
    }

    /**
     * Sets the telemetry of a packet's path: the next answer echoes it, unless a later packet has
     * come by then.
     */
    public void cameBy(@Nullable HopRecords hops) {
        if (hops != null && hops.hops() > 0) {
            way.copy(hops);
        }
    }

    /** Number of bytes behind the header of the next answer that echo the packets' path. */
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

    /** Number of messages that have completely arrived. */
    public long messages() {
        return messages;
    }

    /** Number of the expected packet, from 0. */
    public long expected() {
        return expected;
    }

    /** Bytes received so far of the present or last message. */
    public long offsetBytes() {
        return offsetBytes;
    }

    /** Whether a request could not be met. */
    public boolean hasFailed() {
        return failed;
    }
}
