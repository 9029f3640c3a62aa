package io.headgate.dataplane.device.linux.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.Errno;
import io.headgate.dataplane.device.linux.Files;
import io.headgate.dataplane.device.linux.Sockets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class LinkStateTest {
    private static final int TIMES = 100;
    private static final int LOOKS_BEFORE = 20;
    private static final int LOOKS_AFTER = 3;

    /** The loopback interface is there whatever is said of it, so each look finds it. */
    @Test
    void interfaceThatIsGoneStaysSoWhileOthersPollItAndLoseIt()
            throws DeviceException, InterruptedException {
        Errno errno = new Errno();
        int socket = Sockets.socket(errno, Sockets.AF_INET, Sockets.SOCK_DGRAM, 0);
        try {
            LinuxInterface loopback = LinuxInterface.read("", "lo");
            for (int time = 0; time < TIMES; time++) {
                LinkState link = new LinkState(errno, socket, loopback);
                assertThat(link.isGone()).isFalse();
                endWhilePolled(link);
                assertThat(link.isGone()).as("time %d", time).isTrue();
                assertThat(link.isUp()).isFalse();
                assertThat(link.deadlineNs()).isEqualTo(Long.MAX_VALUE);
            }
        } finally {
            Files.close(errno, socket);
        }
    }

    private static void endWhilePolled(LinkState link) throws InterruptedException {
        AtomicBoolean ended = new AtomicBoolean();
        CountDownLatch polled = new CountDownLatch(LOOKS_BEFORE);
        Thread poller =
                new Thread(() -> {
                    for (int after = 0; after < LOOKS_AFTER; after += ended.get() ? 1 : 0) {
                        link.look();
                        polled.countDown();
                    }
                });
        Thread loser =
                new Thread(() -> {
                    while (!ended.get()) {
                        link.lost();
                    }
                });
        poller.start();
        loser.start();
        polled.await();
        link.end();
        ended.set(true);
        poller.join();
        loser.join();
    }
}
