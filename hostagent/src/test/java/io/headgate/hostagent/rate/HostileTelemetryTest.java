package io.headgate.hostagent.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.Mechanism;
import io.headgate.config.MechanismRegistry;
import io.headgate.config.Mechanisms;
import io.headgate.config.key.Known;
import io.headgate.config.key.Place;
import io.headgate.config.key.Section;
import io.headgate.dataplane.memory.HopRecord;
import io.headgate.dataplane.memory.HopRecords;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever acknowledgements and notices say, also forged, truncated or replayed, or of hosts that
 * are not on the way: every registered control has a rate from 1 b/s to the line's, throws nothing
 * and asks to be called later. The seed is the event's number.
 */
class HostileTelemetryTest {
    private static final long LINE_BPS = 100_000_000_000L;
    private static final int FRAME = 1_106;
    private static final int EVENTS = 5_000;

    private final Random random = new Random(1);
    private final MemorySegment bytes = MemorySegment.ofArray(new byte[HopEcho.MOST_BYTES]);
    private final HopRecords way = new HopRecords();
    private long nowNs = 1_000;
    private long sentBytes;
    private long ackedBytes;
    private long ignored;

    static List<String> names() {
        return MechanismRegistry.of(Mechanism.Kind.RATE_CONTROL).stream()
                .map(Mechanism::name)
                .toList();
    }

    private static RateControls<?> rates(String name) {
        Mechanism<?> mechanism =
                Objects.requireNonNull(MechanismRegistry.find(Mechanism.Kind.RATE_CONTROL, name));
        Map<String, ?> keys =
                switch (name) {
                    case "fixed" -> Map.of("rate", "10Gbps");
                    case "rocc" -> Map.of("period", "40us", "recovery", "55us");
                    default -> Map.of();
                };
        Record record =
                Section.of(mechanism.configuration())
                        .read(Place.nowhere().saying(keys), Known.NOTHING);
        return RateControls.of(
                new Mechanisms.Use(
                        Mechanism.Kind.RATE_CONTROL, name, true, Objects.requireNonNull(record)));
    }

    @ParameterizedTest
    @MethodSource("names")
    void theRateStaysWithinItsBounds(String name) {
        RateControls<?> rates = rates(name);
        HopEcho echo = rates.hopEcho();
        Sample sample = new Sample(echo);
        RateControl control = rates.control();
        control.begin(nowNs, LINE_BPS, FRAME);
        for (int event = 0; event < EVENTS; event++) {
            nowNs += random.nextInt(20_000);
            happens(control, sample, echo);
            assertThat(control.rateBps()).as("event %s", event).isBetween(1L, LINE_BPS);
            assertThat(control.windowBytes()).as("event %s", event).isNotNegative();
            if (control.deadlineNs() <= nowNs) {
                control.tick(nowNs);
                assertThat(control.deadlineNs()).as("event %s", event).isGreaterThan(nowNs);
            }
        }
        if (echo != null) {
            assertThat(ignored).as("ignored packets are counted").isPositive();
        }
    }

    private void happens(RateControl control, Sample sample, @Nullable HopEcho echo) {
        switch (random.nextInt(8)) {
            case 0 -> control.sent(nowNs, FRAME);
            case 1 -> control.lost(nowNs);
            case 2 ->
                    control.notified(
                            nowNs, random.nextInt(1 << 16), random.nextLong(), random.nextLong());
            default -> acknowledged(control, sample, echo);
        }
    }

    private void acknowledged(RateControl control, Sample sample, @Nullable HopEcho echo) {
        sentBytes += random.nextInt(5 * FRAME);
        ackedBytes = Math.min(sentBytes, ackedBytes + random.nextInt(5 * FRAME));
        // Every third time what came before comes again.
        if (random.nextInt(3) != 0) {
            forge(way);
            if (echo != null) {
                echo.write(way, bytes, 0);
            }
        }
        int whole = echo == null ? 0 : echo.bytes(way);
        sample.readEcho(bytes, 0, random.nextInt(4) == 0 ? random.nextInt(whole + 1) : whole);
        long timedNs = random.nextBoolean() ? Sample.NOT_TIMED : 1 + random.nextLong(1L << 40);
        sample.set(ackedBytes, sentBytes, random.nextInt(8), timedNs).way(way);
        control.acknowledged(nowNs, sample);
        ignored += sample.isIgnored() ? 1 : 0;
    }

    private void forge(HopRecords hops) {
        hops.clear();
        for (int hop = random.nextInt(6); hop > 0; hop--) {
            HopRecord one = Objects.requireNonNull(hops.add());
            one.node = random.nextInt(3);
            one.egressPort = random.nextInt(2);
            one.timeNs = random.nextBoolean() ? nowNs : absurd();
            one.sentBytes = absurd();
            one.queueBytes = absurd();
            one.growthBps = absurd();
            one.usePermille = (int) absurd();
            one.flows = (int) absurd();
            one.rateBps = random.nextBoolean() ? LINE_BPS : absurd();
        }
    }

    private long absurd() {
        return random.nextLong() >> random.nextInt(Long.SIZE);
    }

    @Test
    void whatMakesNoSenseIsIgnoredAndTold() {
        RateControls<?> rates = rates("icc");
        RateControl control = rates.control();
        control.begin(0, LINE_BPS, FRAME);
        HopRecord hop = Objects.requireNonNull(way.add());
        hop.rateBps = LINE_BPS;
        hop.flows = 1;
        Sample sample = new Sample();
        control.acknowledged(1, sample.set(0, 0, 0, 5_000).way(way));
        assertThat(sample.isIgnored()).isFalse();
        hop.flows = 0;
        control.acknowledged(2, sample.set(0, 0, 0, 5_000).way(way));
        assertThat(sample.isIgnored()).isTrue();
        assertThat(control.rateBps()).isEqualTo(LINE_BPS);
    }
}
