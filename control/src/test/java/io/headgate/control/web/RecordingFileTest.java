package io.headgate.control.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordingFileTest {
    private static final int LINES = 40;

    @TempDir private Path directory;

    @Test
    void aRecordingOfARunIsTheSameFileHoweverLongTheRunTook() throws Exception {
        Path fast = write("fast.gz", 0);
        // Longer than a live recording keeps its lines to itself.
        Path slow = write("slow.gz", 10);
        assertThat(slow).hasSameBinaryContentAs(fast);
    }

    @Test
    void whoLooksOnSeesEachLineOfARunBeforeItsEnd() throws Exception {
        Path file = directory.resolve("run.gz");
        try (RecordingFile recording = new RecordingFile(file, false)) {
            for (int line = 0; line < LINES; line++) {
                recording.write("line " + line);
                assertThat(soFar(RecordingFile.unfinished(file))).endsWith("line " + line + "\n");
            }
        }
    }

    private Path write(String name, long millis) throws IOException, InterruptedException {
        Path file = directory.resolve(name);
        try (RecordingFile recording = new RecordingFile(file, false)) {
            for (int line = 0; line < LINES; line++) {
                recording.write("line " + line);
                Thread.sleep(millis);
            }
        }
        return file;
    }

    /** What can be read of a file that has no end yet. */
    private static String soFar(Path file) throws IOException {
        StringBuilder text = new StringBuilder();
        try (var in = new GZIPInputStream(new ByteArrayInputStream(Files.readAllBytes(file)))) {
            for (int next = in.read(); next >= 0; next = in.read()) {
                text.append((char) next);
            }
        } catch (EOFException e) {
            // All that is there has been read.
        }
        return text.toString();
    }
}
