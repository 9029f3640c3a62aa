package io.headgate.control.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class ServerThreadsTest {
    private static final long LONG_MS = 60_000;

    @Test
    void waitsForTheThreadAndNotOnlyForItsWork() throws Exception {
        ServerThreads threads = new ServerThreads("test-threads");
        CountDownLatch workDone = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        Thread slowToEnd =
                threads.newThread(() -> {
                    workDone.countDown();
                    awaitUninterruptibly(mayEnd);
                });
        slowToEnd.start();
        workDone.await();
        assertThat(threads.awaitGone(1)).isFalse();
        mayEnd.countDown();
        assertThat(threads.awaitGone(LONG_MS)).isTrue();
        assertThat(slowToEnd.isAlive()).isFalse();
    }

    @Test
    void anExecutorsThreadsAreGoneAfterwardsHoweverOften() {
        for (int i = 0; i < 200; i++) {
            ServerThreads threads = new ServerThreads("test-threads-" + i);
            try (ExecutorService executor = Executors.newFixedThreadPool(2, threads)) {
                executor.execute(() -> {});
                executor.execute(() -> {});
            }
            assertThat(threads.awaitGone(LONG_MS)).isTrue();
            String name = "test-threads-" + i + "-";
            assertThat(Thread.getAllStackTraces().keySet())
                    .noneMatch(thread -> thread.getName().startsWith(name));
        }
    }

    @Test
    void aThreadThatWasNeverStartedIsNotWaitedFor() {
        ServerThreads threads = new ServerThreads("test-threads");
        assertThat(threads.newThread(() -> {}).isDaemon()).isTrue();
        assertThat(threads.awaitGone(LONG_MS)).isTrue();
    }

    @Test
    void whoIsInterruptedStaysSoAndIsToldWhatIsLeft() {
        ServerThreads threads = new ServerThreads("test-threads");
        CountDownLatch mayEnd = new CountDownLatch(1);
        threads.newThread(() -> awaitUninterruptibly(mayEnd)).start();
        Thread.currentThread().interrupt();
        assertThat(threads.awaitGone(LONG_MS)).isFalse();
        assertThat(Thread.interrupted()).isTrue();
        mayEnd.countDown();
        assertThat(threads.awaitGone(LONG_MS)).isTrue();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await(LONG_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }
}
