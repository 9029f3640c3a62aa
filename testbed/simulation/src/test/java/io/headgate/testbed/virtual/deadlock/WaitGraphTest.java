package io.headgate.testbed.virtual.deadlock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * A ring of three queues, each of which waits for the next, and what else may hold their frames.
 */
class WaitGraphTest {
    private static final StoppedQueue FIRST = queue("s1", 1);
    private static final StoppedQueue SECOND = queue("s2", 1);
    private static final StoppedQueue THIRD = queue("s3", 1);

    private static StoppedQueue queue(String node, int port) {
        return new StoppedQueue(node, port, "p" + (port + 1), 3);
    }

    private static Map<StoppedQueue, NavigableSet<StoppedQueue>> ring() {
        Map<StoppedQueue, NavigableSet<StoppedQueue>> ring = new HashMap<>();
        ring.put(FIRST, new TreeSet<>(List.of(SECOND)));
        ring.put(SECOND, new TreeSet<>(List.of(THIRD)));
        ring.put(THIRD, new TreeSet<>(List.of(FIRST)));
        return ring;
    }

    @Test
    void aRingWhoseQueuesAllWaitIsACircleFromItsLeastOn() {
        assertThat(new WaitGraph(ring()).circles()).containsExactly(List.of(FIRST, SECOND, THIRD));
    }

    @Test
    void aRingIsNoneWhileAPortThatDrainsHoldsFramesOfOneOfItsAccounts() {
        Map<StoppedQueue, NavigableSet<StoppedQueue>> ring = ring();
        // To a host, whose port is not stopped: once its frames have gone, the first may go on.
        ring.put(FIRST, new TreeSet<>(List.of(queue("s2", 0), SECOND)));
        assertThat(new WaitGraph(ring).circles()).isEmpty();
    }

    @Test
    void aRingIsOneIfThatPortWaitsForTheRingToo() {
        Map<StoppedQueue, NavigableSet<StoppedQueue>> ring = ring();
        StoppedQueue other = queue("s2", 2);
        ring.put(FIRST, new TreeSet<>(List.of(SECOND, other)));
        ring.put(other, new TreeSet<>(List.of(FIRST)));
        assertThat(new WaitGraph(ring).circles()).containsExactly(List.of(FIRST, SECOND, THIRD));
    }

    @Test
    void aQueueThatWaitsForNothingMayGoOnAndSoMayThoseBehindIt() {
        Map<StoppedQueue, NavigableSet<StoppedQueue>> ring = ring();
        ring.put(THIRD, new TreeSet<>());
        assertThat(new WaitGraph(ring).circles()).isEmpty();
    }
}
