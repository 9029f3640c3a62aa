package io.headgate.dataplane.device.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class LinuxBaseTest {

    @Test
    void pollerWakesForAnEventfdAndTimesOutWithoutOne() {
        try (Eventfd doorbell = new Eventfd()) {
            Poller poller = new Poller(-1, doorbell.fd());
            assertThat(poller.await(1_000)).isZero();

            doorbell.signal();
            doorbell.signal();
            assertThat(poller.await(Long.MAX_VALUE)).isEqualTo(1);

            assertThat(doorbell.drain()).isTrue();
            assertThat(doorbell.drain()).isFalse();
            assertThat(poller.await(0)).isZero();
        }
    }

    @Test
    void pollerCountsTheDescriptorsThatAreReadyAndThoseAlone() {
        try (Eventfd first = new Eventfd();
                Eventfd second = new Eventfd()) {
            Poller both = new Poller(first.fd(), second.fd());
            second.signal();
            assertThat(both.await(Long.MAX_VALUE)).isEqualTo(1);
            assertThat(both.isReady(0)).isFalse();
            assertThat(both.isReady(1)).isTrue();
            assertThat(new Poller(first.fd(), -1).await(0)).as("the first alone").isZero();
            assertThat(new Poller(-1, second.fd()).await(0)).as("the second alone").isEqualTo(1);

            first.signal();
            assertThat(both.await(0)).isEqualTo(2);
            assertThat(second.drain()).isTrue();
            assertThat(both.await(0)).isEqualTo(1);
            both.setFd(0, -1);
            assertThat(both.await(0)).as("the first is no longer watched").isZero();
            assertThat(both.isReady(0)).as("of an empty place nothing is known").isTrue();
            assertThat(both.isReady(1)).isFalse();
        }
    }

    @Test
    void warmPollAndSignalAllocateNothing() {
        try (Eventfd doorbell = new Eventfd()) {
            Poller poller = new Poller(doorbell.fd());
            assertThat(Allocation.whenWarm(() -> ringAndPoll(doorbell, poller, 2_000))).isZero();
        }
    }

    private static void ringAndPoll(Eventfd doorbell, Poller poller, int times) {
        for (int count = 0; count < times; count++) {
            doorbell.signal();
            if (poller.await(1_000_000) != 1) {
                throw new AssertionError("not woken");
            }
            doorbell.drain();
        }
    }

    @Test
    void threadPinsItselfToACoreItMayUse() throws InterruptedException {
        int[] cores = Affinity.allowedCores();
        assertThat(cores).isNotEmpty();
        int last = cores[cores.length - 1];
        int[][] seen = new int[1][];
        Thread thread =
                new Thread(() -> {
                    Affinity.pin(last);
                    seen[0] = Affinity.allowedCores();
                });
        thread.start();
        thread.join();
        assertThat(seen[0]).containsExactly(last);
        assertThat(Affinity.allowedCores()).isEqualTo(cores);
    }

    @Test
    void pinningToAnAbsentCoreSaysWhichThereAre() {
        assertThatThrownBy(() -> Affinity.pin(8_000))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("core {8000}")
                .hasMessageContaining("this process may use [0");
    }

    @Test
    void timerSlackIsThisThreadsOwn() throws InterruptedException {
        long[] seen = new long[1];
        Thread thread =
                new Thread(() -> {
                    assertThat(TimerSlack.set(1)).isTrue();
                    seen[0] = TimerSlack.get();
                });
        thread.start();
        thread.join();
        assertThat(seen[0]).isEqualTo(1);
    }

    @Test
    void missingNamespaceIsNamedInOneSentence() {
        assertThatThrownBy(() -> NetworkNamespace.call("hgt-none", () -> "in"))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("there is no network namespace 'hgt-none'")
                .hasMessageContaining("ip netns add hgt-none");
        assertThatThrownBy(() -> NetworkNamespace.call("../proc/self/ns/net", () -> "in"))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("without '/'");
    }

    @Tag("netns")
    @Test
    void threadComesBackFromANamespaceAlsoAfterAFailure() throws DeviceException {
        try (TestNetwork network = new TestNetwork()) {
            String name = network.namespace("a");
            assertThat(NetworkNamespace.names()).contains(name);
            String home = here();
            String inside = NetworkNamespace.call(name, LinuxBaseTest::here);
            assertThat(inside).isNotEqualTo(home);
            assertThat(here()).isEqualTo(home);
            assertThatThrownBy(() ->
                            NetworkNamespace.call(
                                    name,
                                    () -> {
                                        throw new DeviceException("no");
                                    }))
                    .hasMessage("no");
            assertThat(here()).isEqualTo(home);
        }
    }

    /** The calling thread's namespace, as its link in /proc says. */
    static String here() throws DeviceException {
        try {
            return java.nio.file.Files.readSymbolicLink(
                            java.nio.file.Path.of("/proc/thread-self/ns/net"))
                    .toString();
        } catch (java.io.IOException failure) {
            throw new DeviceException("unreadable", failure);
        }
    }
}
