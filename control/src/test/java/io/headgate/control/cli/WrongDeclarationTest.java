package io.headgate.control.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.show.Heading;
import io.headgate.control.show.ShowRequest;
import io.headgate.control.show.ShowTable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Declarations that cannot be used, of jars on the class path: those are read when needed. */
final class WrongDeclarationTest {
    @TempDir private Path directory;

    @Test
    void isToldInASentenceByTheCommandThatNeedsIt() throws Exception {
        Path services = Files.createDirectories(directory.resolve("META-INF/services"));
        Files.writeString(services.resolve(ShowTable.class.getName()), Second.class.getName());
        List<String> classes =
                List.of("-cp", System.getProperty("java.class.path") + ":" + directory);
        Process process =
                new ProcessBuilder(OwnProgram.command(List.of(), classes, "show", "ports"))
                        .redirectErrorStream(true)
                        .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(said)
                .isEqualTo(
                        "headgate: a table in a jar cannot be used: "
                                + Second.class.getName()
                                + ", table \"ports\": another table has this name\n");
        assertThat(process.waitFor()).isEqualTo(2);
    }

    /** A table of a name that is taken. */
    public static final class Second implements ShowTable {
        @Override
        public Heading heading() {
            return Heading.of("ports", "other ports");
        }

        @Override
        public String text(ShowRequest request) {
            return "";
        }

        @Override
        public Object json(ShowRequest request) {
            return "";
        }
    }
}
