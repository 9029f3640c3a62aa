package io.headgate.hostagent.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.Mechanism;
import io.headgate.dataplane.counter.RdmaCounter;
import io.headgate.dataplane.engine.Duty;
import io.headgate.dataplane.random.NamedRandom;
import io.headgate.hostagent.rate.ErraticControl;
import io.headgate.hostagent.rate.FixedConfig;
import io.headgate.hostagent.rate.NotificationPoint;
import io.headgate.hostagent.rate.RateControl;
import io.headgate.hostagent.rate.RateControlMechanism;
import io.headgate.hostagent.rate.RateControls;
import io.headgate.hostagent.rate.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A control whose rate and window jump at random whenever it is called, over a way that loses,
 * marks and delays: every message arrives once, and time never stands still. Time passes as the
 * duties' deadlines say, so one that is missing hangs the test at once. The seed is the argument.
 */
class ErraticControlTest extends RdmaHosts {
    private static final int MESSAGES = 60;
    private static final int QUEUE_PAIRS = 3;
    private static final long BYTES = 1_500;

    /** A frame that is held on its way. */
    private static final class Held {
        final Host to;
        final byte[] frame;
        final long untilNs;

        Held(Host to, byte[] frame, long untilNs) {
            this.to = to;
            this.frame = frame;
            this.untilNs = untilNs;
        }
    }

    private final List<Held> held = new ArrayList<>();

    /** Keeps and checks what it is shown. */
    private static final class Erratic extends ErraticControl {
        private final List<Sample> shown;
        private long ackedBytes;

        Erratic(NamedRandom random, List<Sample> shown) {
            super(random);
            this.shown = shown;
        }

        @Override
        public void acknowledged(long nowNs, Sample sample) {
            assertThat(sample.ackedBytes()).isBetween(ackedBytes, sample.sentBytes());
            assertThat(sample.roundTripNs()).isGreaterThanOrEqualTo(Sample.NOT_TIMED).isNotZero();
            ackedBytes = sample.ackedBytes();
            long roundTripNs = sample.roundTripNs();
            shown.add(
                    new Sample().set(ackedBytes, sample.sentBytes(), sample.marks(), roundTripNs));
            super.acknowledged(nowNs, sample);
        }
    }

    /** Its receivers report marks by packets, or by acknowledgements. */
    private record Mechanisms(
            Function<FixedConfig, RateControl> makes, int ackEvery, boolean byPackets)
            implements RateControlMechanism<FixedConfig> {
        @Override
        public String name() {
            return "erratic";
        }

        @Override
        public String says() {
            return "Jumps.";
        }

        @Override
        public Class<FixedConfig> configuration() {
            return FixedConfig.class;
        }

        @Override
        public boolean needsMarks() {
            return true;
        }

        @Override
        public long noticePeriodNs(FixedConfig configuration) {
            return 1_000;
        }

        @Override
        public int ackEvery(FixedConfig configuration) {
            return ackEvery;
        }

        @Override
        public RateControl control(FixedConfig configuration) {
            return makes.apply(configuration);
        }

        @Override
        public NotificationPoint notificationPoint(FixedConfig configuration) {
            return byPackets ? new ByPackets() : NotificationPoint.ECHO;
        }
    }

    private static final class ByPackets implements NotificationPoint {
        @Override
        public int arrived(long nowNs, int marks, int wireBytes) {
            return marks;
        }

        @Override
        public boolean sendsPackets() {
            return true;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void nothingHangsAndNothingIsLost(int seed) {
        NamedRandom random = NamedRandom.of(seed, "way", "harm");
        double harm = 0.2 * random.nextDouble();
        List<Sample> shown = new ArrayList<>();
        boolean byPackets = seed % 2 == 0;
        int ackEvery = 1 + random.nextInt(20);
        NamedRandom jumps = NamedRandom.of(seed, "control", "jumps");
        Mechanisms mechanism = new Mechanisms(_ -> new Erratic(jumps, shown), ackEvery, byPackets);
        assertThat(mechanism.kind()).isEqualTo(Mechanism.Kind.RATE_CONTROL);
        RateControls<?> rates = new RateControls<>(mechanism, new FixedConfig(1));
        PerfPlan plan = new PerfPlan(PerfPlan.Test.WRITE_BW, (int) BYTES, MESSAGES, 0, 8);
        start(plan, QUEUE_PAIRS, rates, rates);
        long[] marked = {0};
        for (int step = 0; client.device != null && client.device.report(0) == null; step++) {
            assertThat(step).as("steps").isLessThan(400_000);
            step(frame -> carry(random, harm, frame, marked));
            pass();
        }
        assertThat(client.report().failure()).isNull();
        assertThat(server.counted(RdmaCounter.MESSAGES_RECEIVED)).isEqualTo(MESSAGES * QUEUE_PAIRS);
        assertThat(server.counted(RdmaCounter.BYTES_RECEIVED))
                .isEqualTo(MESSAGES * QUEUE_PAIRS * BYTES);
        assertThat(server.counted(RdmaCounter.PACKETS_INVALID)).isZero();
        assertThat(client.counted(RdmaCounter.ACKS_IMPOSSIBLE)).isZero();
        // Otherwise nothing was tried.
        assertThat(client.counted(RdmaCounter.PACKETS_REPEATED)).isPositive();
        assertThat(shown).anyMatch(Sample::isFresh).anyMatch(sample -> !sample.isFresh());
        long told = shown.stream().filter(sample -> sample.marks() != 0).count();
        assertThat(marked[0]).isPositive();
        if (byPackets) {
            assertThat(told).isZero();
            assertThat(server.counted(RdmaCounter.CNPS_SENT)).isPositive();
        } else {
            assertThat(told).isBetween(1L, marked[0]);
            assertThat(server.counted(RdmaCounter.CNPS_SENT)).isZero();
        }
    }

    /** As fast as the line; keeps what it is shown. */
    private record Shown(List<Sample> samples) implements RateControl {
        @Override
        public void begin(long nowNs, long lineRateBps, int frameBytes) {
            // It follows nothing.
        }

        @Override
        public void acknowledged(long nowNs, Sample sample) {
            samples.add(sample);
        }

        @Override
        public long rateBps() {
            return RATE_BPS;
        }
    }

    /**
     * Packets of a message that ask for an acknowledgement; an answer that waits for the next is
     * merged.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 4, 16})
    void aControlIsShownASampleForEachPacketThatItWantsAcknowledged(int ackEvery) {
        List<Sample> shown = new ArrayList<>();
        Mechanisms mechanism = new Mechanisms(_ -> new Shown(shown), ackEvery, false);
        RateControls<?> rates = new RateControls<>(mechanism, new FixedConfig(1));
        int packets = 256;
        start(new PerfPlan(PerfPlan.Test.WRITE_BW, packets * MTU, 1, 0, 1), 1, rates);
        runToTheEnd(frame -> frame);
        assertThat(server.counted(RdmaCounter.PACKETS_TAKEN)).isEqualTo(packets);
        assertThat(shown).hasSize(packets / ackEvery);
    }

    @Test
    void aControlThatWantsNoAcknowledgementsIsRefused() {
        Mechanisms mechanism = new Mechanisms(_ -> new Shown(List.of()), 0, false);
        assertThatThrownBy(() -> new RateControls<>(mechanism, new FixedConfig(1)))
                .hasMessage(
                        "the rate control erratic asks for one acknowledgement per 0 packets; at"
                                + " least 1");
    }

    private byte @Nullable [] carry(NamedRandom random, double harm, byte[] frame, long[] marked) {
        boolean isData = isRoce(frame) && opcode(frame) >= 6 && opcode(frame) <= 10;
        if (isRoce(frame) && random.nextDouble() < harm) {
            return null;
        }
        byte[] arriving = frame;
        if (isData && random.nextInt(8) == 0) {
            marked[0]++;
            arriving = marked(frame);
        }
        if (isRoce(frame) && random.nextDouble() < harm) {
            Host to = frame[33] == (byte) SERVER_IP ? server : client;
            held.add(new Held(to, arriving, nowNs + random.nextInt(50_000)));
            return null;
        }
        return arriving;
    }

    /** Time goes on to what is due next, and what was held arrives. */
    private void pass() {
        long nextNs = Long.MAX_VALUE;
        for (Host host : List.of(client, server)) {
            for (Duty duty : host.card.duties()) {
                nextNs = Math.min(nextNs, duty.deadlineNs());
            }
        }
        for (Held one : held) {
            nextNs = Math.min(nextNs, one.untilNs);
        }
        assertThat(nextNs).as("something is due").isLessThan(nowNs + 1_000_000_000L);
        nowNs = Math.max(nowNs, nextNs);
        for (Held one : List.copyOf(held)) {
            if (one.untilNs <= nowNs) {
                held.remove(one);
                one.to.wire.inject(one.frame);
            }
        }
    }
}
