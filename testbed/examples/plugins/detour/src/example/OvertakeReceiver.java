package example;

import io.headgate.dataplane.detour.DetourReceiver;
import java.lang.foreign.MemorySegment;

/** The far end says nothing. */
final class OvertakeReceiver implements DetourReceiver {
    @Override
    public boolean takes(int opcode) {
        return false;
    }

    @Override
    public boolean receive(long receivedNs, MemorySegment memory, long frame, int bytes) {
        return false;
    }
}
