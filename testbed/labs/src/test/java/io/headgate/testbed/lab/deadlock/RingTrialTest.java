package io.headgate.testbed.lab.deadlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.lab.series.Occupancies;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class RingTrialTest {
    private static RingTrial trial(
            Remedy remedy,
            double formedSeconds,
            long resumed,
            double leastMbps,
            double allAboveSeconds,
            long dropped,
            long missing) {
        return new RingTrial(
                1,
                remedy,
                formedSeconds,
                List.of("s1:p2", "s2:p3", "s3:p3"),
                12,
                17,
                List.of(60_000L, 60_000L, 60_000L),
                List.of(20L, resumed, 20L),
                allAboveSeconds,
                50,
                List.of(40.0, leastMbps, 40.0),
                List.of(45.0, 45.0, 45.0),
                dropped == 0 ? Map.of() : Map.of("WATCHDOG", dropped),
                0,
                missing,
                remedy == Remedy.ESCAPE ? 100 : 0);
    }

    @Test
    void whatTheDissertationShowsIsNoProblem() {
        assertThat(trial(Remedy.ESCAPE, 0.1, 20, 40, 0, 0, 0).problems()).isEmpty();
        assertThat(trial(Remedy.NONE, 0.1, 0, 0, 16.9, 0, 500).problems()).isEmpty();
        assertThat(trial(Remedy.WATCHDOG, 0.1, 3, 0, 0, 500, 500).problems()).isEmpty();
    }

    @Test
    void withoutADeadlockWhatARemedyDoesShowsNothing() {
        RingTrial late = trial(Remedy.ESCAPE, 10.5, 20, 40, 0, 0, 0);
        assertThat(late.problems()).isEmpty();
        assertThat(late.doubt()).startsWith("run 1: no deadlock");
        assertThat(trial(Remedy.WATCHDOG, Double.NaN, 20, 40, 0, 0, 0).doubt()).isNotEmpty();
        assertThat(trial(Remedy.ESCAPE, 0.1, 20, 40, 0, 0, 0).doubt()).isEmpty();
    }

    @Test
    void whereTheDeadlockIsWhatIsShownThatThereIsNoneIsAProblem() {
        RingTrial none = trial(Remedy.NONE, Double.NaN, 0, 0, 16.9, 0, 0);
        assertThat(none.doubt()).isEmpty();
        assertThat(none.problems()).singleElement().asString().startsWith("run 1: no deadlock");
    }

    @Test
    void soIsEachThingThatEscapeShouldDo() {
        assertThat(trial(Remedy.ESCAPE, 0.1, 4, 24, 0, 0, 0).problems())
                .singleElement()
                .asString()
                .contains("did not swing");
        assertThat(trial(Remedy.ESCAPE, 0.1, 0, 40, 0, 0, 0).problems())
                .singleElement()
                .asString()
                .contains("did not swing");
        assertThat(trial(Remedy.ESCAPE, 0.1, 20, 0, 0, 0, 0).problems())
                .singleElement()
                .asString()
                .contains("got nothing");
        assertThat(trial(Remedy.ESCAPE, 0.1, 20, 40, 0, 3, 3).problems()).hasSize(2);
    }

    @Test
    void fewPausesAreNoneWhereEveryFlowHasHalfOfItsShare() {
        assertThat(trial(Remedy.ESCAPE, 0.1, 1, 25, 0, 0, 0).problems()).isEmpty();
        assertThat(trial(Remedy.ESCAPE, 0.1, 5, 1, 0, 0, 0).problems()).isEmpty();
    }

    @Test
    void aDeadlockThatEndsByItselfIsOne() {
        assertThat(trial(Remedy.NONE, 0.1, 0, 0, 4.5, 0, 0).problems()).hasSize(1);
        assertThat(trial(Remedy.NONE, 0.1, 0, 40, 16.9, 0, 0).problems()).hasSize(1);
    }

    @Test
    void buffersAreAboveALimitSinceTheLastTimeThatOneWasNot() {
        AtomicLong one = new AtomicLong(20);
        AtomicLong other = new AtomicLong(5);
        try (Occupancies looks =
                new Occupancies(List.of("s1/p1", "s1/p2"), List.of(one::get, other::get))) {
            looks.begin();
            LockSupport.parkNanos(50_000_000);
            assertThat(looks.allAboveSince(10, looks.nowSeconds())).isNaN();
            other.set(30);
            double changed = looks.nowSeconds();
            LockSupport.parkNanos(100_000_000);
            assertThat(looks.allAboveSince(10, looks.nowSeconds()))
                    .isGreaterThanOrEqualTo(changed - 0.01);
            assertThat(looks.least(0, looks.nowSeconds())).containsExactly(20L, 5L);
            assertThat(looks.most(0, looks.nowSeconds())).containsExactly(20L, 30L);
        }
    }
}
