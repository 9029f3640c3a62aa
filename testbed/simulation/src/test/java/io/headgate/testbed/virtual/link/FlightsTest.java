package io.headgate.testbed.virtual.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.hostagent.rate.PacingWheel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is on a link stays in the order of arrival, however it was put there. */
final class FlightsTest {
    private static final long SEED = Long.getLong("headgate.seed", 20_261_121L);

    private final Flights flights = new Flights();

    private record Flight(long arrivePs, long data) {}

    @Test
    void theFirstInFlightIsToldAndWhatArrivesTogetherKeepsItsOrder() {
        assertThat(flights.nextPs()).isEqualTo(PacingWheel.NEVER);
        assertThat(flights.add(50, 1, 11, 60, 60)).isTrue();
        assertThat(flights.add(50, 2, 12, 1500, 82)).isFalse();
        assertThat(flights.add(40, 3, 13, 61, 61)).isTrue();
        assertThat(flights.nextPs()).isEqualTo(40);
        assertThat(flights.hasArrived()).isFalse();
        assertThat(flights.arrive(49)).isEqualTo(1);
        assertThat(flights.hasArrived()).isTrue();
        assertThat(flights.data()).isEqualTo(3);
        assertThat(flights.slot()).isEqualTo(13);
        flights.remove();
        assertThat(flights.hasArrived()).isFalse();
        assertThat(flights.arrive(50)).isEqualTo(2);
        assertThat(flights.data()).isEqualTo(1);
        flights.remove();
        assertThat(flights.data()).isEqualTo(2);
        assertThat(flights.lengthBytes()).isEqualTo(1500);
        assertThat(flights.storedBytes()).isEqualTo(82);
    }

    @Test
    void thoseThatArriveBeforeATimeAreShownAsFarAsThereIsRoom() {
        for (int i = 0; i < 12; i++) {
            flights.add(10L * i, 100 + i, 0, 60, 60);
        }
        assertThat(flights.arrive(25)).isEqualTo(3);
        long[] shown = new long[6];
        assertThat(flights.peek(shown, 1, 51)).isEqualTo(4);
        assertThat(shown).containsExactly(0, 103, 104, 105, 0, 0);
        assertThat(flights.peek(shown, 4, PacingWheel.NEVER)).isEqualTo(6);
        assertThat(shown).containsExactly(0, 103, 104, 105, 103, 104);
        assertThat(flights.peek(shown, 6, PacingWheel.NEVER)).isEqualTo(6);
        assertThat(flights.flying()).isEqualTo(9);
    }

    @Test
    void whatIsLateGoesBehindWhatHasArrivedWhateverItsTime() {
        flights.add(10, 1, 0, 60, 60);
        flights.arrive(10);
        assertThat(flights.add(5, 2, 0, 60, 60)).isTrue();
        assertThat(flights.data()).isEqualTo(1);
        flights.remove();
        assertThat(flights.arrive(10)).isEqualTo(1);
        assertThat(flights.data()).isEqualTo(2);
    }

    @Test
    void thoseInFlightCanBeTakenAwayAndThoseThatHaveArrivedStay() {
        flights.add(10, 1, 21, 60, 60);
        flights.add(20, 2, 22, 60, 60);
        flights.add(30, 3, 23, 60, 60);
        flights.arrive(10);
        assertThat(flights.flying()).isEqualTo(2);
        assertThat(flights.removeLast()).isEqualTo(23);
        assertThat(flights.removeLast()).isEqualTo(22);
        assertThat(flights.flying()).isZero();
        assertThat(flights.nextPs()).isEqualTo(PacingWheel.NEVER);
        assertThat(flights.size()).isEqualTo(1);
        assertThat(flights.data()).isEqualTo(1);
    }

    @Test
    void behavesAsASortedListDoesWhileItGrowsAndItsPlacesWrap() {
        Random random = new Random(SEED);
        List<Flight> flying = new ArrayList<>();
        List<Flight> arrived = new ArrayList<>();
        long nowPs = 0;
        for (int step = 0; step < 20_000; step++) {
            if (random.nextInt(100) < (step / 2000 % 2 == 0 ? 60 : 40)) {
                Flight flight = new Flight(nowPs + random.nextInt(30), step);
                flights.add(flight.arrivePs, flight.data, -flight.data, step, 60);
                flying.add(flight);
                flying.sort(Comparator.comparingLong(Flight::arrivePs));
            } else {
                nowPs += random.nextInt(5);
                long untilPs = nowPs;
                assertThat(flights.arrive(nowPs))
                        .as("seed %d, step %d", SEED, step)
                        .isEqualTo(flying.stream().filter(f -> f.arrivePs <= untilPs).count());
                while (!flying.isEmpty() && flying.getFirst().arrivePs <= nowPs) {
                    arrived.add(flying.removeFirst());
                }
                if (!arrived.isEmpty()) {
                    Flight first = arrived.removeFirst();
                    assertThat(flights.data()).isEqualTo(first.data);
                    assertThat(flights.slot()).isEqualTo(-first.data);
                    assertThat(flights.lengthBytes()).isEqualTo((int) first.data);
                    flights.remove();
                }
            }
            assertThat(flights.size()).isEqualTo(flying.size() + arrived.size());
            assertThat(flights.flying()).isEqualTo(flying.size());
        }
    }
}
