package io.headgate.testbed.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PrivilegeTest {
    @TempDir private Path settings;

    private void set(String directory, String name, String value) throws IOException {
        Path in = Files.createDirectories(settings.resolve(directory));
        Files.writeString(in.resolve(name), value + "\n");
    }

    @Test
    void theSysctlsThatForbidUserNamespacesAreNamed() throws IOException {
        set("user", "max_user_namespaces", "96365");
        assertThat(Privilege.whyNone(settings)).endsWith("and here no sysctl forbids it");
        set("kernel", "unprivileged_userns_clone", "0");
        set("user", "max_user_namespaces", "0");
        assertThat(Privilege.whyNone(settings))
                .endsWith(
                        "and here a sysctl forbids it: kernel.unprivileged_userns_clone = 0,"
                                + " user.max_user_namespaces = 0");
    }
}
