package io.headgate.dataplane.frame;

/**
 * A {@link Notice} of a fair rate (RoCC, CoNEXT 2020): its kind is the version and the queue's
 * priority, its value the size of a step in kb/s and the rate in such steps.
 */
public final class RoccNotice {
    /** The smallest unit of a rate in a notice. */
    public static final int BPS_PER_KBPS = 1_000;

    private static final int VERSION = 1;
    private static final int VERSION_SHIFT = 12;
    private static final int PRIORITY_MASK = 0xFF;
    private static final int HOST_COMPUTES = 1 << 8;
    private static final int UNIT_SHIFT = 32;
    private static final long STEPS_MASK = (1L << UNIT_SHIFT) - 1;

    private RoccNotice() {}

    /**
     * The number of the congestion point of a port's queue: ports count from 1, in the order of the
     * switch's configuration, for users.
     *
     * @param port from 0
     */
    public static int point(int port, int queue) {
        return (port + 1) << Byte.SIZE | queue;
    }

    /** The port of a congestion point, from 1. */
    public static int portOf(int point) {
        return point >>> Byte.SIZE & 0xFFFF;
    }

    /** The queue of a congestion point. */
    public static int queueOf(int point) {
        return point & 0xFF;
    }

    /** The kind of notices about a priority's queue. */
    public static int kind(int priority) {
        return VERSION << VERSION_SHIFT | priority;
    }

    /**
     * The kind of notices from which the host computes the rate: the value has no steps, and the
     * details are the parameters of {@code FairRate}.
     */
    public static int kindForHost(int priority) {
        return kind(priority) | HOST_COMPUTES;
    }

    /** Whether the host computes the rate. */
    public static boolean isForHost(int kind) {
        return is(kind) && (kind & HOST_COMPUTES) != 0;
    }

    /** The same value with the steps that the host has computed. */
    public static long withSteps(long value, long steps) {
        return (value & ~STEPS_MASK) | (steps & STEPS_MASK);
    }

    /** The value for {@code steps} steps of {@code unitKbps} kb/s. */
    public static long value(long steps, int unitKbps) {
        return (long) unitKbps << UNIT_SHIFT | steps;
    }

    /** Whether a notice's kind is that of a fair rate, computed by the switch or by the host. */
    public static boolean is(int kind) {
        return (kind & ~(PRIORITY_MASK | HOST_COMPUTES)) == VERSION << VERSION_SHIFT;
    }

    /** The fair rate, in bits per second; at least 0 for any received value. */
    public static long rateBps(long value) {
        return (value >>> UNIT_SHIFT & 0xFFFF) * (value & STEPS_MASK) * BPS_PER_KBPS;
    }
}
