package io.headgate.dataplane.openqueue;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Packets by their arrival, compared with a list. */
class ArrivalRankingTest {
    private final Random random = new Random(1);

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void isInTheOrderOfAListWhereverPacketsAreTakenOut(boolean isNewestFirst) {
        ArrivalRanking ranking = new ArrivalRanking(isNewestFirst);
        List<Packet> list = new ArrayList<>();
        for (int step = 0; step < 100_000; step++) {
            boolean grows = step / 1000 % 2 == 0;
            if (list.isEmpty() || random.nextInt(100) < (grows ? 60 : 40)) {
                Packet packet = packet();
                ranking.insert(packet, 0);
                list.add(packet);
            } else {
                switch (random.nextInt(3)) {
                    case 0 -> ranking.remove(list.removeFirst());
                    case 1 -> ranking.remove(list.removeLast());
                    default -> ranking.remove(list.remove(random.nextInt(list.size())));
                }
            }
            Packet oldest = list.isEmpty() ? null : list.getFirst();
            Packet newest = list.isEmpty() ? null : list.getLast();
            assertThat(ranking.best()).isSameAs(isNewestFirst ? newest : oldest);
            assertThat(ranking.worst()).isSameAs(isNewestFirst ? oldest : newest);
        }
    }

    @Test
    void aFullQueueThatDropsWhatComesAllocatesNothing() {
        ArrivalRanking ranking = new ArrivalRanking(false);
        Packet[] held = new Packet[66];
        for (int i = 0; i < held.length; i++) {
            held[i] = packet();
            ranking.insert(held[i], 0);
        }
        Packet[] coming = {packet(), packet()};
        ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = thread.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 100_000; i++) {
            ranking.insert(coming[i & 1], 0);
            // In the middle, too, as where a packet of another priority is dropped.
            Packet dropped = i % 3 == 0 ? held[40] : coming[i & 1];
            ranking.remove(dropped);
            if (i % 3 == 0) {
                held[40] = coming[i & 1];
                coming[i & 1] = dropped;
            }
        }
        assertThat(thread.getCurrentThreadAllocatedBytes() - before).isLessThan(10_000);
    }

    private static Packet packet() {
        return new Packet(new Packet.Fields());
    }
}
