package io.headgate.hostagent.rate.hpcc;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.Mechanism;
import io.headgate.dataplane.memory.HopRecord;
import io.headgate.dataplane.memory.HopRecords;
import io.headgate.hostagent.rate.HopEcho;
import io.headgate.hostagent.rate.RateControl;
import io.headgate.hostagent.rate.Sample;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** HPCC's window at a line of 100 Gb/s; T is 13 us. */
class HpccWindowTest {
    private static final long LINE_BPS = 100_000_000_000L;
    private static final long SLOW_BPS = 40_000_000_000L;
    private static final int FRAME = 1_000;
    private static final long FIRST_BYTES = 162_500;
    private static final HpccConfig PUBLISHED =
            new HpccConfig(
                    HpccConfig.Parameters.PUBLISHED, 0.95, 5, 13_000, 80, 4, 100_000_000, true);

    private final HpccWindow window = new HpccWindow(PUBLISHED);
    private final Sample sample = new Sample(HopEcho.WHOLE);
    private final HopRecords told = new HopRecords();
    private final MemorySegment bytes = MemorySegment.ofArray(new byte[HopEcho.MOST_BYTES]);
    private long nowNs;
    private long sentOfFirst;
    private long sentOfSecond;

    HpccWindowTest() {
        window.begin(0, LINE_BPS, FRAME);
    }

    private void link(int node, long rateBps, long timeNs, long sentBytes, long queueBytes) {
        HopRecord hop = Objects.requireNonNull(told.add());
        hop.node = node;
        hop.egressPort = 1;
        hop.rateBps = rateBps;
        hop.timeNs = timeNs;
        hop.sentBytes = sentBytes;
        hop.queueBytes = queueBytes;
    }

    private void acknowledged(long ackedBytes, long sentBytes) {
        HopEcho.WHOLE.write(told, bytes, 0);
        assertThat(sample.readEcho(bytes, 0, HopEcho.WHOLE.bytes(told))).isTrue();
        window.acknowledged(nowNs, sample.set(ackedBytes, sentBytes, 0, Sample.NOT_TIMED));
        told.clear();
    }

    /**
     * kB acknowledged and sent; ns since the one before; of a link of 100 and one of 40 Gb/s, kB
     * sent since then and bytes that wait; then the window, in bytes. In T the links carry 162,500
     * and 65,000 bytes, in a ns 12.5 and 5.
     *
     * <pre>
     *   u of a link = min(queue, queue before) / bytes in T + sent / bytes in that time
     *   U           = U before + min(time, T) / T (the larger u - U before), 1 at first
     *   W           = Wc / (U / 0.95) + 80 if U is 0.95 or more, or after 5 stages; else Wc + 80
     *   Wc          = W, and the next stage, once all is acknowledged that was sent at the last one
     * </pre>
     */
    private static final int[][] SEQUENCE = {
        // the first one is noted
        {10, 170, 1_000, 12, 0, 5, 0, 162_500},
        // u = max(0.9231, 0.9231), U = 0.9923; Wc 162_500 / 1.0445 + 80; new Wc, stage 0
        {12, 175, 1_300, 15, 3_000, 6, 0, 155_651},
        // u = max(0.4665, 0.5600), U = 0.9092; Wc 155_652 + 80; within the round trip
        {30, 180, 2_500, 14, 20_000, 7, 1_000, 155_731},
        // u = max(1.1231, 1.0154), U = 0.9750; Wc 155_652 / 1.0263 + 80; within the round trip
        {100, 200, 4_000, 50, 40_000, 20, 5_000, 151_742},
        // u = max(0.8615, 0.8000), U = 0.9488; Wc 155_652 + 80; new Wc, stage 1
        {176, 240, 3_000, 30, 10_000, 12, 0, 155_731},
        // u = max(0.4000, 0.5000), U = 0.8798; Wc 155_732 + 80; within the round trip
        {200, 260, 2_000, 10, 0, 5, 0, 155_811},
        // u = max(0.3200, 0.4000), U = 0.6952; Wc 155_732 + 80; new Wc, stage 2
        {245, 300, 5_000, 20, 0, 10, 0, 155_811},
        // u = max(0.4000, 0.3333), U = 0.5590; Wc 155_812 + 80; new Wc, stage 3
        {305, 360, 6_000, 30, 0, 10, 0, 155_891},
        // u = max(0.3692, 0.3077), U = 0.3692; Wc 155_892 + 80; new Wc, stage 4
        {362, 420, 13_000, 60, 0, 20, 0, 155_971},
        // u = max(0.4000, 0.4286), U = 0.4286; Wc 155_972 + 80; new Wc, stage 5
        {425, 480, 14_000, 70, 0, 30, 0, 156_051},
        // u = max(0.4000, 0.5000), U = 0.4945; Wc 156_052 / 0.5205 + 80, at most Winit; new Wc,
        // stage 0 (was 5)
        {485, 540, 12_000, 60, 0, 30, 0, 162_500},
        // u = max(0.4923, 0.4615), U = 0.4923; Wc 162_500 + 80, at most Winit; new Wc, stage 1
        {545, 600, 13_000, 80, 0, 30, 0, 162_500},
        // u = max(0.5538, 0.6154), U = 0.6154; Wc 162_500 + 80, at most Winit; new Wc, stage 2
        {605, 660, 13_000, 90, 0, 40, 0, 162_500},
        // u = max(0.6154, 0.4615), U = 0.6154; Wc 162_500 + 80, at most Winit; new Wc, stage 3
        {665, 700, 26_000, 200, 0, 60, 0, 162_500},
        // u = max(1.6000, 1.0000), U = 0.8426; Wc 162_500 + 80, at most Winit; within the round
        // trip
        {690, 720, 3_000, 60, 90_000, 15, 20_000, 162_500},
        // u = max(1.5405, 1.3077), U = 1.0037; Wc 162_500 / 1.0565 + 80; new Wc, stage 0
        {701, 730, 3_000, 37, 120_000, 15, 30_000, 153_892},
        // u = max(1.7251, 1.4615), U = 1.1702; Wc 153_892 / 1.2317 + 80; new Wc, stage 0
        {735, 760, 3_000, 37, 150_000, 15, 30_000, 125_018},
        // u = max(0.4000, 0.5000), U = 0.9640; Wc 125_019 / 1.0147 + 80; new Wc, stage 0
        {765, 790, 4_000, 20, 0, 10, 0, 123_289},
        // u = max(0.2462, 0.2308), U = 0.2462; Wc 123_289 + 80; new Wc, stage 1
        {795, 830, 13_000, 40, 0, 15, 0, 123_369},
        // u = max(0.3077, 1.0154), U = 1.0154; Wc 123_369 / 1.0688 + 80; new Wc, stage 0
        {835, 860, 13_000, 50, 0, 66, 2_000, 115_505},
        // u = max(0.6222, 1.1419), U = 1.1030; Wc 115_505 / 1.1610 + 80; new Wc, stage 0
        {865, 890, 9_000, 70, 0, 50, 9_000, 99_566},
        // u = max(0.4923, 1.1538), U = 1.1538; Wc 99_567 / 1.2146 + 80; new Wc, stage 0
        {895, 920, 13_000, 80, 0, 66, 12_000, 82_056},
        // u = max(0.4923, 0.4615), U = 0.4923; Wc 82_057 + 80; new Wc, stage 1
        {925, 950, 13_000, 80, 0, 30, 0, 82_136},
        // u = max(0.6154, 0.4615), U = 0.6154; Wc 82_137 + 80; new Wc, stage 2
        {955, 980, 13_000, 100, 0, 30, 0, 82_216}
    };

    @Test
    void followsAlgorithmOneOverTwoLinks() {
        assertThat(window.windowBytes()).isEqualTo(FIRST_BYTES);
        assertThat(window.rateBps()).isEqualTo(LINE_BPS);
        for (int[] event : SEQUENCE) {
            nowNs += event[2];
            sentOfFirst += event[3] * 1_000L;
            sentOfSecond += event[5] * 1_000L;
            link(1, LINE_BPS, nowNs, sentOfFirst, event[4]);
            link(2, SLOW_BPS, nowNs, sentOfSecond, event[6]);
            acknowledged(event[0] * 1_000L, event[1] * 1_000L);
            assertThat(window.windowBytes()).as("at %s ns", nowNs).isEqualTo(event[7]);
        }
        assertThat((double) window.rateBps() / LINE_BPS).isBetween(0.505, 0.507);
    }

    @Test
    void anotherPathOrRecordsThatGoBackChangeNothing() {
        link(1, LINE_BPS, 1_000, 0, 0);
        acknowledged(1_000, 100_000);
        link(2, LINE_BPS, 2_000, 500_000, 900_000);
        acknowledged(2_000, 100_000);
        link(2, LINE_BPS, 1_500, 600_000, 900_000);
        acknowledged(3_000, 100_000);
        link(2, LINE_BPS, 1_500, 700_000, 900_000);
        acknowledged(4_000, 100_000);
        acknowledged(5_000, 100_000);
        assertThat(window.windowBytes()).isEqualTo(FIRST_BYTES);
        link(2, LINE_BPS, 2_500, 712_500, 900_000);
        acknowledged(6_000, 100_000);
        assertThat(window.windowBytes()).as("the two before were of it").isLessThan(FIRST_BYTES);
    }

    /** A port that is called late sends several at once, as a worker's thread may well be. */
    @Test
    void whatAPortSendsAtOneMomentCountsAsAWhole() {
        int inBurst = 4;
        long acked = 0;
        for (int i = 0; i < 400; i++) {
            acked += FRAME;
            // A frame each 80 ns fills the link.
            long burstNs = (i - i % inBurst) * 80L;
            link(1, LINE_BPS, 1_000 + burstNs, (i + 1L) * FRAME, 0);
            acknowledged(acked, acked + 10 * FRAME);
        }
        // U = 1, and a window that falls by a twentieth with each round trip.
        assertThat(window.windowBytes()).isLessThan(FIRST_BYTES / 4);
    }

    /** Whatever is forged, a flow is neither stopped nor faster than its line. */
    @Test
    void forgedTelemetryKeepsTheWindowWithinItsBounds() {
        Random random = new Random(7);
        long acked = 0;
        long least = FIRST_BYTES;
        for (int i = 0; i < 20_000; i++) {
            acked += random.nextInt(50_000);
            for (int hop = random.nextInt(6); hop > 0; hop--) {
                link(
                        random.nextInt(2),
                        random.nextBoolean() ? LINE_BPS : random.nextLong(1L << 40),
                        random.nextBoolean() ? random.nextLong() : i * 100L,
                        random.nextLong(1L << 48),
                        random.nextLong(1L << 32));
            }
            acknowledged(acked, acked + 100_000);
            least = Math.min(least, window.windowBytes());
            assertThat(window.windowBytes()).isBetween(1_000L, FIRST_BYTES);
            assertThat(window.rateBps()).isBetween(1L, LINE_BPS);
        }
        assertThat(least).as("it went down to its bound").isLessThan(2_000);
    }

    @Test
    void theSetsHaveTheirValuesByName() {
        HpccConfig repository = config(HpccConfig.Parameters.REPOSITORY);
        // 40 Mb/s for 13 us.
        assertThat(repository.stepBytes(LINE_BPS)).isEqualTo(65);
        // A twentieth of 75 kB, for four flows.
        HpccConfig dissertation =
                new HpccConfig(
                        HpccConfig.Parameters.DISSERTATION,
                        0.95,
                        5,
                        6_000,
                        0,
                        4,
                        100_000_000,
                        true);
        assertThat(Math.round(dissertation.stepBytes(LINE_BPS))).isEqualTo(938);
        assertThat(PUBLISHED.stepBytes(LINE_BPS)).isEqualTo(80);
        Hpcc hpcc = new Hpcc();
        assertThat(hpcc.kind()).isEqualTo(Mechanism.Kind.RATE_CONTROL);
        assertThat(hpcc.ackEvery(PUBLISHED)).isEqualTo(1);
        assertThat(hpcc.needsMarks()).isFalse();
    }

    @Test
    void withoutItsWindowTheRateAloneFollows() {
        HpccWindow alone =
                new HpccWindow(
                        new HpccConfig(
                                HpccConfig.Parameters.PUBLISHED,
                                0.95,
                                5,
                                13_000,
                                80,
                                4,
                                100_000_000,
                                false));
        alone.begin(0, LINE_BPS, FRAME);
        assertThat(alone.windowBytes()).isEqualTo(RateControl.NO_WINDOW);
        assertThat(alone.rateBps()).isEqualTo(LINE_BPS);
        assertThat(window.windowBytes()).isEqualTo(FIRST_BYTES);
    }

    private static HpccConfig config(HpccConfig.Parameters parameters) {
        return new HpccConfig(parameters, 0.95, 0, 13_000, 0, 4, 100_000_000, true);
    }
}
