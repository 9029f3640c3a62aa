package io.headgate.dataplane.memory.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What ports of a switch show each other. */
@Tag("threads")
class PortBoardTest {
    private static final int WORDS = 3;
    private static final int LOOKS = 1_000_000;

    private final PortBoard[] boards = PortBoard.between(3, WORDS);

    private static void show(PortBoard board, long first) {
        for (int word = 0; word < WORDS; word++) {
            board.put(word, first + word);
        }
        board.show();
    }

    private static boolean looks(PortBoard by, int port, long first) {
        boolean looked = by.look(port);
        for (int word = 0; word < WORDS && looked; word++) {
            assertThat(by.get(word)).isEqualTo(first + word);
        }
        return looked;
    }

    @Test
    void eachPortSeesWhatEveryPortShowsAndTheLatestCounts() {
        assertThat(boards[0].ports()).isEqualTo(3);
        for (int port = 0; port < 3; port++) {
            assertThat(boards[1].look(port)).as("nothing yet").isFalse();
            assertThat(boards[1].shown(port)).isZero();
        }
        for (long time = 1; time < 10; time++) {
            show(boards[2], 100 * time);
            show(boards[1], 1_000 * time);
            for (PortBoard board : boards) {
                assertThat(looks(board, 2, 100 * time)).isTrue();
                assertThat(looks(board, 1, 1_000 * time)).isTrue();
                assertThat(board.shown(2)).isEqualTo(100 * time);
                assertThat(board.look(0)).isFalse();
            }
        }
    }

    @Test
    void whatIsPutIsSeenWhenItIsShownAndTheOtherWordsStay() {
        show(boards[0], 5);
        boards[0].put(1, 77);
        assertThat(looks(boards[1], 0, 5)).isTrue();
        boards[0].show();
        assertThat(boards[1].look(0)).isTrue();
        assertThat(boards[1].get(0)).isEqualTo(5);
        assertThat(boards[1].get(1)).isEqualTo(77);
        assertThat(boards[1].get(2)).isEqualTo(7);
    }

    @Test
    void aPortThatWithdrawsShowsNothingUntilItShowsAgain() {
        show(boards[0], 5);
        boards[0].withdraw();
        assertThat(boards[1].look(0)).isFalse();
        assertThat(boards[1].shown(0)).isZero();
        boards[0].withdraw();
        // The same as before is something else now.
        boards[0].show();
        assertThat(looks(boards[1], 0, 5)).isTrue();
    }

    @Test
    void whatIsNoPortShowsNothingAndAPortWithoutWordsNeither() {
        assertThat(boards[0].look(-1)).isFalse();
        assertThat(boards[0].look(3)).isFalse();
        assertThat(boards[0].shown(Integer.MAX_VALUE)).isZero();
        PortBoards none = new PortBoards(2);
        assertThat(none.of("a", 0, 1)).isSameAs(PortBoard.NONE);
        PortBoard.NONE.show();
        PortBoard.NONE.withdraw();
        assertThat(PortBoard.NONE.look(0)).isFalse();
        assertThat(none.of("a", 1, 1)).isSameAs(none.of("a", 1, 1)).isNotSameAs(none.of("b", 1, 1));
        PortBoard ofCard = PortBoards.NONE.of("a", 1, 1);
        ofCard.show(7);
        ofCard.withdraw();
        assertThat(ofCard.look(1)).isFalse();
        assertThat(ofCard.shown(1)).isZero();
        none.of("a", 1, 0).show(7);
        assertThat(none.of("a", 1, 1).shown(0)).isEqualTo(7);
        assertThat(none.of("b", 1, 1).shown(0)).isZero();
    }

    /** Of what changes all the time every look that succeeds is of one time. */
    @Test
    void wordsThatAnotherThreadLooksAtAreAllOfOneTime() throws InterruptedException {
        PortBoard[] boards64 = PortBoard.between(2, 64);
        AtomicBoolean ends = new AtomicBoolean();
        Thread shows =
                Thread.ofPlatform()
                        .start(() -> {
                            for (long time = 1; !ends.get(); time++) {
                                for (int word = 0; word < 64; word++) {
                                    boards64[0].put(word, time);
                                }
                                boards64[0].show();
                            }
                        });
        PortBoard by = boards64[1];
        long last = 0;
        long torn = 0;
        long succeeded = 0;
        try {
            for (int look = 0; look < LOOKS; look++) {
                if (by.look(0)) {
                    succeeded++;
                    long first = by.get(0);
                    boolean isWhole = first >= last;
                    for (int word = 1; word < 64; word++) {
                        isWhole &= by.get(word) == first;
                    }
                    torn += isWhole ? 0 : 1;
                    last = first;
                }
            }
        } finally {
            ends.set(true);
            shows.join();
        }
        assertThat(torn).as("of %d looks", succeeded).isZero();
        assertThat(succeeded).isPositive();
        assertThat(last).isPositive();
    }
}
