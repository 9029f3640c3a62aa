package example;

import io.headgate.dataplane.congestion.CongestionMechanism;
import io.headgate.dataplane.congestion.CongestionPoint;
import io.headgate.dataplane.congestion.CongestionSetup;
import io.headgate.dataplane.counter.CounterText;
import java.util.List;

/** Marks what leaves by a port while the port by which it came has a long queue of its own. */
public final class FarQueue implements CongestionMechanism<FarQueueConfig> {
    @Override
    public List<CounterText> counters() {
        return List.of(CounterText.total("marked", "frames", "frames marked here"));
    }

    @Override
    public int boardWords() {
        return FarQueuePoint.WORDS;
    }

    @Override
    public CongestionPoint point(FarQueueConfig configuration, CongestionSetup setup) {
        return new FarQueuePoint(setup.board(), configuration.limitBytes());
    }
}
