package io.headgate.testbed.traffic.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.testbed.traffic.spec.Collective.Algorithm;
import io.headgate.testbed.traffic.spec.Collective.Kind;
import io.headgate.testbed.traffic.spec.Collective.Send;
import io.headgate.testbed.traffic.spec.FlowSpec.After;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What flows collectives are made of: all kinds, and sizes that are not divisible by the ranks. */
class CollectiveTest {
    private static final int RANKS = 8;
    private static final long BYTES = 1003;
    private static final int CHUNKS = 3;

    private static List<Collective> all() {
        List<Collective> all = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            for (Algorithm algorithm : Algorithm.values()) {
                boolean toAll = algorithm == Algorithm.AT_ONCE || algorithm == Algorithm.SHIFT;
                if (kind == Kind.PIPELINE
                        ? algorithm == Algorithm.RING
                        : toAll == (kind == Kind.ALL_TO_ALL)) {
                    all.add(new Collective(kind, algorithm, RANKS, BYTES, CHUNKS, 7));
                }
            }
        }
        assertThat(all).hasSize(9);
        return all;
    }

    @Test
    void everyFlowWaitsForEarlierOnesThatItsRankSendsOrReceives() {
        for (Collective one : all()) {
            List<Send> sends = one.sends();
            assertThat(sends).hasSize((int) one.flows());
            for (int i = 0; i < sends.size(); i++) {
                Send send = sends.get(i);
                assertThat(send.from()).isNotEqualTo(send.to());
                for (After after : send.after()) {
                    assertThat(after.flow()).isLessThan(i);
                    Send awaited = sends.get(after.flow());
                    assertThat(List.of(awaited.from(), awaited.to())).contains(send.from());
                }
            }
        }
    }

    /** In each step of a ring all parts are sent, in each of a halving a block by each rank. */
    @Test
    void asMuchIsSentAsTheAlgorithmsSay() {
        for (Collective one : all()) {
            long bytes = one.sends().stream().mapToLong(Send::sizeBytes).sum();
            long expected =
                    switch (one.kind()) {
                        case ALL_REDUCE -> 2 * (RANKS - 1) * BYTES;
                        case REDUCE_SCATTER, ALL_GATHER -> (RANKS - 1) * BYTES;
                        case PIPELINE -> (RANKS - 1) * BYTES * CHUNKS;
                        case ALL_TO_ALL -> bytes;
                    };
            assertThat(bytes).as(one.toString()).isEqualTo(expected);
        }
        // In an all-to-all each part goes to one rank from all others.
        long toFirst =
                new Collective(Kind.ALL_TO_ALL, Algorithm.SHIFT, RANKS, 1600, 2, 0)
                        .sends().stream()
                                .filter(send -> send.to() == 0)
                                .mapToLong(Send::sizeBytes)
                                .sum();
        assertThat(toFirst).isEqualTo((RANKS - 1) * 200);
    }

    /** Parts differ in size by a byte: what is sent on is what came, or a half of it, or twice. */
    @Test
    void whatIsSentOnIsWhatCame() {
        for (Kind kind : List.of(Kind.ALL_REDUCE, Kind.REDUCE_SCATTER, Kind.ALL_GATHER)) {
            List<Send> ring = new Collective(kind, Algorithm.RING, RANKS, BYTES, CHUNKS, 0).sends();
            for (Send send : ring) {
                for (After after : send.after()) {
                    assertThat(send.sizeBytes()).isEqualTo(ring.get(after.flow()).sizeBytes());
                }
            }
        }
        List<Send> halving =
                new Collective(Kind.ALL_REDUCE, Algorithm.HALVING_DOUBLING, 4, 10, 1, 0).sends();
        // Parts of 2, 3, 2 and 3 bytes; rank 0 keeps the first two, then the first.
        assertThat(halving.stream().filter(send -> send.from() == 0))
                .extracting(Send::to, Send::sizeBytes)
                .map(Object::toString)
                .containsExactly("(2, 5L)", "(1, 3L)", "(1, 2L)", "(2, 5L)");
    }

    @Test
    void onlyWhatIsSummedTakesTime() {
        for (Collective one : all()) {
            List<Long> delays =
                    one.sends().stream()
                            .flatMap(send -> send.after().stream())
                            .map(After::delayPs)
                            .filter(delay -> delay > 0)
                            .toList();
            int steps = one.algorithm() == Algorithm.HALVING_DOUBLING ? 3 : RANKS - 1;
            int expected =
                    switch (one.kind()) {
                        case ALL_REDUCE -> steps * RANKS * CHUNKS;
                        case REDUCE_SCATTER -> (steps - 1) * RANKS * CHUNKS;
                        case ALL_GATHER, ALL_TO_ALL -> 0;
                        case PIPELINE -> (RANKS - 2) * CHUNKS;
                    };
            assertThat(delays).as(one.toString()).hasSize(expected).allMatch(delay -> delay == 7);
        }
    }

    @Test
    void whatDoesNotGoTogetherIsRefused() {
        assertThatThrownBy(() ->
                        new Collective(Kind.ALL_REDUCE, Algorithm.HALVING_DOUBLING, 6, 600, 1, 0))
                .hasMessage("6 ranks; allowed: a power of two");
        assertThatThrownBy(() -> new Collective(Kind.ALL_TO_ALL, Algorithm.RING, 4, 600, 1, 0))
                .hasMessage("this algorithm; allowed: at-once or shift with all-to-all");
        assertThatThrownBy(() -> new Collective(Kind.ALL_GATHER, Algorithm.RING, 4, 7, 2, 0))
                .hasMessageContaining("7 bytes of 8 parts");
    }
}
