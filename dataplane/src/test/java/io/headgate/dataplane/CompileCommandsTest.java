package io.headgate.dataplane;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the launcher tells the JVM's compiler, which is silent about methods that are not there. */
class CompileCommandsTest {
    private static final String ANY = "*";

    @Test
    void everyMethodThatIsNamedIsThere() throws IOException, ClassNotFoundException {
        List<String> patterns =
                Files.readAllLines(Path.of("compile-commands")).stream()
                        .filter(line -> line.startsWith("dontinline "))
                        .map(line -> line.substring("dontinline ".length()))
                        .toList();
        assertThat(patterns).isNotEmpty();
        for (String pattern : patterns) {
            String[] parts = pattern.split("::", 2);
            Class<?> named =
                    Class.forName(parts[0], false, CompileCommandsTest.class.getClassLoader());
            assertThat(parts[1])
                    .as(pattern)
                    .satisfiesAnyOf(
                            method -> assertThat(method).isEqualTo(ANY),
                            method ->
                                    assertThat(Arrays.stream(named.getDeclaredMethods()))
                                            .anyMatch(has -> has.getName().equals(method)));
        }
    }
}
