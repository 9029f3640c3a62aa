package io.headgate.dataplane.congestion;

import io.headgate.config.FrameGrowth;
import io.headgate.config.key.Key;
import io.headgate.config.key.Says;
import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.memory.Frame;
import java.util.List;

/** A congestion point at ports where frames may be longer than the MTU: the ports before add. */
public final class Grower
        implements CongestionMechanism<Grower.Configuration>,
                FrameGrowth.Grower<Grower.Configuration> {
    /**
     * How much longer.
     *
     * @param bytes most
     */
    public record Configuration(
            @Key(min = "0", max = "1000", absent = "100") @Says("Bytes that are added.")
                    int bytes) {}

    @Override
    public String name() {
        return "grower";
    }

    @Override
    public String says() {
        return "Has frames come longer.";
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
    public int growsBytes(Configuration configuration) {
        return configuration.bytes();
    }

    @Override
    public CongestionPoint point(Configuration configuration, CongestionSetup setup) {
        return new Point();
    }

    private record Point() implements CongestionPoint {
        @Override
        public int queues() {
            return 1;
        }

        @Override
        public void enqueued(long nowNs, int queue, Frame[] frames, int from, int to) {}

        @Override
        public void started(long nowNs, Frame[] frames, int from, int to) {}

        @Override
        public void removed(long nowNs, Frame frame) {}

        @Override
        public long counted(int counter, int queue) {
            return 0;
        }

        @Override
        public void reset(long nowNs) {}
    }
}
