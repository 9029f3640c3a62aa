package io.headgate.testbed.netns;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class OwnRunDirectoryTest {
    /** What the JVM was started with, which its first thread still has. */
    private static final Path OF_THE_MACHINE = Path.of("/proc/self/root/run");

    private static long device(Path directory) {
        try {
            return (long) Files.getAttribute(directory, "unix:dev");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    @Tag("netns")
    void testsWithDevicesTheirThreadsAndProgramsHaveARunOfTheirOwn() throws Exception {
        long own = device(Path.of("/run"));
        assertThat(own).isNotEqualTo(device(OF_THE_MACHINE));
        assertThat(CompletableFuture.supplyAsync(() -> device(Path.of("/run"))).join())
                .isEqualTo(own);
        Process stat = new ProcessBuilder("stat", "--format=%d", "/run").start();
        assertThat(new String(stat.getInputStream().readAllBytes(), UTF_8).strip())
                .isEqualTo(Long.toString(own));
    }

    @Test
    @Tag("netns")
    void aClassThatLeavesSomethingBehindFailsAndNoLaterOneDoes() throws Exception {
        OwnRunDirectory.requireNothingNew("before");
        for (String name : new String[] {"/run/netns/left", "/run/headgate/labs/left.json"}) {
            Path left = Path.of(name);
            Files.createDirectories(left.getParent());
            Files.createFile(left);
            try {
                assertThatThrownBy(() -> OwnRunDirectory.requireNothingNew("this class"))
                        .hasMessage("this class leaves behind [" + name + "]");
                OwnRunDirectory.requireNothingNew("a later one");
            } finally {
                Files.delete(left);
            }
        }
    }
}
