package io.headgate.hostagent.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.Mechanism;
import io.headgate.config.MechanismRegistry;
import io.headgate.config.key.Known;
import io.headgate.config.key.Place;
import io.headgate.config.key.Section;
import io.headgate.dataplane.frame.Cnp;
import io.headgate.dataplane.memory.HopRecord;
import io.headgate.dataplane.memory.HopRecords;
import io.headgate.dataplane.random.NamedRandom;
import io.headgate.hostagent.icc.IccReactionMechanism;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What every control in the tree keeps, whatever others tell it, also what is forged, cut short or
 * sent again, or is of hosts that are not on the way: enumerated, none can be left out.
 */
class RegisteredControlsTest {
    private static final long LINE_BPS = 40_000_000_000L;
    private static final int FRAME = 1_106;
    private static final int CALLS = 20_000;
    private static final Map<String, Map<String, String>> REQUIRED =
            Map.of("fixed", Map.of("rate", "100Gbps"));

    private final MemorySegment bytes = MemorySegment.ofArray(new byte[HopEcho.MOST_BYTES]);
    private final HopRecords way = new HopRecords();

    static Stream<RateControlMechanism<?>> controls() {
        return MechanismRegistry.of(Mechanism.Kind.RATE_CONTROL).stream()
                .map(RateControlMechanism.class::cast);
    }

    private static <C extends Record> RateControls<C> controls(RateControlMechanism<C> mechanism) {
        Map<String, String> keys = REQUIRED.getOrDefault(mechanism.name(), Map.of());
        C config =
                Section.of(mechanism.configuration())
                        .read(Place.nowhere().saying(keys), Known.of(Map.of("rate", LINE_BPS)));
        return new RateControls<>(mechanism, Objects.requireNonNull(config));
    }

    /** Numbers as a forger likes them, and those that a network has. */
    private static long any(NamedRandom random) {
        return switch (random.nextInt(6)) {
            case 0 -> random.nextLong();
            case 1 -> Long.MAX_VALUE;
            case 2 -> random.nextInt(3);
            case 3 -> random.nextLong(1L << 40);
            default -> random.nextLong(1_000_000);
        };
    }

    private static void forge(NamedRandom random, long nowNs, HopRecords way) {
        way.clear();
        for (int i = random.nextInt(6); i > 0; i--) {
            HopRecord hop = Objects.requireNonNull(way.add());
            hop.node = random.nextInt(2);
            hop.egressPort = random.nextInt(2);
            hop.timeNs = random.happens(0.5) ? nowNs : any(random);
            hop.rateBps = random.happens(0.5) ? LINE_BPS : any(random);
            hop.sentBytes = any(random);
            hop.queueBytes = any(random);
            hop.growthBps = any(random);
            hop.usePermille = random.nextInt(2_000);
            hop.flows = random.nextInt(5);
        }
    }

    /** What an acknowledgement carries: each third time that of one before, now and then cut. */
    private void forge(NamedRandom random, long nowNs, Sample sample, @Nullable HopEcho echo) {
        if (random.nextInt(3) != 0) {
            forge(random, nowNs, way);
            if (echo != null) {
                echo.write(way, bytes, 0);
            }
        }
        int whole = echo == null ? 0 : echo.bytes(way);
        sample.readEcho(bytes, 0, random.nextInt(4) == 0 ? random.nextInt(whole + 1) : whole);
        sample.way(way);
    }

    @ParameterizedTest
    @MethodSource("controls")
    void staysWithinTheLineAndItsTimesGoOn(RateControlMechanism<?> mechanism) {
        NamedRandom random = NamedRandom.of(1, mechanism.name(), "harm");
        RateControls<?> of = controls(mechanism);
        RateControl control = of.control();
        NotificationPoint point = of.notificationPoint();
        Sample sample = new Sample(of.hopEcho());
        long nowNs = random.nextLong(1L << 40);
        long acked = 0;
        long sent = 0;
        int ignored = 0;
        control.begin(nowNs, LINE_BPS, FRAME);
        for (int call = 0; call < CALLS; call++) {
            nowNs += random.nextInt(4) == 0 ? random.nextLong(1_000_000) : random.nextInt(1_000);
            switch (random.nextInt(5)) {
                case 0 -> {
                    sent += FRAME;
                    control.sent(nowNs, FRAME);
                }
                case 1, 2 -> {
                    acked += random.nextLong(sent - acked + 1);
                    long timedNs = random.happens(0.5) ? Sample.NOT_TIMED : positive(random);
                    sample.set(acked, sent, random.nextInt(8), timedNs);
                    forge(random, nowNs, sample, of.hopEcho());
                    control.acknowledged(nowNs, sample);
                    ignored += sample.isIgnored() ? 1 : 0;
                }
                case 3 -> {
                    int kind = random.happens(0.5) ? Cnp.KIND : random.nextInt(1 << 16);
                    control.notified(nowNs, kind, any(random), any(random) & 0xFFFF_FFFF_FFFFL);
                }
                default -> {
                    if (random.nextInt(50) == 0) {
                        control.lost(nowNs);
                    }
                }
            }
            point.arrived(nowNs, random.nextInt(8), FRAME);
            tick(control, point, nowNs);
            assertThat(control.rateBps()).as("call %s", call).isBetween(1L, LINE_BPS);
            assertThat(control.windowBytes()).as("call %s", call).isNotNegative();
        }
        if (of.needsConnections()) {
            assertThat(ignored).as("packets that make no sense are counted").isPositive();
        }
    }

    @Test
    void whatMakesNoSenseIsIgnoredAndTold() {
        RateControl control = controls(new IccReactionMechanism()).control();
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

    private static long positive(NamedRandom random) {
        return Math.max(1, any(random) & Long.MAX_VALUE);
    }

    /** What is due now: after a call it is due later. */
    private static void tick(RateControl control, NotificationPoint point, long nowNs) {
        if (control.deadlineNs() <= nowNs) {
            control.tick(nowNs);
        }
        assertThat(control.deadlineNs()).isGreaterThan(nowNs);
        if (point.deadlineNs() <= nowNs) {
            point.tick(nowNs);
            point.left(nowNs);
        }
        assertThat(point.deadlineNs()).isGreaterThan(nowNs);
    }

    /** Expects the first controls by name, so that an empty registry fails. */
    @Test
    void findsThem() {
        assertThat(controls().map(Mechanism::name).toList())
                .containsAll(
                        List.of(
                                "dcqcn", "dctcp", "fixed", "hpcc", "icc", "ib-cc", "lipd", "pcn",
                                "qcn", "rocc", "timely"));
    }
}
