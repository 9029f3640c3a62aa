package io.headgate.dataplane.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.Mechanism;
import io.headgate.config.Mechanisms;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.sync.PortBoards;
import io.headgate.dataplane.policy.StopView;
import io.headgate.dataplane.queue.PriorityQueues;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What congestion points of a switch's ports show each other, and how long it is visible. */
class CongestionBoardTest {
    private static final int PORTS = 3;
    private static final long RATE_BPS = 1_000_000_000;

    private final PortBoards boards = new PortBoards(PORTS);

    private static Mechanisms shows(int number, boolean isOn) {
        return new Mechanisms(
                List.of(
                        new Mechanisms.Use(
                                Mechanism.Kind.CONGESTION_POINT,
                                "shower",
                                isOn,
                                new Shower.Configuration(number))));
    }

    private Congestion congestion(int port, int number) {
        return Objects.requireNonNull(
                Congestion.of(
                        shows(number, true),
                        new Congestion.Port(
                                new CongestionSetup.Node("s1", false),
                                port,
                                "p" + port,
                                RATE_BPS,
                                1500,
                                new PriorityQueues(1_000),
                                StopView.NEVER,
                                Notices.NONE,
                                boards,
                                6,
                                1),
                        _ -> new Frame[0],
                        null));
    }

    private static CongestionPoint point(Congestion of) {
        return Objects.requireNonNull(of.point());
    }

    @Test
    void aPortThatIsOnIsSeenByTheOthersAndByItselfOnlyWhileItIs() {
        Congestion first = congestion(0, 5);
        Congestion second = congestion(1, 6);
        CongestionPoint seer = point(second);
        assertThat(seer.counted(1, 0)).as("before it begins").isZero();
        point(first).reset(0);
        seer.reset(0);
        assertThat(seer.counted(1, 0)).isEqualTo(5);
        assertThat(seer.counted(0, 0)).as("its own").isEqualTo(6);
        // Another takes its place: what was shown is so until that one shows something.
        first.change(1, first.prepare(shows(5, true), shows(9, true), RATE_BPS, false));
        assertThat(seer.counted(1, 0)).isEqualTo(5);
        point(first).reset(1);
        assertThat(seer.counted(1, 0)).isEqualTo(9);
        first.change(2, first.prepare(shows(9, true), shows(9, false), RATE_BPS, false));
        assertThat(seer.counted(1, 0)).as("off").isZero();
        first.change(3, first.prepare(shows(9, false), shows(9, true), RATE_BPS, false));
        assertThat(seer.counted(1, 0)).as("on again, and counting from 0").isEqualTo(9);
        first.withdraw();
        assertThat(seer.counted(1, 0)).as("failed").isZero();
    }

    @Test
    void whatIsMadeAnewShowsNothingOfWhatWasBefore() {
        point(congestion(0, 5)).reset(0);
        CongestionPoint seer = point(congestion(1, 6));
        assertThat(seer.counted(1, 0)).isEqualTo(5);
        congestion(0, 5);
        assertThat(seer.counted(1, 0)).isZero();
    }
}
