package example;

import io.headgate.dataplane.frame.MacControl;
import io.headgate.dataplane.linkcontrol.LinkSender;
import io.headgate.dataplane.memory.sync.PublishedWords;
import io.headgate.dataplane.policy.QueueFields;
import java.lang.foreign.MemorySegment;

/** Sends at the rates that the far end asks for, and asks it for those that are wanted here. */
final class SlowDownSender implements LinkSender {
    /** One that no standard has taken. */
    static final int OPCODE = 0x0103;

    private final PublishedWords words;
    private final long lineBps;
    private long wanted;
    private long told;
    private long asked;
    private long frames;

    SlowDownSender(PublishedWords words, long lineBps) {
        this.words = words;
        this.lineBps = lineBps;
    }

    @Override
    public void look(long nowNs, QueueFields queues) {
        wanted = words.loadAcquire(SlowDown.WANTED);
        asked = words.loadAcquire(SlowDown.ASKED);
    }

    @Override
    public boolean ratesQueues() {
        return true;
    }

    @Override
    public long rateBps(int queue) {
        int stage = (int) (asked >>> queue * 8 & 0xFF);
        return stage == 0 ? LinkSender.super.rateBps(queue) : lineBps >> stage;
    }

    @Override
    public boolean isDue(long nowNs) {
        return wanted != told;
    }

    @Override
    public long deadlineNs() {
        return Long.MAX_VALUE; // the receiving end rings
    }

    @Override
    public int write(long presentNs, MemorySegment memory, long frame, long source) {
        int shift = Long.numberOfTrailingZeros(wanted ^ told) & -8;
        long stage = wanted >>> shift & 0xFF;
        told = told & ~(0xFFL << shift) | stage << shift;
        frames++;
        MacControl.write(memory, frame, source, OPCODE, shift / 8 << 8 | (int) stage);
        return MacControl.FRAME_BYTES;
    }

    @Override
    public void linkChanged() {
        told = 0;
    }

    @Override
    public long counted(int counter) {
        return frames;
    }
}
