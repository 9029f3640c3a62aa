package io.headgate.dataplane.congestion;

import io.headgate.config.key.Key;
import io.headgate.config.key.Says;
import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.memory.Frame;
import java.util.Arrays;
import java.util.List;

/** A congestion point that sends a notice about every frame. */
public final class Complainer implements CongestionMechanism<Complainer.Configuration> {
    /** What the first eight bytes of its notices say; the second have the frame's flow hash. */
    public static final long FIRST = 0x1122_3344_5566_7788L;

    /** EtherType of its notices to MAC addresses: IEEE 802.1Qau's. */
    public static final int ETHER_TYPE = 0x22E7;

    /**
     * About what.
     *
     * @param most notices at a time
     * @param priority whose frames it watches
     * @param hashes whether it asks for flow hashes
     * @param words of a notice to the frame's MAC address; 0: it sends one of IP
     */
    public record Configuration(
            @Key(min = "1", max = "1000", absent = "100") @Says("Most notices at a time.") int most,
            @Key(min = "0", max = "7", absent = "3") @Says("The priority that it watches.")
                    int priority,
            @Key(min = "0", max = "1", absent = "0") @Says("Whether it asks for flow hashes.")
                    int hashes,
            @Key(min = "0", max = "17", absent = "0")
                    @Says("Words of a notice to the MAC address; 0: of IP.")
                    int words) {}

    @Override
    public String name() {
        return "complainer";
    }

    @Override
    public String says() {
        return "Sends a notice about every frame.";
    }

    @Override
    public Class<Configuration> configuration() {
        return Configuration.class;
    }

    @Override
    public List<CounterText> counters() {
        return List.of();
    }

    @Override
    public int notices(Configuration configuration) {
        return configuration.most();
    }

    @Override
    public CongestionPoint point(Configuration configuration, CongestionSetup setup) {
        return new Point(configuration, setup.notices());
    }

    private record Point(int priority, int words, boolean readsFlowHash, Notices notices)
            implements CongestionPoint {
        private Point(Configuration of, Notices notices) {
            this(of.priority(), of.words(), of.hashes() != 0, notices);
        }

        @Override
        public int queues() {
            return 1 << priority;
        }

        @Override
        public void enqueued(long nowNs, int queue, Frame[] frames, int from, int to) {}

        @Override
        public void started(long nowNs, Frame[] frames, int from, int to) {
            for (int i = from; i < to; i++) {
                if (frames[i].priority == priority && words > 0) {
                    long[] body = new long[words];
                    Arrays.setAll(body, word -> FIRST + word);
                    notices.sendToMac(frames[i], ETHER_TYPE, body);
                } else if (frames[i].priority == priority) {
                    notices.send(frames[i], FIRST, frames[i].flowHash);
                }
            }
        }

        @Override
        public void removed(long nowNs, Frame frame) {}

        @Override
        public void released(long nowNs, int queues) {}

        @Override
        public int tick(long nowNs) {
            return 0;
        }

        @Override
        public long deadlineNs() {
            return Long.MAX_VALUE;
        }

        @Override
        public long counted(int counter, int queue) {
            return 0;
        }

        @Override
        public void reset(long nowNs) {}
    }
}
