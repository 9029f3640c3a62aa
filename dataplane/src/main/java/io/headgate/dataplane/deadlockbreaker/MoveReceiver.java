package io.headgate.dataplane.deadlockbreaker;

import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.deadlock.LoopReceiver;
import io.headgate.dataplane.deadlock.LoopWords;
import io.headgate.dataplane.detour.DetourTag;
import io.headgate.dataplane.frame.MacControl;
import io.headgate.dataplane.linkcontrol.AccountsView;
import io.headgate.dataplane.memory.Accounts;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Stream;

/**
 * The receiving end of Deadlock Breaker at a port: accepts moved frames, and has the egress half
 * report how many slots are free for more. Owned by the ingress half.
 */
final class MoveReceiver extends LoopReceiver {
    static final List<CounterText> COUNTERS =
            Stream.concat(
                            LoopReceiver.COUNTERS.stream(),
                            Stream.of(
                                    CounterText.total(
                                            "reports",
                                            "reports",
                                            "received reports of free slots")))
                    .toList();

    /** Value of {@link Frame#detour} for a frame that was moved here. */
    static final int MOVED_HERE = 1;

    private static final int REPORTS = LoopReceiver.COUNTERS.size();

    private final SlotWords slots;
    private final int all;
    private int last;
    private int used;
    private boolean mustSay;
    private long said;
    private long reports;

    /** Creates a receiver with {@code all} slots. */
    MoveReceiver(LoopWords words, SlotWords slots, int lossless, int all) {
        super(words, lossless);
        this.slots = slots;
        this.all = all;
    }

    @Override
    public boolean unwraps() {
        return true;
    }

    @Override
    public int unwrap(Frame frame) {
        if (!DetourTag.isPresent(frame)) {
            return ORDINARY;
        }
        int number = DetourTag.remove(FrameRegion.MEMORY, frame);
        if (number < 0) {
            return MALFORMED;
        }
        frame.detour = MOVED_HERE;
        last = number;
        mustSay = true;
        return UNWRAPPED;
    }

    @Override
    public boolean takes(int opcode) {
        return super.takes(opcode) || opcode == SlotReport.OPCODE;
    }

    @Override
    public boolean receive(long receivedNs, MemorySegment segment, long frame, int bytes) {
        if (MacControl.opcode(segment, frame) != SlotReport.OPCODE) {
            // A sender of tokens may want to move frames here.
            mustSay = true;
            return super.receive(receivedNs, segment, frame, bytes);
        }
        if (!SlotReport.isValid(segment, frame, bytes)) {
            ignore();
            return false;
        }
        reports++;
        countsAgain();
        slots.peer()
                .storeRelease(
                        0,
                        SlotWords.word(
                                SlotReport.last(segment, frame),
                                SlotReport.free(segment, frame),
                                reports));
        return true;
    }

    @Override
    public boolean publish(long nowNs, AccountsView accounts) {
        boolean rings = super.publish(nowNs, accounts);
        int now = accounts.slots(Accounts.DETOUR);
        if (now == used && !mustSay) {
            return rings;
        }
        used = now;
        mustSay = false;
        slots.own().storeRelease(0, SlotWords.word(last, all - used, ++said));
        return true;
    }

    @Override
    public boolean awaitsReturns(AccountsView accounts) {
        return accounts.slots(Accounts.DETOUR) != used || super.awaitsReturns(accounts);
    }

    @Override
    public long counted(int counter) {
        return counter == REPORTS ? reports : super.counted(counter);
    }
}
