package io.headgate.dataplane.congestion.qcn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.ConfigException;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.dataplane.congestion.CongestionSetup;
import io.headgate.dataplane.congestion.Notices;
import io.headgate.dataplane.frame.Cnm;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.sync.PortBoard;
import io.headgate.dataplane.policy.QueueFields;
import io.headgate.dataplane.policy.StopView;
import io.headgate.dataplane.random.NamedRandom;
import java.util.List;
import org.junit.jupiter.api.Test;

class QcnPointTest {
    private static final int PRIORITY = 3;
    private static final int FRAME = 1_000;
    private static final int SAMPLE = 150_000;

    private long queuedBytes;
    private long[] told = {};
    private final Frame[] frames = {new FrameRegion(1, 2048).frame(0)};
    private final QcnPoint point =
            new QcnPoint(
                    new QcnConfig(33_000, 2, SAMPLE, List.of(PRIORITY)),
                    new CongestionSetup(
                            new CongestionSetup.Node("s1", false),
                            2,
                            10_000_000_000L,
                            1_500,
                            new OneQueue(),
                            StopView.NEVER,
                            new Taken(),
                            PortBoard.NONE,
                            NamedRandom.of(1, "p1", "qcn")));

    private final class OneQueue implements QueueFields {
        @Override
        public int queues() {
            return 8;
        }

        @Override
        public int frames(int queue) {
            return (int) (queuedBytes / FRAME);
        }

        @Override
        public long bytes(int queue) {
            return queuedBytes;
        }

        @Override
        public long limitBytes(int queue) {
            return Long.MAX_VALUE;
        }

        @Override
        public int headBytes(int queue) {
            return FRAME;
        }

        @Override
        public long headArrival(int queue) {
            return 0;
        }
    }

    private final class Taken implements Notices {
        @Override
        public boolean send(Frame frame, long first, long second) {
            throw new AssertionError("it tells MAC addresses");
        }

        @Override
        public boolean sendToMac(Frame frame, int etherType, long[] body) {
            assertThat(etherType).isEqualTo(Cnm.ETHER_TYPE);
            told = body.clone();
            return true;
        }
    }

    /**
     * The queue at each sample, in kB, and the steps sent, 0 for none. The comments have -Fb in kB,
     * of which 63 steps are 33 (1 + 2 x 2) = 165.
     */
    private static final int[][] SAMPLES = {
        {0, 0}, // 0 - 33 + 2 x 0 = -33
        {20, 10}, // 20 - 33 + 2 x 20 = 27
        {33, 9}, // 33 - 33 + 2 x 13 = 26
        {40, 8}, // 40 - 33 + 2 x 7 = 21
        {60, 25}, // 60 - 33 + 2 x 20 = 67
        {60, 10}, // 60 - 33 + 2 x 0 = 27
        {50, 0}, // 50 - 33 + 2 x -10 = -3
        {40, 0}, // 40 - 33 + 2 x -10 = -13
        {33, 0}, // 33 - 33 + 2 x -7 = -14
        {30, 0}, // 30 - 33 + 2 x -3 = -9
        {45, 16}, // 45 - 33 + 2 x 15 = 42
        {90, 56}, // 90 - 33 + 2 x 45 = 147
        {165, 63}, // 165 - 33 + 2 x 75 = 282
        {300, 63}, // 300 - 33 + 2 x 135 = 537
        {300, 63}, // 300 - 33 + 2 x 0 = 267
        {200, 0}, // 200 - 33 + 2 x -100 = -33
        {100, 0}, // 100 - 33 + 2 x -100 = -133
        {50, 0}, // 50 - 33 + 2 x -50 = -83
        {20, 0}, // 20 - 33 + 2 x -30 = -73
        {0, 0}, // 0 - 33 + 2 x -20 = -73
        {0, 0}, // 0 - 33 + 2 x 0 = -33
        {35, 27}, // 35 - 33 + 2 x 35 = 72
        {36, 1}, // 36 - 33 + 2 x 1 = 5
        {34, 0}, // 34 - 33 + 2 x -2 = -3
        {70, 41} // 70 - 33 + 2 x 36 = 109
    };

    @Test
    void tellsTheFeedbackOfEachSample() {
        assertThat(SAMPLES.length).isGreaterThan(20);
        frames[0].lengthBytes = FRAME;
        frames[0].storedBytes = FRAME;
        frames[0].priority = PRIORITY;
        int steps = 0;
        for (int i = 0; i < SAMPLES.length; i++) {
            queuedBytes = SAMPLES[i][0] * 1_000L;
            told = new long[0];
            int arrived = 0;
            while (point.counted(0, PRIORITY) == i) {
                point.enqueued(0, PRIORITY, frames, 0, 1);
                arrived += FRAME;
            }
            int mean = SAMPLE / (1 + steps / 8);
            assertThat((double) arrived)
                    .as("bytes to sample %s", i)
                    .isBetween(0.85 * mean, 1.15 * mean + FRAME);
            steps = SAMPLES[i][1];
            assertThat(told.length).as("sample %s", i).isEqualTo(steps > 0 ? Cnm.WORDS : 0);
            if (steps > 0) {
                assertThat(told[0] >>> 48).as("sample %s", i).isEqualTo(steps);
                long offset = 33_000 - queuedBytes;
                assertThat((short) (told[1] >>> 32)).isEqualTo((short) (offset / 64));
                assertThat(point.counted(2, PRIORITY)).isEqualTo(steps);
            }
        }
    }

    @Test
    void aRouterIsRefusedInASentence() {
        String port = "{name: p1, device: {afpacket: v1}, congestion: {qcn: {}}";
        String bridge = "{name: s1, address: 10.0.0.254/24, ports: [%s}]}".formatted(port);
        assertThat(SwitchConfigReader.read(bridge, "s.yaml").ports()).hasSize(1);
        String router =
                "{name: s1, mode: routed, ports: [%s, addresses: [10.0.1.1/24]}]}".formatted(port);
        assertThatThrownBy(() -> SwitchConfigReader.read(router, "s.yaml"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("a port of a router")
                .hasMessageContaining("mode: bridge");
    }
}
