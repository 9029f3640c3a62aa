package example;

import io.headgate.dataplane.frame.MacControl;
import io.headgate.dataplane.linkcontrol.LinkRelay;
import io.headgate.dataplane.linkcontrol.LinkSender;
import java.lang.foreign.MemorySegment;

/** Sends a token for each that came by another port, and new ones at intervals. */
final class TokenSender implements LinkSender {
    /** One that no standard has taken. */
    static final int OPCODE = 0x0102;

    static final int NEW = 1;

    private static final int FORWARDED = 2;

    private final LinkRelay relay;
    private final long everyNs;
    private long nextNs;
    private long forwarded;

    TokenSender(LinkRelay relay, long everyNs) {
        this.relay = relay;
        this.everyNs = everyNs;
    }

    @Override
    public boolean isDue(long nowNs) {
        return nowNs - nextNs >= 0 || relay.next();
    }

    @Override
    public long deadlineNs() {
        return nextNs;
    }

    @Override
    public int write(long presentNs, MemorySegment memory, long frame, long source) {
        int kind = relay.next() ? FORWARDED : NEW;
        if (kind == FORWARDED) {
            relay.release();
            forwarded++;
        } else {
            // On time again after a late one, but what was missed is not made up.
            nextNs = Math.max(nextNs, presentNs - everyNs) + everyNs;
        }
        MacControl.write(memory, frame, source, OPCODE, kind);
        return MacControl.FRAME_BYTES;
    }

    @Override
    public long counted(int counter) {
        return forwarded;
    }
}
