package io.headgate.hostagent.rdma;

import io.headgate.dataplane.frame.RcOpcode;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.lang.foreign.MemorySegment;

/**
 * The messages by which connections are made and ended: communication management datagrams to queue
 * pair 1 (InfiniBand architecture volume 1, sections 12.6 and 13.4.3; datagrams, section 9.6.1).
 *
 * <pre>
 *   datagram header   Q_Key 4 · reserved 1 · source queue pair 3
 *   0   base version 1 · class 1 (7) · class version 1 (2) · method 1 (3) · status 4
 *   8   transaction 8
 *   16  attribute 2 · reserved 2 · modifier 4
 *   24  communication id of the sender 4 · of the receiver 4 · 224 more, by the attribute
 * </pre>
 */
final class ConnectionMessage {
    /** Queue pair that such messages go to. */
    static final int QUEUE_PAIR = 1;

    static final int REQUEST = 0x10;
    static final int REJECT = 0x12;
    static final int REPLY = 0x13;
    static final int READY = 0x14;
    static final int END = 0x15;
    static final int ENDED = 0x16;

    /** Reason code of a rejection whose meaning only the two ends know. */
    static final int CONSUMER_REJECT = 28;

    private static final MemorySegment MEMORY = FrameRegion.MEMORY;

    private static final int DATAGRAM_BYTES = 8;
    private static final int DATA_BYTES = 232;
    private static final int HEADER_BYTES = 24;

    /** Bytes behind the base transport header. */
    static final int BODY_BYTES = DATAGRAM_BYTES + HEADER_BYTES + DATA_BYTES;

    private static final int WELL_KNOWN_KEY = 0x8001_0000;
    private static final int BASE_VERSION = 1;
    private static final int CLASS = 7;
    private static final int CLASS_VERSION = 2;
    private static final int METHOD_SEND = 3;
    private static final int HEADER_WORD =
            BASE_VERSION << 24 | CLASS << 16 | CLASS_VERSION << 8 | METHOD_SEND;

    private static final int TRANSACTION_OFFSET = 8;
    private static final int ATTRIBUTE_OFFSET = 16;

    // Within the data.
    private static final int SENDER_OFFSET = 0;
    private static final int RECEIVER_OFFSET = 4;
    private static final int SERVICE_OFFSET = 8;
    private static final int REQUEST_QP_OFFSET = 32;
    private static final int REQUEST_PSN_OFFSET = 44;
    private static final int REQUEST_KEY_OFFSET = 48;
    private static final int REQUEST_MTU_OFFSET = 50;
    private static final int REQUEST_RETRIES_OFFSET = 51;
    private static final int REQUEST_LOCAL_GID_OFFSET = 56;
    private static final int REQUEST_REMOTE_GID_OFFSET = 72;
    private static final int REQUEST_HOPS_OFFSET = 93;
    private static final int REQUEST_PRIVATE_OFFSET = 140;
    private static final int REPLY_QP_OFFSET = 12;
    private static final int REPLY_PSN_OFFSET = 20;
    private static final int REPLY_PRIVATE_OFFSET = 36;
    private static final int REJECT_REASON_OFFSET = 10;
    private static final int END_QP_OFFSET = 8;

    private static final int CM_RETRIES = 15;
    private static final int TTL = 64;
    private static final int LEAST_MTU_BITS = 8;

    // Of ours, in the room that the standard leaves to the two ends.
    private static final int MAGIC = 0x4847_5054;
    private static final int PRIVATE_TEST_OFFSET = 4;
    private static final int PRIVATE_REPAIR_OFFSET = 5;
    private static final int PRIVATE_KEY_OFFSET = 4;
    private static final int PRIVATE_ADDRESS_OFFSET = 8;
    private static final int PRIVATE_BYTES_OFFSET = 16;

    private ConnectionMessage() {}

    /**
     * The ids in a message.
     *
     * @param transaction the transaction of the request, which all messages of a connection carry
     * @param sender communication id of the end that sends the message
     * @param receiver communication id of the other end; 0 in a request
     */
    record Ids(long transaction, int sender, int receiver) {}

    /** Writes the part that all messages have in common; returns the start of the data. */
    private static long begin(Frame frame, Path path, int attribute, Ids ids, int sequence) {
        long body =
                RocePacket.begin(
                        frame,
                        path,
                        RocePacket.NOT_ECT,
                        RcOpcode.UD_SEND_ONLY,
                        BODY_BYTES,
                        QUEUE_PAIR,
                        false,
                        sequence & Psn.MASK);
        MEMORY.asSlice(body, BODY_BYTES).fill((byte) 0);
        Wire.put32(MEMORY, body, WELL_KNOWN_KEY);
        Wire.put24(MEMORY, body + 5, QUEUE_PAIR);
        long message = body + DATAGRAM_BYTES;
        Wire.put32(MEMORY, message, HEADER_WORD);
        Wire.put64(MEMORY, message + TRANSACTION_OFFSET, ids.transaction());
        Wire.put16(MEMORY, message + ATTRIBUTE_OFFSET, attribute);
        long data = message + HEADER_BYTES;
        Wire.put32(MEMORY, data + SENDER_OFFSET, ids.sender());
        Wire.put32(MEMORY, data + RECEIVER_OFFSET, ids.receiver());
        return data;
    }

    static void request(
            Frame frame,
            Path path,
            Ids ids,
            int sequence,
            long service,
            QueuePair.Peer own,
            int mtuBytes,
            PerfPlan.Test test,
            boolean repairs) {
        long data = begin(frame, path, REQUEST, ids, sequence);
        Wire.put64(MEMORY, data + SERVICE_OFFSET, service);
        Wire.put24(MEMORY, data + REQUEST_QP_OFFSET, own.number());
        Wire.put24(MEMORY, data + REQUEST_PSN_OFFSET, own.firstPsn());
        Wire.put8(MEMORY, data + REQUEST_PSN_OFFSET + 3, 7);
        Wire.put16(MEMORY, data + REQUEST_KEY_OFFSET, RocePacket.PARTITION_KEY);
        Wire.put8(
                MEMORY,
                data + REQUEST_MTU_OFFSET,
                ((Integer.numberOfTrailingZeros(mtuBytes) - LEAST_MTU_BITS + 1) << 4) | 7);
        Wire.put8(MEMORY, data + REQUEST_RETRIES_OFFSET, CM_RETRIES << 4);
        gid(data + REQUEST_LOCAL_GID_OFFSET, path.ownIp());
        gid(data + REQUEST_REMOTE_GID_OFFSET, path.peerIp());
        Wire.put8(MEMORY, data + REQUEST_HOPS_OFFSET, TTL);
        long own0 = data + REQUEST_PRIVATE_OFFSET;
        Wire.put32(MEMORY, own0, MAGIC);
        Wire.put8(MEMORY, own0 + PRIVATE_TEST_OFFSET, test.ordinal());
        Wire.put8(MEMORY, own0 + PRIVATE_REPAIR_OFFSET, repairs ? 1 : 0);
        Wire.put64(MEMORY, own0 + PRIVATE_BYTES_OFFSET, own.bytes());
        RocePacket.seal(frame);
    }

    /** Writes an IPv4 address as an IPv6 address, the form of a RoCEv2 GID. */
    private static void gid(long at, int ipv4) {
        Wire.put16(MEMORY, at + 10, 0xFFFF);
        Wire.put32(MEMORY, at + 12, ipv4);
    }

    static void reply(Frame frame, Path path, Ids ids, int sequence, QueuePair.Peer own) {
        long data = begin(frame, path, REPLY, ids, sequence);
        Wire.put24(MEMORY, data + REPLY_QP_OFFSET, own.number());
        Wire.put24(MEMORY, data + REPLY_PSN_OFFSET, own.firstPsn());
        long own0 = data + REPLY_PRIVATE_OFFSET;
        Wire.put32(MEMORY, own0, MAGIC);
        Wire.put32(MEMORY, own0 + PRIVATE_KEY_OFFSET, own.key());
        Wire.put64(MEMORY, own0 + PRIVATE_ADDRESS_OFFSET, own.address());
        Wire.put64(MEMORY, own0 + PRIVATE_BYTES_OFFSET, own.bytes());
        RocePacket.seal(frame);
    }

    /** Writes a message that has only ids: ready or ended; or end, with the peer's queue pair. */
    static void plain(
            Frame frame, Path path, int attribute, Ids ids, int sequence, int peerQueuePair) {
        long data = begin(frame, path, attribute, ids, sequence);
        if (attribute == END) {
            Wire.put24(MEMORY, data + END_QP_OFFSET, peerQueuePair);
        } else if (attribute == REJECT) {
            Wire.put16(MEMORY, data + REJECT_REASON_OFFSET, CONSUMER_REJECT);
        }
        RocePacket.seal(frame);
    }

    // ---- reading; of what came, only once isValid

    /** Whether a packet is such a message, of a class and version that both ends know. */
    static boolean isValid(long body, int bodyBytes) {
        return bodyBytes == BODY_BYTES
                && Wire.i32(MEMORY, body) == WELL_KNOWN_KEY
                && Wire.i32(MEMORY, body + DATAGRAM_BYTES) == HEADER_WORD;
    }

    static int attribute(long body) {
        return Wire.u16(MEMORY, body + DATAGRAM_BYTES + ATTRIBUTE_OFFSET);
    }

    static Ids ids(long body) {
        return new Ids(
                Wire.i64(MEMORY, body + DATAGRAM_BYTES + TRANSACTION_OFFSET),
                Wire.i32(MEMORY, data(body) + SENDER_OFFSET),
                Wire.i32(MEMORY, data(body) + RECEIVER_OFFSET));
    }

    private static long data(long body) {
        return body + DATAGRAM_BYTES + HEADER_BYTES;
    }

    static long service(long body) {
        return Wire.i64(MEMORY, data(body) + SERVICE_OFFSET);
    }

    /** The path MTU that a request asks for, in bytes; 0 if its code is invalid. */
    static int mtuBytes(long body) {
        int code = Wire.u8(MEMORY, data(body) + REQUEST_MTU_OFFSET) >>> 4;
        return code >= 1 && code <= 5 ? 1 << (LEAST_MTU_BITS + code - 1) : 0;
    }

    /** Whether a request or reply comes from a program like this one. */
    static boolean isOurs(long body) {
        int at = attribute(body) == REQUEST ? REQUEST_PRIVATE_OFFSET : REPLY_PRIVATE_OFFSET;
        return Wire.i32(MEMORY, data(body) + at) == MAGIC;
    }

    /** Number of the test that a request is for, in the order of {@link PerfPlan.Test}. */
    static int test(long body) {
        return Wire.u8(MEMORY, data(body) + REQUEST_PRIVATE_OFFSET + PRIVATE_TEST_OFFSET);
    }

    /** Whether a request asks for a connection with selective repair. */
    static boolean repairs(long body) {
        return Wire.u8(MEMORY, data(body) + REQUEST_PRIVATE_OFFSET + PRIVATE_REPAIR_OFFSET) != 0;
    }

    /** The sender of a request, which has no memory that can be written. */
    static QueuePair.Peer requester(long body) {
        long data = data(body);
        return new QueuePair.Peer(
                Wire.u24(MEMORY, data + REQUEST_QP_OFFSET),
                Wire.u24(MEMORY, data + REQUEST_PSN_OFFSET),
                0,
                0,
                Wire.i64(MEMORY, data + REQUEST_PRIVATE_OFFSET + PRIVATE_BYTES_OFFSET));
    }

    /** The sender of a reply. */
    static QueuePair.Peer replier(long body) {
        long data = data(body);
        long own = data + REPLY_PRIVATE_OFFSET;
        return new QueuePair.Peer(
                Wire.u24(MEMORY, data + REPLY_QP_OFFSET),
                Wire.u24(MEMORY, data + REPLY_PSN_OFFSET),
                Wire.i64(MEMORY, own + PRIVATE_ADDRESS_OFFSET),
                Wire.i32(MEMORY, own + PRIVATE_KEY_OFFSET),
                Wire.i64(MEMORY, own + PRIVATE_BYTES_OFFSET));
    }
}
