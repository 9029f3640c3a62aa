package io.headgate.dataplane.forwarding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("threads")
class NeighbourTableTest {
    private record Key(int port, long high, long low) {}

    private static Key key(Random random) {
        return new Key(random.nextInt(3), random.nextInt(2), random.nextInt(40));
    }

    @Test
    void agreesWithAMapOverRandomOperations() {
        long seed = 20260104;
        Random random = new Random(seed);
        NeighbourTable table = new NeighbourTable(64);
        Map<Key, Long> reference = new HashMap<>();
        for (int i = 0; i < 200_000; i++) {
            Key key = key(random);
            int slot = table.find(key.port, key.high, key.low);
            assertThat(slot >= 0)
                    .as("seed %d, step %d", seed, i)
                    .isEqualTo(reference.containsKey(key));
            switch (random.nextInt(4)) {
                case 0 -> {
                    if (slot < 0) {
                        int added = table.add(key.port, key.high, key.low);
                        assertThat(added < 0).isEqualTo(reference.size() == 64);
                        if (added >= 0) {
                            reference.put(key, 0L);
                        }
                    }
                }
                case 1 -> {
                    if (slot >= 0) {
                        long mac = 1L + random.nextInt(100);
                        table.setMac(slot, mac);
                        reference.put(key, mac);
                    }
                }
                case 2 -> {
                    if (slot >= 0) {
                        table.remove(slot);
                        reference.remove(key);
                    }
                }
                default -> {
                    long mac = reference.getOrDefault(key, 0L);
                    assertThat(table.lookup(key.port, key.high, key.low))
                            .isEqualTo(mac == 0 ? NeighbourTable.NONE : mac);
                }
            }
            assertThat(table.size()).isEqualTo(reference.size());
        }
        int[] seen = {0};
        table.forEach((port, high, low, mac) -> {
            seen[0]++;
            assertThat(reference).containsEntry(new Key(port, high, low), mac);
        });
        assertThat(seen[0]).isEqualTo(reference.size());
    }

    @Test
    void readersNeverSeeTheMacOfAnotherNeighbour() throws InterruptedException {
        NeighbourTable table = new NeighbourTable(16);
        AtomicLong wrong = new AtomicLong();
        AtomicLong right = new AtomicLong();
        boolean[] done = {false};
        List<Thread> readers = new ArrayList<>();
        for (int r = 0; r < 2; r++) {
            Random random = new Random(r);
            Thread reader =
                    new Thread(() -> {
                        while (!isDone(done)) {
                            Key key = key(random);
                            long mac = table.lookup(key.port, key.high, key.low);
                            if (mac != NeighbourTable.NONE) {
                                right.incrementAndGet();
                                if (mac >>> 8 != code(key)) {
                                    wrong.incrementAndGet();
                                }
                            }
                        }
                    });
            reader.start();
            readers.add(reader);
        }
        Random random = new Random(20260105);
        for (int i = 0; i < 1_000_000; i++) {
            Key key = key(random);
            int slot = table.find(key.port, key.high, key.low);
            if (slot < 0) {
                slot = table.add(key.port, key.high, key.low);
            } else if (random.nextInt(3) == 0) {
                table.remove(slot);
                continue;
            }
            if (slot >= 0) {
                table.setMac(slot, (code(key) << 8) | random.nextInt(256));
            }
        }
        synchronized (done) {
            done[0] = true;
        }
        for (Thread reader : readers) {
            reader.join();
        }
        assertThat(wrong).hasValue(0);
        assertThat(right.get()).isPositive();
    }

    private static boolean isDone(boolean[] done) {
        synchronized (done) {
            return done[0];
        }
    }

    private static long code(Key key) {
        return 1L + key.port + 10L * key.high + 100 * key.low;
    }
}
