package io.headgate.testbed.hook;

import io.headgate.dataplane.linkcontrol.LinkReceiver;
import java.lang.foreign.MemorySegment;

/**
 * The receiving end of a link mechanism that only sends. It has no state, so all ports share it.
 */
final class Nothing implements LinkReceiver {
    static final LinkReceiver RECEIVED = new Nothing();

    private Nothing() {}

    @Override
    public boolean takes(int opcode) {
        return false;
    }

    @Override
    public boolean receive(long receivedNs, MemorySegment segment, long frame, int bytes) {
        throw new IllegalStateException("it takes no frames");
    }
}
