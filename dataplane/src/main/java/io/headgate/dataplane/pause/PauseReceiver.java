package io.headgate.dataplane.pause;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.FlowControlConfig;
import io.headgate.dataplane.frame.MacControl;
import io.headgate.dataplane.linkcontrol.AccountsView;
import io.headgate.dataplane.linkcontrol.LinkReceiver;
import io.headgate.dataplane.policy.StopView;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Obeys the pauses that a port receives: keeps for each priority the time until which its own side
 * must not send (IEEE 802.3 Annexes 31B and 31D). A received time replaces the one before; zero
 * resumes; a priority that the frame does not name does not change; when a time runs out, the
 * priority resumes by itself. Owned by the ingress half, which publishes to {@link PauseRegister}.
 *
 * <p>PAUSE and PFC exclude each other on a link: a port obeys the one that it is configured for,
 * and counts frames of the other, which show that the far end is configured differently.
 */
public final class PauseReceiver implements LinkReceiver {
    private static final int ALL = (1 << PRIORITIES) - 1;

    private final FlowControlConfig.Mode mode;
    private final int obeyed;
    private final long linkRateBps;
    private final PauseRegister register;
    private final long[] untilNs = new long[PRIORITIES];
    private final long[] xoffs = new long[PRIORITIES];
    private final long[] refreshes = new long[PRIORITIES];
    private final long[] xons = new long[PRIORITIES];
    private int wanted;
    private int changes;

    /** PAUSE or PFC frames that are too short for their fields. */
    long malformed;

    private long otherMode;

    /**
     * Creates the receiver of one port.
     *
     * @param obeyed priorities whose pauses are obeyed: with PFC the lossless ones; PAUSE stops all
     * @param linkRateBps rate that defines the length of a quantum at both ends: the port's rate at
     *     its start
     */
    public PauseReceiver(
            FlowControlConfig.Mode mode, int obeyed, long linkRateBps, PauseRegister register) {
        this.mode = mode;
        this.obeyed = mode == FlowControlConfig.Mode.PAUSE ? ALL : obeyed;
        this.linkRateBps = linkRateBps;
        this.register = register;
        Arrays.fill(untilNs, StopView.LONG_AGO_NS);
    }

    @Override
    public boolean takes(int opcode) {
        return opcode == MacControl.PFC || opcode == MacControl.PAUSE;
    }

    /** A pause may be longer than was asked for, never shorter. */
    @Override
    public boolean receive(long receivedNs, MemorySegment segment, long frame, int availableBytes) {
        return take(receivedNs, segment, frame, availableBytes) != 0;
    }

    /** Returns the priorities whose time changed and was published; 0 if none did. */
    int take(long receivedNs, MemorySegment segment, long frame, int availableBytes) {
        boolean isPfc = MacControl.isPfc(segment, frame, availableBytes);
        if (!isPfc && !MacControl.isPause(segment, frame, availableBytes)) {
            malformed++;
            return 0;
        }
        if (mode != (isPfc ? FlowControlConfig.Mode.PFC : FlowControlConfig.Mode.PAUSE)) {
            otherMode++;
            return 0;
        }
        int named = isPfc ? MacControl.enabled(segment, frame) & obeyed : ALL;
        for (int rest = named; rest != 0; rest &= rest - 1) {
            int priority = Integer.numberOfTrailingZeros(rest);
            int quanta =
                    isPfc
                            ? MacControl.quanta(segment, frame, priority)
                            : MacControl.pauseQuanta(segment, frame);
            pause(receivedNs, priority, quanta);
        }
        if (named != 0) {
            changes++;
            register.storeVersionRelease();
        }
        return named;
    }

    private void pause(long receivedNs, int priority, int quanta) {
        if (quanta == 0) {
            xons[priority]++;
        } else if (untilNs[priority] - receivedNs > 0) {
            refreshes[priority]++;
        } else {
            xoffs[priority]++;
        }
        untilNs[priority] = receivedNs + ConfigDefaults.pauseNs(quanta, linkRateBps);
        register.storeUntilOpaque(
                priority, untilNs[priority], xoffs[priority] + refreshes[priority]);
    }

    @Override
    public boolean publish(long nowNs, AccountsView accounts) {
        int wants = accounts.pauseWanted();
        if (wants == wanted) {
            return false;
        }
        wanted = wants;
        register.storeWantedRelease(wants);
        return true;
    }

    @Override
    public boolean awaitsReturns(AccountsView accounts) {
        return accounts.pauseWanted() != wanted;
    }

    @Override
    public long ignored() {
        return malformed;
    }

    @Override
    public long mismatches() {
        return otherMode;
    }

    /** Ends all pauses. */
    @Override
    public void linkChanged() {
        for (int priority = 0; priority < PRIORITIES; priority++) {
            untilNs[priority] = StopView.LONG_AGO_NS;
            register.storeUntilOpaque(
                    priority, untilNs[priority], xoffs[priority] + refreshes[priority]);
        }
        register.storeVersionRelease();
    }

    /** Grows with every change of the counts here. */
    public int changes() {
        return changes;
    }

    /** Number of pauses of a priority that was not paused. */
    public long xoffs(int priority) {
        return xoffs[priority];
    }

    /** Number of repeated pauses before the previous one had run out. */
    public long refreshes(int priority) {
        return refreshes[priority];
    }

    /** Number of resumptions of a priority, paused or not. */
    public long xons(int priority) {
        return xons[priority];
    }
}
