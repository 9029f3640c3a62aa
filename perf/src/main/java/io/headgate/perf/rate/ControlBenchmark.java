package io.headgate.perf.rate;

import io.headgate.config.Mechanism;
import io.headgate.config.MechanismRegistry;
import io.headgate.config.key.Known;
import io.headgate.config.key.Place;
import io.headgate.config.key.Section;
import io.headgate.dataplane.random.NamedRandom;
import io.headgate.hostagent.rate.RateControl;
import io.headgate.hostagent.rate.RateControlMechanism;
import io.headgate.hostagent.rate.RateControls;
import io.headgate.hostagent.rate.Sample;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the cost of a rate control per acknowledgement: a frame is sent, one is acknowledged,
 * with a round trip of 10 to 138 us and every eighth one marked, rate and window are read, and due
 * work is done. Acknowledgements carry no telemetry.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 3,
        jvmArgsAppend = {"-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders"})
public class ControlBenchmark {
    private static final long LINE_BPS = 100_000_000_000L;
    private static final int FRAME = 1_106;
    private static final int SAMPLES = 1_024;
    private static final long FRAME_NS = 88;
    private static final long UNDER_WAY = 100L * FRAME;

    /** The controls that work with their defaults alone. */
    @Param({"dctcp", "timely", "swift", "ib-cc", "pcn", "qcn", "dcqcn", "rocc", "lipd"})
    public String control = "timely";

    private final long[] roundTripsNs = new long[SAMPLES];
    private final int[] marks = new int[SAMPLES];
    private final Sample sample = new Sample();
    private RateControl measured = control("timely");
    private long nowNs;
    private long acked;

    private static RateControl control(String name) {
        Mechanism<?> found = MechanismRegistry.find(Mechanism.Kind.RATE_CONTROL, name);
        RateControl made = of((RateControlMechanism<?>) Objects.requireNonNull(found)).control();
        made.begin(0, LINE_BPS, FRAME);
        return made;
    }

    private static <C extends Record> RateControls<C> of(RateControlMechanism<C> mechanism) {
        C config =
                Section.of(mechanism.configuration())
                        .read(Place.nowhere().saying(Map.of()), Known.of(Map.of("rate", LINE_BPS)));
        return new RateControls<>(mechanism, Objects.requireNonNull(config));
    }

    /** Draws what acknowledgements show. */
    @Setup
    public void build() {
        NamedRandom random = NamedRandom.of(1, "benchmark", "samples");
        for (int i = 0; i < SAMPLES; i++) {
            roundTripsNs[i] = 10_000L + random.nextInt(128_000);
            marks[i] = random.nextInt(8) == 0 ? RateControl.MARKED_CE : 0;
        }
        measured = control(control);
    }

    /** Acknowledgements, one after the other. */
    @Benchmark
    @OperationsPerInvocation(SAMPLES)
    public long acknowledge() {
        long sum = 0;
        for (int i = 0; i < SAMPLES; i++) {
            nowNs += FRAME_NS;
            acked += FRAME;
            measured.sent(nowNs, FRAME);
            sample.set(acked, acked + UNDER_WAY, marks[i], roundTripsNs[i]);
            measured.acknowledged(nowNs, sample);
            if (measured.deadlineNs() <= nowNs) {
                measured.tick(nowNs);
            }
            sum += measured.rateBps() + measured.windowBytes();
        }
        return sum;
    }
}
