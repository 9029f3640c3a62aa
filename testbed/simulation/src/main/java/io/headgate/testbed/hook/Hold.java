package io.headgate.testbed.hook;

import io.headgate.config.PortConfig;
import io.headgate.dataplane.linkcontrol.LinkMechanism;
import io.headgate.dataplane.linkcontrol.LinkProtocol;
import io.headgate.dataplane.linkcontrol.LinkSender;
import io.headgate.dataplane.linkcontrol.LinkSetup;
import java.lang.foreign.MemorySegment;

/**
 * A link mechanism that keeps frames of some priorities in their port until the configuration
 * changes.
 */
public final class Hold implements LinkMechanism<HoldConfig> {
    @Override
    public int frames(HoldConfig configuration) {
        return 0;
    }

    @Override
    public LinkProtocol protocol(HoldConfig configuration, LinkSetup setup) {
        return LinkProtocol.of(Nothing.RECEIVED, new Sender(configuration.mask()));
    }

    /** It sends nothing. */
    private static final class Sender implements LinkSender {
        private int held;

        Sender(int held) {
            this.held = held;
        }

        @Override
        public int eligible() {
            return ~held;
        }

        @Override
        public void change(PortConfig port) {
            HoldConfig now = port.mechanisms().get(HoldConfig.class);
            held = now == null ? 0 : now.mask();
        }

        @Override
        public boolean isDue(long nowNs) {
            return false;
        }

        @Override
        public long deadlineNs() {
            return Long.MAX_VALUE;
        }

        @Override
        public int write(long presentNs, MemorySegment segment, long frame, long source) {
            throw new IllegalStateException("a hold has no frames");
        }
    }
}
