package io.headgate.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReasonTest {
    @TempDir private Path directory;

    private static String whyNot(Path file) {
        try {
            Files.writeString(file, "x");
            return "written";
        } catch (IOException e) {
            return Reason.of(e);
        }
    }

    @Test
    void saysWhyAFileCannotBeWrittenWithoutNamesOfExceptions() throws IOException {
        Path missing = directory.resolve("none/x");
        assertThat(whyNot(missing)).isEqualTo("there is no " + missing);
        assertThat(whyNot(directory)).isEqualTo("Is a directory");
        Path file = Files.writeString(directory.resolve("f"), "x");
        assertThat(whyNot(file.resolve("x"))).isEqualTo("Not a directory");
        assertThat(Reason.of(new IOException())).isEqualTo("the file system does not say why");
    }
}
