package io.headgate.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.read.HostConfigReader;
import io.headgate.config.read.SwitchConfigReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * The published list of configuration keys equals what their records declare, with the mechanisms
 * of every module that a switch has. {@code -Dheadgate.rewrite=true} writes the published files
 * again.
 */
final class PublishedKeysTest {
    private static final Path CONFIG = Path.of("..", "config");
    private static final String BEGIN = "<!-- keys: made from the records -->\n";
    private static final String END = "<!-- end of keys -->\n";

    @Test
    void pageForPeopleListsEveryKey() throws IOException {
        Path page = CONFIG.resolve("README.md");
        String text = Files.readString(page);
        int begin = text.indexOf(BEGIN) + BEGIN.length();
        int end = text.indexOf(END);
        assertThat(end).as("the marks around the table in " + page).isGreaterThanOrEqualTo(begin);
        publish(page, text, text.substring(0, begin) + KeyTable.ofSwitch() + text.substring(end));
    }

    @Test
    void schemasForEditorsAreThoseThatFilesAreReadBy() throws IOException {
        publish("headgate-switch.schema.json", SwitchConfigReader.SCHEMA.text());
        publish("headgate-host.schema.json", HostConfigReader.SCHEMA.text());
    }

    private static void publish(String name, String schema) throws IOException {
        Path file = CONFIG.resolve("schema").resolve(name);
        publish(file, Files.exists(file) ? Files.readString(file) : "", schema + "\n");
    }

    private static void publish(Path file, String published, String made) throws IOException {
        if (Boolean.getBoolean("headgate.rewrite")) {
            Files.writeString(file, made);
        } else {
            assertThat(published)
                    .as(
                            "%s differs from what the records declare; publish it by mvn -pl"
                                    + " control -am test -Dtest=PublishedKeysTest"
                                    + " -Dsurefire.failIfNoSpecifiedTests=false"
                                    + " -Dheadgate.rewrite=true",
                            file)
                    .isEqualTo(made);
        }
    }
}
