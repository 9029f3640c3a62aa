package io.headgate.dataplane.flowcontrol;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.FlowControlConfig;
import io.headgate.config.PortConfig;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.memory.Accounts;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Flow control at the receiving half of a port: keeps the accounts, takes link-control frames, and
 * tells the transmitting half what to ask of the far end and what the far end asks. Owned by the
 * ingress half; a port without flow control has none.
 */
public final class IngressFlow {
    private final IngressAccounts accounts;
    private final int lossless;
    private final PauseRegister pauseRegister;
    private final @Nullable PauseReceiver pauses;
    private final @Nullable CreditReceiver credits;
    private final PresentTime time;
    private boolean mustRing;
    private int publishedWanted;
    private long foreignControl;

    /**
     * Flow control as configured.
     *
     * @param slots slots at home in the half
     * @param ledger the half's accounts, charged through this from now on
     * @param digest of the port's classification
     */
    public IngressFlow(
            PortConfig config,
            int slots,
            Accounts ledger,
            long digest,
            PauseRegister pauseRegister,
            CreditRegister creditRegister,
            PresentTime time) {
        FlowControlConfig flowControl = config.flowControl();
        FlowControlConfig.Credits credit = flowControl.credits();
        this.lossless = config.traffic().losslessMask();
        this.accounts = new IngressAccounts(config, slots, ledger);
        this.pauseRegister = pauseRegister;
        this.time = time;
        this.pauses =
                flowControl.pause() == null
                        ? null
                        : new PauseReceiver(
                                flowControl.mode(), lossless, config.rateBps(), pauseRegister);
        this.credits =
                credit == null
                        ? null
                        : new CreditReceiver(
                                credit,
                                lossless,
                                digest,
                                creditRegister,
                                ConfigDefaults.maxFrameBytes(config.mtuBytes()));
    }

    /** Whether a port has flow control at all. */
    public static boolean isConfigured(PortConfig config) {
        return config.flowControl().mode() != FlowControlConfig.Mode.NONE;
    }

    /**
     * Takes a link-control frame: MAC control, or credits. It is there now, whenever that began.
     */
    public void control(long nowNs, MemorySegment segment, long frame, int storedBytes) {
        boolean isMacControl = Ethernet.etherType(segment, frame) == EtherType.MAC_CONTROL;
        if (isMacControl && pauses != null) {
            mustRing |= pauses.receive(time.presentNs(nowNs), segment, frame, storedBytes) != 0;
        } else if (!isMacControl && credits != null) {
            mustRing |= credits.receive(segment, frame, storedBytes);
        } else {
            foreignControl++;
        }
    }

    /** What a frame counts for in {@link #arrived}. */
    public int blocks(int lengthBytes) {
        return credits == null ? 0 : credits.blocks(lengthBytes);
    }

    /**
     * Notes frames of a priority that are no link control, in the order of arrival, whatever
     * becomes of them.
     *
     * @param blocks of all of them
     */
    public void arrived(int priority, int blocks) {
        if (credits != null && isLossless(priority)) {
            credits.received(priority, blocks);
        }
    }

    private boolean isLossless(int account) {
        return (lossless >>> account & 1) != 0;
    }

    /**
     * The account of a copy of a frame. Of a lossless priority's room what the far end was granted,
     * or has on its way, may be all there is left: copies have none of it.
     */
    public int accountOfCopy(int priority) {
        return isLossless(priority) ? Accounts.ORIGINATED : priority;
    }

    /** Charges a frame, or answers false; {@link #refusal} says why. */
    public boolean charge(Frame frame, int account) {
        if ((pauseRegister.loadDroppingAcquire() >>> account & 1) != 0
                || !accounts.charge(frame, account)) {
            return false;
        }
        if (credits != null && isLossless(account)) {
            credits.hold(account, 1, credits.blocks(frame.chargedBytes));
        }
        return true;
    }

    /** As {@link #charge(Frame, int)} for several: all of them, or none and false. */
    public boolean charge(Frame[] batch, int from, int count, int account) {
        if (count > 1 && accounts.pool() != null) {
            return false; // each frame has to find its own place, in the pool or in the headroom
        }
        if ((pauseRegister.loadDroppingAcquire() >>> account & 1) != 0) {
            return false;
        }
        CreditReceiver receiver = isLossless(account) ? credits : null;
        long bytes = 0;
        int blocks = 0;
        for (int i = from; i < from + count; i++) {
            Frame frame = batch[i];
            int length = frame.lengthBytes;
            bytes += length;
            blocks += receiver == null ? 0 : receiver.blocks(length);
            if (frame.account != account) {
                frame.account = account;
            }
            frame.chargedBytes = length;
        }
        if (!accounts.charge(account, count, bytes)) {
            for (int i = from; i < from + count; i++) {
                batch[i].chargedBytes = 0;
            }
            return false;
        }
        if (receiver != null) {
            receiver.hold(account, count, blocks);
        }
        return true;
    }

    /** Why a frame was not charged. */
    public DropReason refusal(int account) {
        if (account == Accounts.ORIGINATED) {
            return DropReason.NO_SLOT;
        }
        if ((pauseRegister.loadDroppingAcquire() >>> account & 1) != 0) {
            return DropReason.WATCHDOG;
        }
        return isLossless(account) ? DropReason.HEADROOM_EXHAUSTED : DropReason.ACCOUNT_AT_CAP;
    }

    /** Takes back what a frame was charged, if it was. */
    public void release(Frame frame) {
        int charged = frame.chargedBytes;
        if (charged != 0 && credits != null && isLossless(frame.account)) {
            credits.release(frame.account, 1, credits.blocks(charged));
        }
        accounts.release(frame);
    }

    /** As {@link #release(Frame)} for several: mostly many in a row were charged to one account. */
    public void release(Frame[] batch, int from, int count) {
        int to = from + count;
        for (int i = from; i < to; ) {
            int first = i;
            int account = batch[i].account;
            CreditReceiver receiver = isLossless(account) ? credits : null;
            long bytes = 0;
            int blocks = 0;
            for (; i < to && batch[i].account == account; i++) {
                int charged = batch[i].chargedBytes;
                if (charged == 0) {
                    break;
                }
                batch[i].chargedBytes = 0;
                bytes += charged;
                blocks += receiver == null ? 0 : receiver.blocks(charged);
            }
            if (i > first) {
                accounts.release(account, i - first, bytes);
            } else {
                i++; // it was not charged
            }
            if (blocks > 0 && receiver != null) {
                receiver.release(account, i - first, blocks);
            }
        }
    }

    /** Whether slots that have come home may have changed what {@link #publish} says. */
    public boolean awaitsReturns() {
        return credits != null || accounts.pauseWanted() != publishedWanted;
    }

    /**
     * Publishes what changed; to be called at the end of the half's work.
     *
     * @return whether the egress half of the port must be rung
     */
    public boolean publish(long nowNs) {
        boolean ring = mustRing;
        mustRing = false;
        int wanted = accounts.pauseWanted();
        if (wanted != publishedWanted) {
            publishedWanted = wanted;
            pauseRegister.storeWantedRelease(wanted);
            ring = true;
        }
        if (credits != null) {
            ring |= credits.publish(nowNs);
        }
        return ring;
    }

    /** The link went up or down: what the far end said no longer counts. */
    public void linkChanged() {
        if (pauses != null) {
            pauses.reset();
        }
        if (credits != null) {
            credits.reset();
        }
        mustRing = true;
    }

    public IngressAccounts accounts() {
        return accounts;
    }

    /** What is received of pauses; null unless the port has PFC or PAUSE. */
    public @Nullable PauseReceiver pauses() {
        return pauses;
    }

    /** What is received of credits; null unless the port has credits. */
    public @Nullable CreditReceiver credits() {
        return credits;
    }

    /**
     * Link-control frames, or parts of one, that changed nothing: malformed, damaged, of an unknown
     * opcode, repeated or late.
     */
    public long ignoredControl() {
        long ignored = 0;
        if (pauses != null) {
            ignored += pauses.malformed() + pauses.unknownOpcodes();
        }
        if (credits != null) {
            ignored += credits.malformed() + credits.badCrc() + credits.repeated();
        }
        return ignored;
    }

    /** Link-control frames that show that the far end is configured otherwise. */
    public long mismatches() {
        return foreignControl() + (credits == null ? 0 : credits.mismatches());
    }

    /** Link-control frames of a protocol that the port has not: the far end differs. */
    public long foreignControl() {
        PauseReceiver receiver = pauses;
        return foreignControl + (receiver == null ? 0 : receiver.otherMode());
    }
}
