package io.headgate.dataplane.flowcontrol;

import io.headgate.config.PortConfig;
import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.credit.CreditReceiver;
import io.headgate.dataplane.detour.DetourReceiver;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.linkcontrol.LinkProtocol;
import io.headgate.dataplane.linkcontrol.LinkReceiver;
import io.headgate.dataplane.linkcontrol.PresentTime;
import io.headgate.dataplane.memory.Accounts;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.Prefetch;
import io.headgate.dataplane.memory.SlotPlace;
import io.headgate.dataplane.pause.PauseReceiver;
import io.headgate.dataplane.policy.Threshold;
import io.headgate.dataplane.queue.Gate;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Flow control of an ingress half: keeps the accounts, and hands link-control frames to their
 * protocols, which publish to the egress half what to send to the far end and what the far end
 * asks. Owned by the ingress half; a port without flow control has none.
 */
public final class IngressFlowControl implements Prefetch {
    private static final int OPCODE_OFFSET = Ethernet.ETHER_TYPE_OFFSET + 2;
    private static final int NO_OPCODE = -1;

    private final IngressAccounts accounts;
    private final int lossless;
    private final PortFlowControl shared;

    // All, in the order of their frames; and the one of them that counts blocks.
    private final LinkReceiver[] receivers;
    private final @Nullable LinkReceiver counting;
    private final PresentTime time;

    // What the watchdog drops, as the egress half said before this burst.
    private int dropping;
    private boolean mustRing;
    private boolean countsLater;
    private boolean heard;
    private long foreign;
    private long unknown;

    /**
     * Flow control as configured.
     *
     * @param slots slots at home in the half
     * @param ledger the half's accounts, charged through this object from now on
     * @param threshold threshold of a shared pool; null: thresholds are static
     * @param common the buffer that ports share, if there is one
     * @param shared state shared with the egress half
     */
    public IngressFlowControl(
            PortConfig config,
            int slots,
            Accounts ledger,
            @Nullable Threshold threshold,
            BufferPool.@Nullable Share common,
            PortFlowControl shared,
            PresentTime time) {
        this.lossless = config.traffic().losslessMask();
        this.accounts = new IngressAccounts(config, slots, ledger, threshold, common);
        this.shared = shared;
        this.time = time;
        this.receivers =
                shared.protocols().stream()
                        .map(LinkProtocol::receiver)
                        .toArray(LinkReceiver[]::new);
        this.counting =
                Arrays.stream(receivers)
                        .filter(LinkReceiver::countsBlocks)
                        .findFirst()
                        .orElse(null);
    }

    @Override
    public long prefetch(int distance) {
        return distance == 1
                ? foreign + receivers.length + accounts.pauseWanted()
                : dropping + accounts.prefetch(distance);
    }

    /** Follows another configuration, which must have the same mode and the same priorities. */
    public void change(PortConfig config, @Nullable Threshold threshold) {
        accounts.change(config, threshold);
        for (LinkReceiver receiver : receivers) {
            receiver.change(config);
        }
    }

    /**
     * Handles a link-control frame; its arrival time is the present, not the beginning of the call.
     */
    public void control(long nowNs, MemorySegment segment, long frame, int storedBytes) {
        heard = true;
        int etherType = Ethernet.etherType(segment, frame);
        int opcode =
                storedBytes < OPCODE_OFFSET + 2
                        ? NO_OPCODE
                        : Wire.u16(segment, frame + OPCODE_OFFSET);
        boolean known = false;
        for (LinkReceiver receiver : receivers) {
            if (receiver.etherType() == etherType) {
                if (receiver.takes(opcode)) {
                    long receivedNs = time.presentNs(nowNs);
                    mustRing |= receiver.receive(receivedNs, segment, frame, storedBytes);
                    return;
                }
                known = true;
            }
        }
        if (known) {
            unknown++;
        } else {
            foreign++;
        }
    }

    /**
     * Called once per burst, before its frames are charged: the state of other halves is read only
     * here, so that a frame is refused for the reason that is then reported.
     */
    public void look() {
        dropping = shared.loadDroppingAcquire();
        accounts.look();
    }

    /** Whether a protocol counts blocks, so that {@link #arrived} must be called. */
    public boolean countsBlocks() {
        return counting != null;
    }

    /** The length of a block in {@link #arrived}, as {@link Gate#blockShift}. */
    public int blockShift() {
        return counting == null ? Gate.WHOLE_FRAMES : counting.blockShift();
    }

    /**
     * Called before the frames of a batch are charged. True: all are data, and each is counted when
     * it is charged, or by {@link #turnedAway}. False: {@link #arrived} counts them.
     */
    public void countsLater(boolean later) {
        countsLater = later;
    }

    /** Notes that a frame of the batch is not charged. */
    public void turnedAway(Frame frame) {
        if (countsLater) {
            arrived(frame.priority, Gate.blocks(frame.lengthBytes, blockShift()));
        }
    }

    /**
     * Notes frames of a priority, link control excluded, in the order of arrival, whatever happens
     * to them.
     */
    public void arrived(int priority, int blocks) {
        if (counting != null && isLossless(priority)) {
            counting.arrived(priority, blocks);
        }
    }

    private boolean isDropping(int account) {
        return (dropping >>> account & 1) != 0;
    }

    private boolean isLossless(int account) {
        return (lossless >>> account & 1) != 0;
    }

    /**
     * The account for a copy of a frame. A copy must not use a lossless priority's room: the far
     * end may have been granted all of the free room, or may have frames for it on the way.
     */
    public int accountOfCopy(int priority) {
        return isLossless(priority) ? Accounts.ORIGINATED : priority;
    }

    /** Charges a frame, or returns false; {@link #refusal} has the reason. */
    public boolean charge(Frame frame, int account) {
        if (isDropping(account) || !accounts.charge(frame, account)) {
            return false;
        }
        noteCharged(account, 1, Gate.blocks(frame.chargedBytes, blockShift()));
        return true;
    }

    private void noteCharged(int account, int frames, int blocks) {
        if (counting != null && isLossless(account)) {
            if (countsLater) {
                counting.arrived(account, blocks);
            }
            counting.charged(account, frames, blocks);
        }
    }

    public boolean chargeDetoured(Frame frame) {
        return !isDropping(frame.priority) && accounts.chargeDetoured(frame);
    }

    /** As {@link #charge(Frame, int)} for several: all of them, or none and false. */
    public boolean charge(Frame[] batch, int from, int count, int account) {
        if (count > 1 && accounts.pool() != null) {
            return false; // each frame has to find its own place, in the pool or in the headroom
        }
        if (isDropping(account)) {
            return false;
        }
        int shift = blockShift();
        long bytes = 0;
        int blocks = 0;
        for (int i = from; i < from + count; i++) {
            Frame frame = batch[i];
            int length = frame.lengthBytes;
            bytes += length;
            blocks += Gate.blocks(length, shift);
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
        noteCharged(account, count, blocks);
        return true;
    }

    public DropReason refusal(int account) {
        if (account == Accounts.ORIGINATED) {
            return DropReason.NO_SLOT;
        }
        if (isDropping(account)) {
            return DropReason.WATCHDOG;
        }
        return isLossless(account) ? DropReason.HEADROOM_EXHAUSTED : DropReason.ACCOUNT_AT_CAP;
    }

    /** Releases a frame's charge, if it has one. */
    public void release(Frame frame) {
        int charged = frame.chargedBytes;
        if (charged != 0 && counting != null && isLossless(frame.account)) {
            counting.released(frame.account, 1, Gate.blocks(charged, counting.blockShift()));
        }
        accounts.release(frame);
    }

    /**
     * As {@link #release(Frame)} for several, and makes their place {@link SlotPlace#FREE}: mostly
     * many in a row were charged to one account.
     */
    public void release(Frame[] batch, int from, int count) {
        int to = from + count;
        int shift = blockShift();
        for (int i = from; i < to; ) {
            int first = i;
            int account = batch[i].account;
            long bytes = 0;
            int blocks = 0;
            for (; i < to && batch[i].account == account; i++) {
                Frame frame = batch[i];
                frame.place = SlotPlace.FREE;
                int charged = frame.chargedBytes;
                if (charged == 0) {
                    break;
                }
                frame.chargedBytes = 0;
                bytes += charged;
                blocks += Gate.blocks(charged, shift);
            }
            if (i > first) {
                accounts.release(account, i - first, bytes);
            } else {
                i++; // it was not charged
            }
            if (blocks > 0 && counting != null && isLossless(account)) {
                counting.released(account, i - first, blocks);
            }
        }
    }

    /** Whether slots that have come home may have changed what {@link #publish} publishes. */
    public boolean awaitsReturns() {
        if (accounts.isChanging()) {
            return true;
        }
        for (LinkReceiver receiver : receivers) {
            if (receiver.awaitsReturns(accounts)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Publishes changes to the egress half; called at the end of the half's work.
     *
     * @return whether the egress half of the port must be rung
     */
    public boolean publish(long nowNs) {
        boolean ring = mustRing;
        mustRing = false;
        accounts.settle();
        for (LinkReceiver receiver : receivers) {
            ring |= receiver.publish(nowNs, accounts);
        }
        return ring;
    }

    /** Notes that the link went up or down: the far end's earlier frames no longer count. */
    public void linkChanged() {
        for (LinkReceiver receiver : receivers) {
            receiver.linkChanged();
        }
        mustRing = true;
    }

    public void publishCounters(CounterBlock block) {
        shared.mechanisms().publish(true, receivers, block);
    }

    public IngressAccounts accounts() {
        return accounts;
    }

    /** The receiver of pauses; null unless the port has PFC or PAUSE. */
    public @Nullable PauseReceiver pauses() {
        return receivers.length > 0 && receivers[0] instanceof PauseReceiver pauses ? pauses : null;
    }

    /** Removes the headers of a detour; null unless the port has one. */
    public @Nullable DetourReceiver detour() {
        for (LinkReceiver receiver : receivers) {
            if (receiver instanceof DetourReceiver detour) {
                return detour;
            }
        }
        return null;
    }

    /** The receiver of credits; null unless the port has credits. */
    public @Nullable CreditReceiver credits() {
        return counting instanceof CreditReceiver credits ? credits : null;
    }

    /**
     * Whether link control has come since the last call: only then can the following counts have
     * grown.
     */
    public boolean takeHeard() {
        boolean taken = heard;
        heard = false;
        return taken;
    }

    /**
     * Link-control frames, or parts of one, that changed nothing: malformed, damaged, of an unknown
     * opcode, repeated or late.
     */
    public long ignoredControl() {
        long ignored = unknown;
        for (LinkReceiver receiver : receivers) {
            ignored += receiver.ignored();
        }
        return ignored;
    }

    /** Link-control frames which show that the far end is configured differently. */
    public long mismatches() {
        long mismatches = foreign;
        for (LinkReceiver receiver : receivers) {
            mismatches += receiver.mismatches();
        }
        return mismatches;
    }
}
