package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Doubt;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.lab.validity.Holds;
import io.headgate.testbed.netns.BedException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Orders that wait for counters. */
class OwnOrdersTest {
    private static final String SENT = "s1/p1 pfc.xoff.sent.p3";

    @Test
    void oneWaitsUntilItHolds() {
        OwnLabSpec.Once once = new OwnLabSpec.Once("[" + SENT + "] > 0", 600_000);
        AtomicInteger looks = new AtomicInteger();
        assertThat(
                        OwnOrders.await(
                                once,
                                () -> true,
                                () -> false,
                                name -> {
                                    assertThat(name).isEqualTo(SENT);
                                    return looks.incrementAndGet() < 5 ? 0.0 : 1.0;
                                }))
                .isTrue();
        assertThat(looks).hasValue(5);
    }

    @Test
    void oneWaitsInVainForItsTimeAtMost() {
        OwnLabSpec.Once once = new OwnLabSpec.Once("[" + SENT + "] > 0", 20);
        long beginNs = System.nanoTime();
        assertThat(OwnOrders.await(once, () -> true, () -> false, _ -> 0.0)).isFalse();
        assertThat(System.nanoTime() - beginNs).isGreaterThan(20_000_000);
        // Not a number: that does not hold.
        assertThat(OwnOrders.await(once, () -> true, () -> false, _ -> Double.NaN)).isFalse();
    }

    @Test
    void whileNoCounterChangesNothingIsCalculated() {
        OwnLabSpec.Once once = new OwnLabSpec.Once("[" + SENT + "] > 0", 600_000);
        AtomicInteger asked = new AtomicInteger();
        AtomicInteger looks = new AtomicInteger();
        assertThat(
                        OwnOrders.await(
                                once,
                                () -> asked.incrementAndGet() % 3 == 1,
                                () -> false,
                                _ -> looks.incrementAndGet() < 2 ? 0.0 : 1.0))
                .isTrue();
        assertThat(asked).hasValue(4);
        assertThat(looks).hasValue(2);
    }

    @Test
    void oneWaitsForNothingOnceTheLabIsOver() {
        OwnLabSpec.Once once = new OwnLabSpec.Once("[" + SENT + "] > 0", 600_000);
        assertThat(OwnOrders.await(once, () -> true, () -> true, _ -> 0.0)).isTrue();
    }

    /** What is due while an order waits can be done only once that has ended. */
    @Test
    void latenessIsWithoutWhatAnOrderWaitedFor() {
        assertThat(OwnOrders.lateNs(10, 3, 8)).isEqualTo(2);
        assertThat(OwnOrders.lateNs(10, 9, 8)).isEqualTo(1);
        assertThat(OwnOrders.lateNs(-10, -9, -20)).isNegative();
    }

    @Test
    void latenessIsWithoutTheTimeThatAnOrderTakesItself() throws BedException {
        AtomicInteger clock = new AtomicInteger(1);
        assertThat(OwnTraffic.begin(clock::get, () -> clock.set(600))).isEqualTo(1);
        assertThat(clock).hasValue(600);
    }

    @Test
    void whatWaitedInVainIsWhyTheRunShowsNothingWhateverFailed() {
        OwnLabSpec.Once once = new OwnLabSpec.Once("[" + SENT + "] > 0", 20);
        OwnLabSpec.Order order = new OwnLabSpec.Order(0, "switch s1 set {p2: {}}", List.of(), once);
        Doubt doubt = OwnOrders.lateness(List.of(order, order), new Holds(5, 2, 10_000_000));
        assertThat(doubt.why())
                .isEqualTo(
                        "the order 'switch s1 set {p2: {}}' and 1 more waited too long: ["
                                + SENT
                                + "] > 0 did not become true within 20 ms; 5 workers want 2 cores;"
                                + " the longest was held for 10 ms");
        // The machine is blamed only where it was late.
        assertThat(doubt.ofMachine()).isFalse();
        assertThat(OwnOrders.lateness(List.of(order), new Holds(5, 2, 60_000_000)).ofMachine())
                .isTrue();
        RunReport report = new RunReport("test");
        report.doubt(Doubt.ofMachine("late"));
        report.doubtWhateverFails(doubt);
        report.problem("something failed");
        report.withdrawDoubts();
        assertThat(report.doubts()).containsExactly(doubt);
        assertThat(report.verdict()).isEqualTo("INVALID");
        // Also as one of several runs.
        RunReport all = new RunReport("all");
        all.addAll(report, "run 1");
        all.withdrawDoubts();
        assertThat(all.doubts())
                .containsExactly(new Doubt("run 1: " + doubt.why(), doubt.ofMachine()));
    }
}
