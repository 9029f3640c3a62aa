package io.headgate.testbed.congestion;

import static io.headgate.config.key.Quantity.DURATION;

import io.headgate.config.FrameGrowth;
import io.headgate.config.key.Key;
import io.headgate.config.key.Says;
import io.headgate.dataplane.congestion.CongestionMechanism;
import io.headgate.dataplane.congestion.CongestionPoint;
import io.headgate.dataplane.congestion.CongestionSetup;
import io.headgate.dataplane.counter.CounterId;
import io.headgate.dataplane.counter.CounterText;
import java.util.List;

/** Watches all that a congestion point is shown, and changes nothing. */
public final class Witness
        implements CongestionMechanism<Witness.Configuration>,
                FrameGrowth.Grower<Witness.Configuration> {
    /**
     * How.
     *
     * @param periodNs between its ticks while frames wait
     * @param grows by how much frames may have been made longer before
     */
    public record Configuration(
            @Key(quantity = DURATION, min = "1ns", max = "1s", absent = "777ns")
                    @Says("How often it looks while frames wait.")
                    long periodNs,
            @Key(min = "0", max = "1000", absent = "0") @Says("Bytes that others add.")
                    int grows) {}

    @Override
    public String name() {
        return "witness";
    }

    @Override
    public String says() {
        return "Watches, and changes nothing.";
    }

    @Override
    public Class<Configuration> configuration() {
        return Configuration.class;
    }

    @Override
    public List<CounterText> counters() {
        return List.of(
                new CounterText("released", "times", CounterId.Kind.TOTAL, "stops that ended"));
    }

    @Override
    public int growsBytes(Configuration configuration) {
        return configuration.grows();
    }

    @Override
    public CongestionPoint point(Configuration configuration, CongestionSetup setup) {
        return new WitnessPoint(setup, configuration.periodNs());
    }
}
