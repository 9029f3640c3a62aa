package io.headgate.testbed.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SocketBuffersTest {
    @TempDir private Path limits;

    @Test
    void noMoreIsAskedForThanTheKernelGrantsInBothDirections() throws IOException {
        Files.writeString(limits.resolve("rmem_max"), "4194304\n");
        Files.writeString(limits.resolve("wmem_max"), "300000\n");
        assertThat(SocketBuffers.granted(200_000, limits)).isEqualTo(200_000);
        assertThat(SocketBuffers.granted(1_000_000, limits)).isEqualTo(300_000);
    }

    @Test
    void thisKernelsLimitsAreReadToTheirEnd() {
        assertThat(SocketBuffers.granted(4096)).isEqualTo(4096);
    }

    @Test
    void whereTheLimitCannotBeSeenItIsTakenForTheUsualOne() throws IOException {
        assertThat(SocketBuffers.granted(1_000_000, limits)).isEqualTo(212_992);
        Files.writeString(limits.resolve("rmem_max"), "all\n");
        assertThat(SocketBuffers.granted(1_000_000, limits)).isEqualTo(212_992);
    }
}
