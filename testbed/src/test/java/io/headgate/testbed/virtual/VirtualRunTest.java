package io.headgate.testbed.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VirtualRunTest {
    private static final long RATE_BPS = 100_000_000_000L;
    private static final long MICROSECOND = 1_000_000;

    @Test
    void framesCrossASwitchAtTheHandComputedPicosecond() {
        VirtualRun run = new VirtualRun(RunOptions.of(1).withChecking());
        Star star = new Star(run, 2, LinkSetup.of(RATE_BPS, MICROSECOND));
        TestTraffic receiver = new TestTraffic(run.clock(), 1);
        star.host(0).attachApp(new TestTraffic(run.clock(), 0, 1, 1000, 5, 0, 1));
        star.host(1).attachApp(receiver);
        run.runUntil(10 * MICROSECOND);
        // 100 Gb/s is 80 ps a byte. Preamble 8, frame 1,000 and FCS 4 make 1,012 bytes: 80,960 ps.
        // 5,000 (the app sends) + 2 * (80,960 + 1,000,000) = 2,166,920 ps.
        assertThat(receiver.received).isEqualTo(1);
        assertThat(receiver.lastReceivedPs).isEqualTo(2_166_920);
    }

    @Test
    void aMillionBackToBackFramesEndAtTheRightPicosecond() {
        VirtualRun run = new VirtualRun(RunOptions.of(1));
        Star star = new Star(run, 2, LinkSetup.of(RATE_BPS, MICROSECOND));
        TestTraffic receiver = new TestTraffic(run.clock(), 1);
        star.host(0).attachApp(new TestTraffic(run.clock(), 0, 1, 60, 0, 0, 1_000_000));
        star.host(1).attachApp(receiver);
        run.runUntil(20_000 * MICROSECOND);
        // 64 bytes with FCS, 84 with preamble and gap: 6,720 ps each.
        assertThat(receiver.received).isEqualTo(1_000_000);
        assertThat(star.link(0).freePs(0)).isEqualTo(1_000_000 * 6_720L);
        // The first arrives at the switch after 72 bytes (5,760 ps) and the delay; from there all
        // follow each other as they came. The last one's last bit: 999,999 * 6,720 + 2 * 1,005,760.
        assertThat(receiver.lastReceivedPs).isEqualTo(999_999 * 6_720L + 2 * 1_005_760L);
    }

    @Test
    void incastIsConservedUnderEveryCheck() {
        VirtualRun run = new VirtualRun(RunOptions.of(1).withChecking());
        Star star = new Star(run, 4, LinkSetup.of(RATE_BPS, MICROSECOND));
        TestTraffic receiver = new TestTraffic(run.clock(), 3);
        for (int host = 0; host < 3; host++) {
            star.host(host).attachApp(new TestTraffic(run.clock(), host, 3, 1000, 0, 0, 200));
        }
        star.host(3).attachApp(receiver);
        run.runUntil(200 * MICROSECOND);
        assertThat(receiver.received).isEqualTo(600);
        assertThat(receiver.outOfOrder).isZero();
        assertThat(run.nextPs()).isEqualTo(EventQueue.NEVER);
    }
}
