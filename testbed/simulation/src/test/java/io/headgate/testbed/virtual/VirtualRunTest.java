package io.headgate.testbed.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FreeList;
import io.headgate.dataplane.memory.SlotPlace;
import io.headgate.hostagent.card.CardSetup;
import io.headgate.hostagent.rate.PacingWheel;
import io.headgate.testbed.topology.LinkSpec;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class VirtualRunTest {
    private static final long RATE_BPS = 100_000_000_000L;
    private static final long MICROSECOND = 1_000_000;

    @Test
    void framesCrossASwitchAtTheHandComputedPicosecond() {
        VirtualRun run = new VirtualRun(RunOptions.of(1).withChecking(true));
        Star star = new Star(run, 2, new LinkSpec(RATE_BPS, MICROSECOND));
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
        Star star = new Star(run, 2, new LinkSpec(RATE_BPS, MICROSECOND));
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
        VirtualRun run = new VirtualRun(RunOptions.of(1).withChecking(true));
        Star star = new Star(run, 4, new LinkSpec(RATE_BPS, MICROSECOND));
        TestTraffic receiver = new TestTraffic(run.clock(), 3);
        for (int host = 0; host < 3; host++) {
            star.host(host).attachApp(new TestTraffic(run.clock(), host, 3, 1000, 0, 0, 200));
        }
        star.host(3).attachApp(receiver);
        run.runUntil(200 * MICROSECOND);
        assertThat(receiver.received).isEqualTo(600);
        assertThat(receiver.outOfOrder).isZero();
        assertThat(run.nextPs()).isEqualTo(PacingWheel.NEVER);
    }

    @Test
    void aPulledLinkSendsMoreFramesHomeThanAHalfTakesAtOnce() {
        VirtualRun run = new VirtualRun(RunOptions.of(1).withChecking(true));
        Star star = new Star(run, 3, new LinkSpec(RATE_BPS, MICROSECOND));
        for (int host = 0; host < 2; host++) {
            star.host(host).attachApp(new TestTraffic(run.clock(), host, 2, 400, 0, 0, 2000));
        }
        star.host(2).attachApp(new TestTraffic(run.clock(), 2));
        run.runUntil(40 * MICROSECOND);
        // About 500 of each sender's.
        assertThat(star.switchNode().engine().egress(2).heldFrames()).isGreaterThan(1000);
        star.link(2).setUp(false);
        run.runUntil(200 * MICROSECOND);
        for (int port = 0; port < 3; port++) {
            assertThat(star.switchNode().engine().ingress(port).freeSlots())
                    .isEqualTo(star.switchNode().engine().ingress(port).homeSlots());
        }
    }

    @Test
    void aStalledNodeDoesNothingAndGoesOnWhereItWas() {
        VirtualRun run = new VirtualRun(RunOptions.of(1).withChecking(true));
        LinkSpec setup = new LinkSpec(RATE_BPS, MICROSECOND).withRelease(LinkSpec.Release.END);
        Star star = new Star(run, 2, setup);
        TestTraffic receiver = new TestTraffic(run.clock(), 1);
        star.host(0).attachApp(new TestTraffic(run.clock(), 0, 1, 1000, 0, 200, 200));
        star.host(1).attachApp(receiver);
        VirtualTimer stall = run.addTimer((self, nowPs) -> run.stall(star.switchNode()));
        stall.schedule(10 * MICROSECOND);
        VirtualTimer resume = run.addTimer((self, nowPs) -> run.resume(star.switchNode()));
        resume.schedule(25 * MICROSECOND);
        run.runUntil(12 * MICROSECOND);
        long before = receiver.received;
        assertThat(before).isBetween(30L, 60L);
        run.runUntil(25 * MICROSECOND - 1);
        assertThat(receiver.received).isEqualTo(before);
        run.runUntil(100 * MICROSECOND);
        assertThat(receiver.received).isEqualTo(200);
        assertThat(receiver.outOfOrder).isZero();
    }

    /** A frame of the first port, as its ingress half has it. */
    private static Frame taken(VirtualNode node) {
        Frame frame = node.engine().region().frame(0);
        frame.home = 0;
        return frame;
    }

    @Test
    void checkingSeesANodeThatChangesThoughNoneOfItsDutiesIsCalled() {
        VirtualRun run = new VirtualRun(RunOptions.of(1).withChecking(true));
        Star star = new Star(run, 3, new LinkSpec(RATE_BPS, 0));
        star.host(0).attachApp(new TestTraffic(run.clock(), 0, 1, 100, 0, 50, 100));
        TestTraffic meddler = new TestTraffic(run.clock(), 1);
        star.host(1).attachApp(meddler);
        // Neither a timer nor a duty of the third host: an observer, which may change nothing.
        run.observe((direction, startPs, arrivePs, lengthBytes, address, storedBytes) -> {
            if (startPs > 1_000_000) {
                taken(star.host(2)).lengthBytes = 77;
            }
        });
        assertThatThrownBy(() -> run.runUntil(10 * MICROSECOND))
                .hasMessageEndingWith("h2: has changed though none of its duties was called");
    }

    @Test
    void aDutyThatNeverRestsIsNamed() {
        VirtualRun run = new VirtualRun(RunOptions.of(1));
        Star star = new Star(run, 2, new LinkSpec(RATE_BPS, 0));
        star.host(0).attachApp(TestTraffic.restless(run.clock()));
        assertThatThrownBy(() -> run.runUntil(0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "no rest at 0 ps: after 1000 rounds there is still work for"
                                + " h0/h0.app.ingress");
    }

    @Test
    void checkingSeesASlotThatIsNowhere() {
        VirtualRun run = new VirtualRun(RunOptions.of(1).withChecking(true));
        Star star = new Star(run, 2, new LinkSpec(RATE_BPS, 0));
        VirtualTimer spoiler =
                run.addTimer((self, nowPs) -> taken(star.host(0)).place = SlotPlace.RING);
        spoiler.schedule(777);
        assertThatThrownBy(() -> run.runUntil(MICROSECOND))
                .hasMessageStartingWith("777 ps: h0: frame[slot 0")
                .hasMessageContaining("neither at home nor held");
    }

    @Test
    void checkingSeesAnAccountThatIsWrong() {
        VirtualRun run = new VirtualRun(RunOptions.of(1).withChecking(true));
        Star star = new Star(run, 2, new LinkSpec(RATE_BPS, 0));
        VirtualTimer spoiler =
                run.addTimer((self, nowPs) -> taken(star.switchNode()).chargedBytes = 100);
        spoiler.schedule(5);
        assertThatThrownBy(() -> run.runUntil(MICROSECOND))
                .hasMessage("5 ps: s: port 0 says account 0 0, counted are 100");
    }

    @Test
    void checkingSeesADutyThatIsLeftUncalled() {
        VirtualRun run = new VirtualRun(RunOptions.of(1).withChecking(true));
        Star star = new Star(run, 2, new LinkSpec(RATE_BPS, 0));
        TestTraffic forgetful = new TestTraffic(run.clock(), 0, 1, 100, 0, 0, 1);
        star.host(0).attachApp(forgetful);
        VirtualTimer more = run.addTimer((self, nowPs) -> forgetful.sent = 0);
        more.schedule(MICROSECOND);
        assertThatThrownBy(() -> run.runUntil(2 * MICROSECOND))
                .hasMessage("1000000 ps: h0/h0.app.ingress still finds 1 things to do");
    }

    @Test
    void nothingIsAllocatedPerFrame() {
        VirtualRun run = new VirtualRun(RunOptions.of(1));
        Star star = new Star(run, 4, new LinkSpec(RATE_BPS, MICROSECOND));
        for (int host = 0; host < 3; host++) {
            star.host(host)
                    .attachApp(new TestTraffic(run.clock(), host, 3, 1000, 0, 0, Long.MAX_VALUE));
        }
        star.host(3).attachApp(new TestTraffic(run.clock(), 3));
        run.runUntil(20_000 * MICROSECOND);
        long hops = run.frameHops();
        long before = allocatedBytes();
        run.runUntil(40_000 * MICROSECOND);
        long bytes = allocatedBytes() - before;
        hops = run.frameHops() - hops;
        assertThat(hops).isGreaterThan(500_000);
        assertThat(bytes).as("bytes for %d frame-hops", hops).isLessThan(hops / 10);
    }

    private static long allocatedBytes() {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        return threads.getCurrentThreadAllocatedBytes();
    }

    @Test
    void anIdleHostTakesWellUnderAHundredKilobytes() {
        int hosts = 200;
        VirtualRun run = new VirtualRun(RunOptions.of(1));
        run.addHost(CardSetup.of("first", RATE_BPS));
        long before = usedHeapBytes();
        long outside = 0;
        for (int host = 0; host < hosts; host++) {
            HostNode node = run.addHost(CardSetup.of("h" + host, RATE_BPS));
            outside +=
                    node.engine().region().allocation().byteSize()
                            + node.engine().counters().valuesBytes();
        }
        run.runUntil(1);
        long bytes = (usedHeapBytes() - before + outside) / hosts;
        assertThat(bytes).as("bytes a host").isBetween(10_000L, 80_000L);
        assertThat(run.nodes()).hasSize(hosts + 1);
    }

    /** What earlier tests left is gone only when cleaners have run: until nothing more goes. */
    private static long usedHeapBytes() {
        long least = Long.MAX_VALUE;
        for (int steady = 0; steady < 4; steady++) {
            System.gc();
            LockSupport.parkNanos(50_000_000);
            long used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
            if (used < least - 100_000) {
                steady = 0;
            }
            least = Math.min(least, used);
        }
        return least;
    }

    @Test
    void timersFireBeforeTheDutiesOfTheirInstantAndProbesAfter() {
        VirtualRun run = new VirtualRun(RunOptions.of(1));
        Star star = new Star(run, 2, new LinkSpec(RATE_BPS, 0));
        TestTraffic sender = new TestTraffic(run.clock(), 0, 1, 100, 1000, 0, 1);
        star.host(0).attachApp(sender);
        List<String> seen = new ArrayList<>();
        VirtualTimer probe =
                run.addProbe((self, nowPs) -> seen.add("probe " + nowPs + " " + sender.sent));
        VirtualTimer timer =
                run.addTimer((self, nowPs) -> seen.add("timer " + nowPs + " " + sender.sent));
        probe.schedule(MICROSECOND);
        timer.schedule(MICROSECOND);
        run.runUntil(MICROSECOND);
        assertThat(seen).containsExactly("timer 1000000 0", "probe 1000000 1");
    }

    /** The counters of the switch that are not 0. */
    private static List<String> counted(Star star) {
        CounterDirectory counters = star.switchNode().engine().counters();
        return counters.entries().stream()
                .filter(one -> counters.value(one) != 0)
                .map(one -> one.owner() + " " + one.label() + " " + counters.value(one))
                .toList();
    }

    @Test
    void aProbeThatReadsCountersSeesThoseOfItsInstantAlsoNextToOneThatReadsNone() {
        VirtualRun probed = new VirtualRun(RunOptions.of(1));
        VirtualRun stopped = new VirtualRun(RunOptions.of(1));
        List<Star> stars = new ArrayList<>();
        for (VirtualRun run : List.of(probed, stopped)) {
            Star star = new Star(run, 3, new LinkSpec(RATE_BPS, MICROSECOND));
            for (int host = 0; host < 2; host++) {
                star.host(host).attachApp(new TestTraffic(run.clock(), host, 2, 1000, 0, 0, 200));
            }
            stars.add(star);
        }
        List<String> seen = new ArrayList<>();
        VirtualTimer plain = probed.addPlainProbe((self, nowPs) -> {});
        VirtualTimer probe =
                probed.addProbe((self, nowPs) -> seen.addAll(counted(stars.getFirst())));
        for (long atPs = 2_000_000; atPs < 17_000_000; atPs += 99_000) {
            seen.clear();
            plain.schedule(atPs);
            probe.schedule(atPs);
            probed.runPartUntil(atPs);
            stopped.runUntil(atPs);
            assertThat(seen).as("at %d ps", atPs).isEqualTo(counted(stars.getLast())).isNotEmpty();
        }
    }

    @Test
    void aTimerIsNotSetInThePastAndARunThatFailedDoesNotGoOn() {
        VirtualRun run = new VirtualRun(RunOptions.of(1));
        new Star(run, 2, new LinkSpec(10_000_000_000L, 1_000_000));
        VirtualTimer timer =
                run.addTimer((self, nowPs) -> {
                    throw new IllegalStateException("planted");
                });
        run.runUntil(1000);
        assertThatThrownBy(() -> timer.schedule(999)).hasMessage("a timer at 999 ps, at 1000 ps");
        timer.schedule(2000);
        assertThatThrownBy(() -> run.runUntil(3000)).hasMessage("planted");
        assertThatThrownBy(() -> run.runUntil(3000)).hasMessage("the run failed at 2000 ps");
    }

    /** How a run is run: its nodes one by one, instant by instant, with checks. */
    enum Way {
        NODE_BY_NODE(1_000_000, false, false),
        WITHOUT_DELAYS(0, false, false),
        STEP_BY_STEP(1_000_000, true, false),
        CHECKED(1_000_000, false, true);

        final long delayPs;
        final boolean steps;
        final boolean checking;

        Way(long delayPs, boolean steps, boolean checking) {
            this.delayPs = delayPs;
            this.steps = steps;
            this.checking = checking;
        }
    }

    /** What is done to a whole run. */
    enum Act {
        SET_TIMER("a timer is set"),
        SET_PROBE("a timer is set"),
        STALL("a node is stalled"),
        RESUME("a node is resumed"),
        PULL_LINK("a link is pulled or plugged in");

        final String what;

        Act(String what) {
            this.what = what;
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void whatADutyDoesToTheWholeRunIsRefusedHoweverThatIsRun(Way way) {
        for (Act act : Act.values()) {
            RunOptions options = RunOptions.of(1);
            VirtualRun run = new VirtualRun(way.checking ? options.withChecking(true) : options);
            Star star = new Star(run, 2, new LinkSpec(10_000_000_000L, way.delayPs));
            VirtualTimer timer = run.addTimer((self, nowPs) -> {});
            VirtualTimer probe = run.addProbe((self, nowPs) -> {});
            // A device is called by its halves, which are duties.
            star.host(0)
                    .attachApp(
                            new TestTraffic(run.clock(), 0, 1, 1000, 2_000, 0, 1) {
                                @Override
                                public int receive(
                                        long nowNs, FreeList free, Frame[] batch, int limit) {
                                    int count = super.receive(nowNs, free, batch, limit);
                                    if (count > 0) {
                                        switch (act) {
                                            case SET_TIMER -> timer.schedule(5_000_000);
                                            case SET_PROBE -> probe.schedule(5_000_000);
                                            case STALL -> run.stall(star.host(1));
                                            case RESUME -> run.resume(star.host(1));
                                            case PULL_LINK -> run.links().getFirst().setUp(false);
                                        }
                                    }
                                    return count;
                                }
                            });
            timer.schedule(8_000_000);
            assertThatThrownBy(
                            () -> {
                                if (way.steps) {
                                    while (run.step(10_000_000)) {
                                        // Steps until a duty does it.
                                    }
                                } else {
                                    run.runUntil(10_000_000);
                                }
                            })
                    .as("%s, %s", way, act)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(
                            "%s by a duty, at 2000000 ps; only a timer, a probe, or the caller"
                                    + " of the run may",
                            act.what);
        }
    }

    /** A call without cause is one of a duty, too. */
    @Test
    void aTimerSetInACallThatTheChecksMakeIsRefused() {
        VirtualRun run = new VirtualRun(RunOptions.of(1).withChecking(true));
        Star star = new Star(run, 2, new LinkSpec(10_000_000_000L, 1_000_000));
        VirtualTimer timer = run.addTimer((self, nowPs) -> {});
        int[] calls = new int[1];
        star.host(0)
                .attachApp(
                        new TestTraffic(run.clock(), 0) {
                            @Override
                            public int receive(
                                    long nowNs, FreeList free, Frame[] batch, int limit) {
                                if (calls[0]++ > 0) {
                                    timer.schedule(5_000_000);
                                }
                                return 0;
                            }
                        });
        assertThatThrownBy(() -> run.runUntil(10_000_000))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("a timer is set by a duty");
    }

    @Test
    void aRunEndsAtTheLastTime() {
        VirtualRun run = new VirtualRun(RunOptions.of(1));
        run.runUntil(VirtualRun.LAST_PS);
        assertThat(run.clock().ps()).isEqualTo(VirtualRun.LAST_PS);
        assertThatThrownBy(() -> run.runUntil(VirtualRun.LAST_PS + 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("up to 1125899906842622 ps are allowed");
    }
}
