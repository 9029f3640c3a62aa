package io.headgate.dataplane.device.tap;

import io.headgate.dataplane.device.linux.BpfProgram;
import java.util.List;

/**
 * Assigns the host's frames to the queues of a TAP: some flows are spread by flow over all queues
 * except the first, which gets the rest. The kernel calls a BPF program of ours
 * (TUNSETSTEERINGEBPF), so it does not matter on which queue replies are written; without a
 * program, it moves a flow to the queue of its replies.
 *
 * @param queues 2 to 256
 * @param flows flows that are spread; none: all of TCP and UDP
 */
public record TapSteering(int queues, List<Flows> flows) {
    private static final int MAX_QUEUES = 256;
    private static final int MAX_FLOWS = 64;

    /**
     * Flows of a transport protocol.
     *
     * @param protocol IP's number of TCP or UDP; {@link #ANY}: both
     * @param port port of either end; {@link #ANY}: all
     */
    public record Flows(int protocol, int port) {
        public static final int ANY = 0;
        public static final int TCP = 6;
        public static final int UDP = 17;
    }

    public TapSteering {
        flows = List.copyOf(flows);
        if (queues < 2 || queues > MAX_QUEUES || flows.size() > MAX_FLOWS) {
            throw new IllegalArgumentException(
                    queues + " queues of a TAP (2 to 256), " + flows.size() + " flows (up to 64)");
        }
    }

    /**
     * The program, as a socket filter (RFC 9669's instructions; loads from the frame are classic
     * BPF's, big-endian, and end the program with 0, the first queue, where the frame is too
     * short). Registers: 6 the frame, 7 the protocol, 8 the offset of IP's payload, less an
     * Ethernet header; on the stack the addresses' hash, then the ports.
     */
    long[] program() {
        return new Program().assemble();
    }

    private final class Program extends BpfProgram {
        private static final int XOR_32 = 0xac;
        private static final int MULTIPLY_IMMEDIATE_32 = 0x24;
        private static final int SHIFT_LEFT_IMMEDIATE_32 = 0x64;
        private static final int SHIFT_RIGHT_IMMEDIATE_32 = 0x74;
        private static final int MODULO_IMMEDIATE_32 = 0x94;
        private static final int LOAD_BYTE_AT = 0x30;
        private static final int LOAD_HALF_AT = 0x28;
        private static final int LOAD_WORD_AT = 0x20;
        private static final int LOAD_HALF_BEHIND = 0x48;
        private static final int JUMP = 0x05;
        private static final int JUMP_IF_EQUAL = 0x15;

        private static final int IPV4 = 0x0800;
        private static final int IPV6 = 0x86dd;
        private static final int FRAGMENT_MASK = 0x3fff;

        /** A prime near the golden ratio of 2^32 (Knuth, volume 3, 6.4). */
        private static final int MULTIPLIER = 0x9e37_79b1;

        private final int[] toRest = new int[16];
        private int rests;

        long[] assemble() {
            add(MOVE, 6, 1, 0, 0);
            add(LOAD_HALF_AT, 0, 0, 0, 12);
            int isIpv4 = add(JUMP_IF_EQUAL, 0, 0, 0, IPV4);
            unless(IPV6);
            add(LOAD_BYTE_AT, 0, 0, 0, 20);
            add(MOVE, 7, 0, 0, 0);
            add(MOVE_IMMEDIATE, 8, 0, 0, 40);
            addresses(34, 50);
            int isIpv6 = add(JUMP, 0, 0, 0, 0);
            target(isIpv4);
            add(LOAD_HALF_AT, 0, 0, 0, 20);
            add(AND_IMMEDIATE, 0, 0, 0, FRAGMENT_MASK);
            unless(0);
            add(LOAD_BYTE_AT, 0, 0, 0, 23);
            add(MOVE, 7, 0, 0, 0);
            add(LOAD_BYTE_AT, 0, 0, 0, 14);
            add(AND_IMMEDIATE, 0, 0, 0, 15);
            add(SHIFT_LEFT_IMMEDIATE, 0, 0, 0, 2);
            add(MOVE, 8, 0, 0, 0);
            addresses(26, 30);
            target(isIpv6);
            int isTcp = add(JUMP_IF_EQUAL, 7, 0, 0, Flows.TCP);
            toRest[rests++] = add(JUMP_IF_NOT_EQUAL_IMMEDIATE, 7, 0, 0, Flows.UDP);
            target(isTcp);
            // The source port waits on the stack: a load from the frame changes registers 1 to 5.
            add(LOAD_HALF_BEHIND, 0, 8, 0, 14);
            add(STORE_WORD, 10, 0, -4, 0);
            add(LOAD_HALF_BEHIND, 0, 8, 0, 16);
            add(MOVE, 2, 0, 0, 0);
            add(LOAD_WORD, 1, 10, -4, 0);
            choose();
            for (int i = 0; i < rests; i++) {
                target(toRest[i]);
            }
            return endingWith(0);
        }

        /** The last words of both addresses, into register 9. */
        private void addresses(int source, int destination) {
            add(LOAD_WORD_AT, 0, 0, 0, source);
            add(MOVE, 9, 0, 0, 0);
            add(LOAD_WORD_AT, 0, 0, 0, destination);
            add(MULTIPLY_IMMEDIATE_32, 9, 0, 0, MULTIPLIER);
            add(XOR_32, 9, 0, 0, 0);
        }

        /** Register 0 must be that; the frame waits with the rest otherwise. */
        private void unless(int value) {
            toRest[rests++] = add(JUMP_IF_NOT_EQUAL_IMMEDIATE, 0, 0, 0, value);
        }

        /** If one of the flows has protocol 7, and port 1 or 2: returns a queue for it. */
        private void choose() {
            int[] hits = new int[2 * MAX_FLOWS];
            int count = 0;
            for (Flows one : flows) {
                int other = -1;
                if (one.protocol != Flows.ANY) {
                    other = add(JUMP_IF_NOT_EQUAL_IMMEDIATE, 7, 0, 0, one.protocol);
                }
                if (one.port == Flows.ANY) {
                    hits[count++] = add(JUMP, 0, 0, 0, 0);
                } else {
                    hits[count++] = add(JUMP_IF_EQUAL, 1, 0, 0, one.port);
                    hits[count++] = add(JUMP_IF_EQUAL, 2, 0, 0, one.port);
                }
                if (other >= 0) {
                    target(other);
                }
            }
            if (!flows.isEmpty()) {
                toRest[rests++] = add(JUMP, 0, 0, 0, 0);
            }
            for (int i = 0; i < count; i++) {
                target(hits[i]);
            }
            add(SHIFT_LEFT_IMMEDIATE_32, 1, 0, 0, 16);
            add(XOR_32, 1, 2, 0, 0);
            add(MULTIPLY_IMMEDIATE_32, 1, 0, 0, MULTIPLIER);
            add(XOR_32, 9, 1, 0, 0);
            add(XOR_32, 9, 7, 0, 0);
            add(MULTIPLY_IMMEDIATE_32, 9, 0, 0, MULTIPLIER);
            add(SHIFT_RIGHT_IMMEDIATE_32, 9, 0, 0, 16);
            add(MODULO_IMMEDIATE_32, 9, 0, 0, queues - 1);
            add(ADD_IMMEDIATE, 9, 0, 0, 1);
            add(MOVE, 0, 9, 0, 0);
            exit();
        }
    }
}
