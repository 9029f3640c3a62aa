package io.headgate.dataplane.device.linux;

import java.util.Arrays;

/**
 * Assembler for a BPF program: RFC 9669's instructions, each an opcode, destination and source
 * registers, an offset and an immediate.
 */
public abstract class BpfProgram {
    protected static final int LOAD_WORD = 0x61;
    protected static final int STORE_WORD = 0x63;
    protected static final int ADD_IMMEDIATE = 0x07;
    protected static final int AND_IMMEDIATE = 0x57;
    protected static final int SHIFT_LEFT_IMMEDIATE = 0x67;
    protected static final int MOVE = 0xbf;
    protected static final int MOVE_IMMEDIATE = 0xb7;
    protected static final int JUMP_IF_NOT_EQUAL_IMMEDIATE = 0x55;

    private static final int LOAD_IMMEDIATE_64 = 0x18;
    private static final int EXIT = 0x95;

    /** Say in a 64-bit load that the immediate is a map's file descriptor, for its value. */
    private static final int PSEUDO_MAP_FD = 1;

    private static final int PSEUDO_MAP_VALUE = 2;

    private final long[] instructions = new long[512];
    private int length;

    /** Adds an instruction; returns its number, for {@link #target} if it is a jump. */
    protected final int add(int opcode, int destination, int source, int offset, int immediate) {
        instructions[length] =
                (opcode & 0xffL)
                        | (destination & 0xfL) << 8
                        | (source & 0xfL) << 12
                        | (offset & 0xffffL) << 16
                        | (long) immediate << 32;
        return length++;
    }

    /** Sets a jump's target to the next instruction. */
    protected final void target(int jump) {
        instructions[jump] |= (length - jump - 1 & 0xffffL) << 16;
    }

    /** Loads a map. */
    protected final void map(int register, int mapFd) {
        add(LOAD_IMMEDIATE_64, register, PSEUDO_MAP_FD, 0, mapFd);
        add(0, 0, 0, 0, 0);
    }

    /** Loads the address of a map's only value. */
    protected final void mapValue(int register, int mapFd) {
        add(LOAD_IMMEDIATE_64, register, PSEUDO_MAP_VALUE, 0, mapFd);
        add(0, 0, 0, 0, 0);
    }

    /** Ends the program with the value of register 0. */
    protected final void exit() {
        add(EXIT, 0, 0, 0, 0);
    }

    /** Completes the program and returns it. */
    protected final long[] ending() {
        exit();
        return Arrays.copyOf(instructions, length);
    }

    /** Completes the program with an exit that returns {@code answer}, and returns it. */
    protected final long[] endingWith(int answer) {
        add(MOVE_IMMEDIATE, 0, 0, 0, answer);
        return ending();
    }
}
