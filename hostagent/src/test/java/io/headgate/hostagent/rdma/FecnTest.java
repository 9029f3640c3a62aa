package io.headgate.hostagent.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.counter.NoticeCounter;
import io.headgate.dataplane.counter.RdmaCounter;
import io.headgate.dataplane.frame.Bth;
import io.headgate.hostagent.rate.NotificationPoint;
import io.headgate.hostagent.rate.RateControl;
import io.headgate.hostagent.rate.RateControlMechanism;
import io.headgate.hostagent.rate.RateControls;
import io.headgate.hostagent.rate.Sample;
import org.junit.jupiter.api.Test;

/** What switches write into RoCEv2's header comes back as BECN, where a control wants it. */
class FecnTest extends RdmaHosts {
    private static final int CONGESTION = BTH + Bth.CONGESTION_OFFSET;

    /** Configuration of a control that counts what it is shown. */
    record Configuration(boolean reads, boolean packets) {}

    private static final class Counting
            implements RateControlMechanism<Configuration>, RateControl {
        private final Configuration keys;
        private long marked;
        private long notified;

        Counting(Configuration keys) {
            this.keys = keys;
        }

        @Override
        public String name() {
            return "counting";
        }

        @Override
        public String says() {
            return "Counts what it is shown.";
        }

        @Override
        public Class<Configuration> configuration() {
            return Configuration.class;
        }

        @Override
        public boolean readsFecn() {
            return keys.reads();
        }

        @Override
        public long noticePeriodNs(Configuration configuration) {
            return configuration.packets() ? 1 : 0;
        }

        @Override
        public NotificationPoint notificationPoint(Configuration configuration) {
            return configuration.packets() ? new ByPackets() : NotificationPoint.ECHO;
        }

        @Override
        public RateControl control(Configuration configuration) {
            return this;
        }

        @Override
        public void begin(long nowNs, long lineRateBps, int frameBytes) {
            // The line's rate is its own.
        }

        @Override
        public void acknowledged(long nowNs, Sample sample) {
            marked += sample.marks() == MARKED_CE ? 1 : 0;
        }

        @Override
        public boolean notified(long nowNs, int kind, long origin, long value) {
            notified += value == MARKED_CE ? 1 : 0;
            return true;
        }

        @Override
        public long rateBps() {
            return RATE_BPS;
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

    private long becn;

    private Counting run(boolean reads, boolean packets) {
        Configuration keys = new Configuration(reads, packets);
        Counting sender = new Counting(keys);
        start(
                new PerfPlan(PerfPlan.Test.WRITE_BW, MTU, 100, 0, 16),
                1,
                new RateControls<>(sender, keys),
                new RateControls<>(new Counting(keys), keys));
        runToTheEnd(frame -> {
            if (isRoce(frame) && opcode(frame) >= 6 && opcode(frame) <= 10) {
                frame[CONGESTION] |= (byte) Bth.FECN;
            } else if (isRoce(frame) && (frame[CONGESTION] & Bth.BECN) != 0) {
                becn++;
            }
            return frame;
        });
        assertThat(client.report().failure()).isNull();
        assertThat(server.counted(RdmaCounter.ICRC_WRONG)).isZero();
        return sender;
    }

    @Test
    void acknowledgementsOfPacketsThatCameWithItCarryBecnToTheRateControl() {
        Counting sender = run(true, false);
        assertThat(becn).isPositive().isEqualTo(server.counted(RdmaCounter.ACKS_SENT));
        assertThat(sender.marked).isEqualTo(becn);
        assertThat(sender.notified).isZero();
    }

    @Test
    void packetsThatTellOfMarksCarryBecnAndAcknowledgementsDoNot() {
        Counting sender = run(true, true);
        assertThat(becn).isPositive().isEqualTo(server.counted(RdmaCounter.CNPS_SENT));
        assertThat(sender.marked).isZero();
        assertThat(sender.notified)
                .isPositive()
                .isEqualTo(client.card.noticeCounters().get(NoticeCounter.OBEYED));
    }

    @Test
    void aControlThatGoesByTheIpHeaderAloneIsToldNothing() {
        assertThat(run(false, false).marked).isZero();
        assertThat(becn).isZero();
    }
}
