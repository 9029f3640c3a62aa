package example;

import io.headgate.dataplane.frame.MacControl;
import io.headgate.dataplane.linkcontrol.LinkReceiver;
import io.headgate.dataplane.linkcontrol.LinkRelay;
import java.lang.foreign.MemorySegment;

/** Hands each new token that comes to the sending end of another port; the others end here. */
final class TokenReceiver implements LinkReceiver {
    private final LinkRelay relay;
    private final int to;
    private final long[] counted = new long[2];

    TokenReceiver(LinkRelay relay, int to) {
        this.relay = relay;
        this.to = to;
    }

    @Override
    public boolean takes(int opcode) {
        return opcode == TokenSender.OPCODE;
    }

    @Override
    public boolean receive(long receivedNs, MemorySegment memory, long frame, int bytes) {
        boolean isNew =
                MacControl.isOf(TokenSender.OPCODE, memory, frame, bytes)
                        && MacControl.parameter(memory, frame) == TokenSender.NEW;
        boolean relayed = isNew && relay.claim(to);
        if (relayed) {
            relay.publish();
        }
        counted[relayed ? 1 : 0]++;
        return false;
    }

    @Override
    public long counted(int counter) {
        return counted[counter];
    }
}
