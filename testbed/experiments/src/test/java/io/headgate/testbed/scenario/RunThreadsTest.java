package io.headgate.testbed.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RunThreadsTest {
    @Test
    void aSmallNetworkHasOneThreadUnlessANumberIsGiven() {
        assertThat(RunThreads.upTo(4).forPorts(8)).isEqualTo(1);
        assertThat(RunThreads.upTo(4).forPorts(7_000)).isEqualTo(4);
        assertThat(RunThreads.of(4).forPorts(8)).isEqualTo(4);
        // Cores for less than a thread each: runs at the same time take all of them.
        assertThat(RunThreads.upTo(0).forPorts(7_000)).isEqualTo(1);
    }
}
