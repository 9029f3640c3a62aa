package io.headgate.testbed.virtual.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.hostagent.rate.PacingWheel;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeEventsTest {
    private static final int NODE = 3;

    private record Pending(long time, int event) implements Comparable<Pending> {
        @Override
        public int compareTo(Pending other) {
            int byTime = Long.compare(time, other.time);
            return byTime == 0 ? Integer.compare(event, other.event) : byTime;
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 4", "3, 9", "17, 37"})
    void eventsComeByTimeThenNumberAndTheAgendaKnowsTheNext(int ports, int duties) {
        PacingWheel agenda = PacingWheel.ofRun(NODE + 1);
        NodeEvents events = new NodeEvents(agenda, NODE, 2 * ports + duties);
        TreeSet<Pending> expected = new TreeSet<>();
        SplittableRandom random = new SplittableRandom(ports);
        long now = 0;
        for (int i = 0; i < 20_000; i++) {
            int event = random.nextInt(2 * ports + duties);
            expected.remove(new Pending(events.timeOf(event), event));
            if (random.nextInt(8) == 0) {
                events.cancel(event);
            } else {
                long time = now + random.nextInt(20);
                events.schedule(event, time);
                expected.add(new Pending(time, event));
            }
            long next = expected.isEmpty() ? PacingWheel.NEVER : expected.first().time();
            assertThat(events.nextTime()).isEqualTo(next);
            assertThat(agenda.timeOf(NODE)).isEqualTo(next);
            if (random.nextInt(3) == 0 && !expected.isEmpty()) {
                assertThat(agenda.poll()).isEqualTo(NODE);
                now = next;
                events.begin();
                while (events.nextTime() == now) {
                    assertThat(events.poll()).isEqualTo(expected.pollFirst().event());
                }
                events.end();
            }
        }
    }

    @Test
    void whatIsLaterThanTheLastTimeNeverHappens() {
        NodeEvents events = new NodeEvents(PacingWheel.ofRun(NODE + 1), NODE, 8192);
        events.schedule(8191, NodeEvents.LAST_PS);
        events.schedule(3, NodeEvents.LAST_PS + 1);
        events.schedule(8190, NodeEvents.LAST_PS + 1);
        events.schedule(2, Long.MAX_VALUE / 2);
        assertThat(events.nextTime()).isEqualTo(NodeEvents.LAST_PS);
        assertThat(events.timeOf(3)).isEqualTo(PacingWheel.NEVER);
        events.begin();
        assertThat(events.poll()).isEqualTo(8191);
        assertThat(events.nextTime()).isEqualTo(PacingWheel.NEVER);
        events.end();
    }

    @Test
    void aNodeHasNoMoreEventsThanNumbers() {
        PacingWheel agenda = PacingWheel.ofRun(NODE + 1);
        assertThatCode(() -> new NodeEvents(agenda, NODE, 8192)).doesNotThrowAnyException();
        assertThatThrownBy(() -> new NodeEvents(agenda, NODE, 8193))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("node 3 has 8193 events; at most 8192 are allowed");
    }
}
