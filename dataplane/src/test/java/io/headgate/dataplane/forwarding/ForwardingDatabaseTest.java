package io.headgate.dataplane.forwarding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("threads")
class ForwardingDatabaseTest {
    @Test
    void agreesWithAMapOverRandomOperations() {
        long seed = 20260106;
        Random random = new Random(seed);
        ForwardingDatabase database = new ForwardingDatabase(64);
        Map<Long, Long> reference = new HashMap<>();
        for (int i = 0; i < 300_000; i++) {
            long key = ForwardingDatabase.key(1 + random.nextInt(2), 1 + random.nextInt(60));
            String step = "seed " + seed + ", step " + i;
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> {
                    int port = random.nextInt(60);
                    boolean isStatic = random.nextInt(10) == 0;
                    boolean fits = reference.containsKey(key) || reference.size() < 64;
                    assertThat(database.put(key, port, isStatic, i)).as(step).isEqualTo(fits);
                    if (fits) {
                        reference.put(key, database.lookup(key));
                        assertThat(ForwardingDatabase.port(reference.get(key))).isEqualTo(port);
                        assertThat(ForwardingDatabase.seenMs(reference.get(key))).isEqualTo(i);
                        assertThat(ForwardingDatabase.isStatic(reference.get(key)))
                                .isEqualTo(isStatic);
                    }
                }
                case 3, 4 -> {
                    database.remove(key);
                    reference.remove(key);
                }
                case 5 -> {
                    long oldest = (long) i - random.nextInt(2000);
                    LongPredicate old =
                            entry ->
                                    !ForwardingDatabase.isStatic(entry)
                                            && ForwardingDatabase.seenMs(entry) < oldest;
                    int removed = database.sweep(database.slots(), old);
                    int before = reference.size();
                    reference.values().removeIf(old::test);
                    assertThat(removed).as(step).isEqualTo(before - reference.size());
                }
                default ->
                        assertThat(database.lookup(key))
                                .as(step)
                                .isEqualTo(reference.getOrDefault(key, ForwardingDatabase.NONE));
            }
            assertThat(database.size()).as(step).isEqualTo(reference.size());
        }
        Map<Long, Long> shown = new HashMap<>();
        database.forEach(shown::put);
        assertThat(shown).isEqualTo(reference);
    }

    @Test
    void readersSeeAnEntryOfTheirKeyOrNone() throws InterruptedException {
        ForwardingDatabase database = new ForwardingDatabase(64);
        AtomicLong wrong = new AtomicLong();
        AtomicLong right = new AtomicLong();
        AtomicBoolean done = new AtomicBoolean();
        List<Thread> readers = new ArrayList<>();
        for (int r = 0; r < 2; r++) {
            Random random = new Random(r);
            Thread reader =
                    new Thread(() -> {
                        while (!done.get()) {
                            int host = 1 + random.nextInt(100);
                            long entry = database.lookup(ForwardingDatabase.key(1, host));
                            if (entry != ForwardingDatabase.NONE) {
                                right.incrementAndGet();
                                if (ForwardingDatabase.port(entry) != host) {
                                    wrong.incrementAndGet();
                                }
                            }
                        }
                    });
            reader.start();
            readers.add(reader);
        }
        Random random = new Random(20260107);
        for (int i = 0; i < 2_000_000; i++) {
            int host = 1 + random.nextInt(100);
            long key = ForwardingDatabase.key(1, host);
            if (random.nextInt(3) == 0) {
                database.remove(key);
            } else {
                // Key and port say the same, so that a mixed entry would show.
                database.put(key, host, false, i);
            }
        }
        done.set(true);
        for (Thread reader : readers) {
            reader.join();
        }
        assertThat(wrong).hasValue(0);
        assertThat(right.get()).isPositive();
    }
}
