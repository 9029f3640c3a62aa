package io.headgate.dataplane.flowcontrol;

import io.headgate.config.FlowControlConfig;
import io.headgate.dataplane.frame.MacControl;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Obeys the pauses that a port receives: keeps for each priority until when its own side must not
 * send (IEEE 802.3 Annexes 31B and 31D). A time that is received replaces the one before; zero
 * resumes; a priority that the frame does not name is left alone; a time that runs out resumes by
 * itself. Owned by the ingress half, which publishes to {@link PauseRegister}.
 *
 * <p>PAUSE and PFC exclude one another on a link: a port obeys the one it is configured for and
 * counts the other, for it shows that the far end is configured otherwise.
 */
public final class PauseReceiver {
    private static final int PRIORITIES = MacControl.PRIORITIES;
    private static final int ALL = (1 << PRIORITIES) - 1;
    private static final long QUANTUM_BITS = 512;
    private static final long NS_PER_S = 1_000_000_000L;

    // Far from any present time, whatever its origin, and yet not so far that differences wrap.
    private static final long LONG_AGO_NS = Long.MIN_VALUE / 2;

    private final FlowControlConfig.Mode mode;
    private final int obeyed;
    private final long rateBps;
    private final PauseRegister register;
    private final long[] untilNs = new long[PRIORITIES];
    private final long[] xoffs = new long[PRIORITIES];
    private final long[] refreshes = new long[PRIORITIES];
    private final long[] xons = new long[PRIORITIES];
    private long malformed;
    private long unknownOpcodes;
    private long otherMode;

    /**
     * A receiver for one port.
     *
     * @param obeyed priorities whose pauses are obeyed: with PFC the lossless ones; PAUSE stops all
     * @param rateBps the port's nominal rate, which gives a quantum its length
     */
    public PauseReceiver(
            FlowControlConfig.Mode mode, int obeyed, long rateBps, PauseRegister register) {
        this.mode = mode;
        this.obeyed = mode == FlowControlConfig.Mode.PAUSE ? ALL : obeyed;
        this.rateBps = rateBps;
        this.register = register;
        Arrays.fill(untilNs, LONG_AGO_NS);
    }

    /** How long a pause lasts, in ns, rounded up: at least as long as the far end counts on. */
    public static long pauseNs(int quanta, long rateBps) {
        return Math.ceilDiv(quanta * QUANTUM_BITS * NS_PER_S, rateBps);
    }

    /**
     * Takes a MAC control frame, whatever is in it.
     *
     * @param receivedNs when it was taken in, no earlier than it arrived: a pause may be longer
     *     than was asked for, never shorter
     * @param frame where it begins in the segment
     * @param availableBytes of it that are there
     * @return the priorities whose time changed, published already; 0 if none did
     */
    public int receive(long receivedNs, MemorySegment segment, long frame, int availableBytes) {
        int named = 0;
        if (MacControl.isPfc(segment, frame, availableBytes)) {
            if (mode != FlowControlConfig.Mode.PFC) {
                otherMode++;
                return 0;
            }
            named = MacControl.enabled(segment, frame) & obeyed;
            for (int rest = named; rest != 0; rest &= rest - 1) {
                int priority = Integer.numberOfTrailingZeros(rest);
                pause(receivedNs, priority, MacControl.quanta(segment, frame, priority));
            }
        } else if (MacControl.isPause(segment, frame, availableBytes)) {
            if (mode != FlowControlConfig.Mode.PAUSE) {
                otherMode++;
                return 0;
            }
            named = ALL;
            for (int priority = 0; priority < PRIORITIES; priority++) {
                pause(receivedNs, priority, MacControl.pauseQuanta(segment, frame));
            }
        } else {
            countUseless(segment, frame, availableBytes);
        }
        if (named != 0) {
            register.storeVersionRelease();
        }
        return named;
    }

    private void countUseless(MemorySegment segment, long frame, int availableBytes) {
        int opcode =
                MacControl.isValid(segment, frame, availableBytes)
                        ? MacControl.opcode(segment, frame)
                        : MacControl.PFC;
        if (opcode == MacControl.PFC || opcode == MacControl.PAUSE) {
            malformed++;
        } else {
            unknownOpcodes++;
        }
    }

    private void pause(long receivedNs, int priority, int quanta) {
        if (quanta == 0) {
            xons[priority]++;
        } else if (untilNs[priority] - receivedNs > 0) {
            refreshes[priority]++;
        } else {
            xoffs[priority]++;
        }
        untilNs[priority] = receivedNs + pauseNs(quanta, rateBps);
        register.storeUntilOpaque(
                priority, untilNs[priority], xoffs[priority] + refreshes[priority]);
    }

    /** The link is gone: nothing is paused any longer. */
    public void reset() {
        for (int priority = 0; priority < PRIORITIES; priority++) {
            untilNs[priority] = LONG_AGO_NS;
            register.storeUntilOpaque(priority, LONG_AGO_NS, xoffs[priority] + refreshes[priority]);
        }
        register.storeVersionRelease();
    }

    /** Times that a priority was paused that had not been. */
    public long xoffs(int priority) {
        return xoffs[priority];
    }

    /** Times that a pause was asked for again before it had run out. */
    public long refreshes(int priority) {
        return refreshes[priority];
    }

    /** Times that a priority was resumed, paused or not. */
    public long xons(int priority) {
        return xons[priority];
    }

    /** PAUSE or PFC frames too short for what they must hold. */
    public long malformed() {
        return malformed;
    }

    /** MAC control frames that are neither PAUSE nor PFC; they end here all the same. */
    public long unknownOpcodes() {
        return unknownOpcodes;
    }

    /** Frames of the protocol that this port does not use: the far end is configured otherwise. */
    public long otherMode() {
        return otherMode;
    }
}
