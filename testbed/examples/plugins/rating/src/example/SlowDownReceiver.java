package example;

import static example.SlowDown.ASKED;
import static example.SlowDown.WANTED;

import io.headgate.dataplane.frame.MacControl;
import io.headgate.dataplane.linkcontrol.AccountsView;
import io.headgate.dataplane.linkcontrol.LinkReceiver;
import io.headgate.dataplane.memory.sync.PublishedWords;
import java.lang.foreign.MemorySegment;

/** Says in which stage each priority is here, and what the far end asks for. A byte each. */
final class SlowDownReceiver implements LinkReceiver {
    static final int MOST_STAGES = 6;

    private final PublishedWords words;
    private final SlowDownConfig keys;
    private long wanted;
    private long asked;

    SlowDownReceiver(PublishedWords words, SlowDownConfig keys) {
        this.words = words;
        this.keys = keys;
    }

    @Override
    public boolean takes(int opcode) {
        return opcode == SlowDownSender.OPCODE;
    }

    @Override
    public boolean receive(long receivedNs, MemorySegment memory, long frame, int bytes) {
        if (!MacControl.isOf(SlowDownSender.OPCODE, memory, frame, bytes)) {
            return false;
        }
        int says = MacControl.parameter(memory, frame);
        long stage = Math.min(says & 0xFF, MOST_STAGES);
        int shift = (says >>> 8 & 7) * 8;
        asked = asked & ~(0xFFL << shift) | stage << shift;
        words.storeRelease(ASKED, asked);
        return true;
    }

    private long stages(AccountsView accounts) {
        long stages = 0;
        for (int priority = 0; priority < 8; priority++) {
            long left = keys.toBytes() - keys.fromBytes();
            long stage = 0;
            while (stage < MOST_STAGES && accounts.bytes(priority) >= keys.toBytes() - left) {
                stage++;
                left /= 2;
            }
            stages |= stage << priority * 8;
        }
        return stages;
    }

    @Override
    public boolean publish(long nowNs, AccountsView accounts) {
        if (!awaitsReturns(accounts)) {
            return false;
        }
        wanted = stages(accounts);
        words.storeRelease(WANTED, wanted);
        return true;
    }

    @Override
    public boolean awaitsReturns(AccountsView accounts) {
        return stages(accounts) != wanted;
    }

    @Override
    public void linkChanged() {
        asked = 0;
        words.storeRelease(ASKED, asked);
    }
}
