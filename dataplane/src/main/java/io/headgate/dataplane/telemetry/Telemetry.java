package io.headgate.dataplane.telemetry;

import io.headgate.config.FrameGrowth;
import io.headgate.dataplane.congestion.CongestionMechanism;
import io.headgate.dataplane.congestion.CongestionPoint;
import io.headgate.dataplane.congestion.CongestionSetup;
import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.frame.Sink;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The mechanism of in-band telemetry; see {@link TelemetryPoint} and {@link TelemetrySink}. */
public final class Telemetry
        implements CongestionMechanism<TelemetryConfig>, FrameGrowth.Grower<TelemetryConfig> {
    @Override
    public List<CounterText> counters() {
        return TelemetryPoint.COUNTERS;
    }

    @Override
    public int growsBytes(TelemetryConfig configuration) {
        return configuration.growsBytes();
    }

    @Override
    public @Nullable Sink sink(TelemetryConfig configuration) {
        return configuration.isLast() ? null : new TelemetrySink(configuration.form());
    }

    @Override
    public CongestionPoint point(TelemetryConfig configuration, CongestionSetup setup) {
        return new TelemetryPoint(configuration, setup);
    }
}
