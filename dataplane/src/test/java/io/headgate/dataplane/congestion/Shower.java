package io.headgate.dataplane.congestion;

import io.headgate.config.key.Key;
import io.headgate.config.key.Says;
import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.sync.PortBoard;
import java.util.List;

/** A congestion point that shows other ports a number once it has started over. */
public final class Shower implements CongestionMechanism<Shower.Configuration> {
    /**
     * What it shows.
     *
     * @param number the word
     */
    public record Configuration(
            @Key(min = "1", max = "1000", absent = "7") @Says("What it shows.") int number) {}

    @Override
    public String name() {
        return "shower";
    }

    @Override
    public String says() {
        return "Shows a number.";
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
    public int boardWords() {
        return 1;
    }

    @Override
    public CongestionPoint point(Configuration configuration, CongestionSetup setup) {
        return new Point(configuration.number(), setup.board());
    }

    private record Point(int number, PortBoard board) implements CongestionPoint {
        @Override
        public int queues() {
            return 1;
        }

        @Override
        public void enqueued(long nowNs, int queue, Frame[] frames, int from, int to) {
            board.show(number);
        }

        @Override
        public void started(long nowNs, Frame[] frames, int from, int to) {}

        @Override
        public void removed(long nowNs, Frame frame) {
            board.show(number);
        }

        @Override
        public long counted(int counter, int queue) {
            return board.shown(1 - counter);
        }

        @Override
        public void reset(long nowNs) {
            board.show(number);
        }
    }
}
