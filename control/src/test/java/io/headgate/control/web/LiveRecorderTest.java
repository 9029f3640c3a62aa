package io.headgate.control.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.control.cli.HeadgateForTests;
import io.headgate.control.daemon.DaemonException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class LiveRecorderTest {
    private static final int LINES_OF_EACH = 3;

    /** Says which network it is, and how many lines were asked for. */
    private static class Numbered implements WebSource.Lines {
        private final String name;
        private final CountDownLatch left = new CountDownLatch(LINES_OF_EACH);

        Numbered(String name) {
            this.name = name;
        }

        @Override
        public String next() {
            left.countDown();
            return name;
        }

        @Override
        public String whole() {
            return name + " whole";
        }

        @Override
        public boolean isEmpty() {
            return name.isEmpty();
        }
    }

    private static final class Source implements WebSource {
        private final CountDownLatch looked = new CountDownLatch(1);
        private volatile Numbered now = new Numbered("");

        @Override
        public Lines lines() {
            return now;
        }

        @Override
        public void look() {
            looked.countDown();
        }

        @Override
        public String explain(String node, String port, int priority, boolean isPausing) {
            throw new IllegalStateException("a recording asks nothing");
        }
    }

    @TempDir private Path directory;

    private static List<String> lines(Path file) throws IOException {
        try (BufferedReader in =
                new BufferedReader(
                        new InputStreamReader(
                                new GZIPInputStream(Files.newInputStream(file)),
                                StandardCharsets.UTF_8))) {
            return in.lines().toList();
        }
    }

    @Test
    void everyNetworkBeginsWithAWholeLineAndNoneHasNoLines() throws Exception {
        Path file = directory.resolve("lab.states.gz");
        Source source = new Source();
        LiveRecorder recorder = LiveRecorder.start(file, source);
        source.looked.await();
        for (String name : List.of("a", "b")) {
            Numbered numbered = new Numbered(name);
            source.now = numbered;
            numbered.left.await();
            source.now = new Numbered("");
        }
        assertThat(file).doesNotExist();
        assertThat(recorder.end())
                .startsWith("recording: " + file + ", 0.")
                .endsWith("headgate web --play " + file + " shows it");
        List<String> lines = lines(file);
        assertThat(lines).startsWith("a whole", "a", "a").endsWith("b", "b", "{\"end\":true}");
        assertThat(lines).containsOnlyOnce("b whole").doesNotContain("", " whole");
        assertThat(lines.indexOf("b whole")).isGreaterThan(lines.lastIndexOf("a"));
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("headgate-recording"));
    }

    /** A half line in a file with its final name would look like a whole recording. */
    @Test
    @Timeout(20)
    void whileALineIsStillBeingMadeTheRecordingKeepsTheNameOfOneThatIsNotWhole() throws Exception {
        Path file = directory.resolve("held.states.gz");
        CountDownLatch isAsked = new CountDownLatch(1);
        CountDownLatch mayAnswer = new CountDownLatch(1);
        Source held = new Source();
        held.now =
                new Numbered("held") {
                    @Override
                    public String next() {
                        isAsked.countDown();
                        while (mayAnswer.getCount() > 0) {
                            LockSupport.parkNanos(1_000_000);
                        }
                        return super.next();
                    }
                };
        LiveRecorder recorder = LiveRecorder.start(file, held, 50);
        isAsked.await();
        try {
            assertThat(recorder.end())
                    .isEqualTo(
                            "cannot write the recording "
                                    + file
                                    + ": its threads did not end; the recording so far is in "
                                    + RecordingFile.unfinished(file));
            assertThat(file).doesNotExist();
            assertThat(RecordingFile.unfinished(file)).exists();
        } finally {
            mayAnswer.countDown();
        }
    }

    @Test
    void whereNothingCanBeWrittenItDoesNotBegin() {
        Path file = directory.resolve("no/such/lab.states.gz");
        assertThatThrownBy(() -> LiveRecorder.start(file, new Source()))
                .isInstanceOf(DaemonException.class)
                .hasMessageStartingWith("cannot write the recording " + file);
    }

    /** It would be served, and the page would stay empty. */
    @Test
    @Timeout(20)
    void whatIsNotARecordingIsNotPlayed() throws Exception {
        Path file = Files.writeString(directory.resolve("result.json"), "{");
        HeadgateForTests.Ran ran = HeadgateForTests.run("web", "--play", file.toString());
        assertThat(ran.code()).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(ran.err()).contains("result.json is not a recording; ");
        assertThat(RecordingFile.isRecording(Files.createFile(directory.resolve("begun"))))
                .isTrue();
    }
}
