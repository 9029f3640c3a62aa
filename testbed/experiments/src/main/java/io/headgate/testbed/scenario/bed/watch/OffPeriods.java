package io.headgate.testbed.scenario.bed.watch;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import io.headgate.config.ConfigDefaults;
import io.headgate.dataplane.frame.CreditControl;
import io.headgate.dataplane.frame.MacControl;
import io.headgate.dataplane.memory.FrameRegion;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The times at which a port was OFF for its single lossless priority, from its far end's frames on
 * the link: paused (IEEE 802.1Qbb), or without credits for the first waiting frame, whether its
 * wire was busy or not. Times are in ps.
 */
public final class OffPeriods {
    private static final MemorySegment MEMORY = FrameRegion.MEMORY;
    public static final long LONG_AGO_PS = Long.MIN_VALUE / 2;
    private static final int MIN_BLOCK_SHIFT = 6;
    private static final int BLOCKS_MASK = CreditControl.MODULUS - 1;

    private final long rateBps;

    // What is under way, and what has come.
    private final Deque<Word> coming = new ArrayDeque<>();
    private long pausedUntilPs = LONG_AGO_PS;
    private boolean countsCredits;
    private int limitBlocks;
    private int sentBlocks;
    private int blockShift = MIN_BLOCK_SHIFT;
    private long offUntilPs = LONG_AGO_PS;

    /** What a frame of the far end says: how long to pause, or up to which block to send. */
    private record Word(long atPs, boolean isCredit, int value, int blockShift) {}

    public OffPeriods(long rateBps) {
        this.rateBps = rateBps;
    }

    /** Records a frame from the far end that is on its way. */
    public void hears(long arrivePs, int lengthBytes, long address) {
        if (MacControl.isPfc(MEMORY, address, lengthBytes)) {
            for (int priority = 0; priority < PRIORITIES; priority++) {
                if ((MacControl.enabled(MEMORY, address) >>> priority & 1) != 0) {
                    int quanta = MacControl.quanta(MEMORY, address, priority);
                    coming.add(new Word(arrivePs, false, quanta, 0));
                }
            }
        } else if (CreditControl.isValid(MEMORY, address, lengthBytes)
                && !CreditControl.isInitialising(MEMORY, address)) {
            int shift = MIN_BLOCK_SHIFT + CreditControl.scale(MEMORY, address);
            coming.add(new Word(arrivePs, true, CreditControl.fccl(MEMORY, address, 0), shift));
        }
    }

    /**
     * Records a frame of the priority that starts.
     *
     * @param headPs time from which it was the first waiting frame
     * @return time at which the port was last OFF
     */
    public long starts(long headPs, long startPs, int lengthBytes) {
        takeIn(headPs);
        boolean waits = !isCovered(lengthBytes);
        while (!coming.isEmpty() && coming.element().atPs <= startPs) {
            Word word = coming.remove();
            takeIn(word);
            if (waits && isCovered(lengthBytes)) {
                waits = false;
                offUntilPs = Math.max(offUntilPs, word.atPs);
            }
        }
        sentBlocks += blocks(lengthBytes);
        return Math.max(offUntilPs, Math.min(pausedUntilPs, startPs));
    }

    private boolean isCovered(int lengthBytes) {
        int left = (limitBlocks - sentBlocks - blocks(lengthBytes)) & BLOCKS_MASK;
        return !countsCredits || left <= CreditControl.MAX_GRANT_BLOCKS;
    }

    private int blocks(int lengthBytes) {
        return (lengthBytes + (1 << blockShift) - 1) >> blockShift;
    }

    private void takeIn(long untilPs) {
        while (!coming.isEmpty() && coming.element().atPs <= untilPs) {
            takeIn(coming.remove());
        }
    }

    private void takeIn(Word word) {
        if (word.isCredit) {
            countsCredits = true;
            limitBlocks = word.value;
            blockShift = word.blockShift;
        } else if (word.value > 0) {
            pausedUntilPs = word.atPs + word.value * ConfigDefaults.quantumPs(rateBps);
        } else {
            pausedUntilPs = Math.min(pausedUntilPs, word.atPs);
        }
    }
}
