package io.headgate.dataplane.telemetry;

import io.headgate.config.FrameGrowth;
import io.headgate.dataplane.congestion.CongestionMechanism;
import io.headgate.dataplane.congestion.CongestionPoint;
import io.headgate.dataplane.congestion.CongestionSetup;
import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.frame.Sink;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** In-band telemetry; see {@link TelemetryPoint} and {@link TelemetrySink}. */
public final class Telemetry
        implements CongestionMechanism<TelemetryConfig>, FrameGrowth.Grower<TelemetryConfig> {
    @Override
    public String name() {
        return "telemetry";
    }

    @Override
    public String says() {
        return "Writes into packets of RoCEv2 what waits at the ports on their way, when they left"
                + " and what was sent before (INT-MD v2.1, IOAM of RFC 9197, HPCC's form); hosts'"
                + " cards take it off.";
    }

    @Override
    public Class<TelemetryConfig> configuration() {
        return TelemetryConfig.class;
    }

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
