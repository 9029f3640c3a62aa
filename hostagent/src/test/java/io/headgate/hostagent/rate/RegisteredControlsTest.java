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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What every control in the tree keeps, whatever others tell it: enumerated, none can be left out.
 */
class RegisteredControlsTest {
    private static final long LINE_BPS = 40_000_000_000L;
    private static final int FRAME = 1_106;
    private static final int CALLS = 20_000;
    private static final Map<String, Map<String, String>> REQUIRED =
            Map.of("fixed", Map.of("rate", "100Gbps"));

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

    private static HopRecords way(NamedRandom random) {
        HopRecords way = new HopRecords();
        for (int i = random.nextInt(4); i > 0; i--) {
            HopRecord hop = Objects.requireNonNull(way.add());
            hop.node = random.nextInt(2);
            hop.timeNs = any(random);
            hop.rateBps = any(random);
            hop.sentBytes = any(random);
            hop.queueBytes = any(random);
            hop.growthBps = any(random);
            hop.usePermille = random.nextInt(2_000);
            hop.flows = random.nextInt(5);
        }
        return way;
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
                    sample.way(way(random));
                    int marks = random.nextInt(8) & (RateControl.MARKED_CE | RateControl.MARKED_UE);
                    control.acknowledged(nowNs, sample.set(acked, sent, marks, timedNs));
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
