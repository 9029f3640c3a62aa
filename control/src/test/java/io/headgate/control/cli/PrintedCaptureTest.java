package io.headgate.control.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.capture.PcapngWriter;
import io.headgate.control.capture.PcapngWriter.Direction;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class PrintedCaptureTest {
    private static final int FRAME_BYTES = 60;

    /** As {@code timeout} and a closed terminal do: the signal reaches the relay, too. */
    @ParameterizedTest
    @ValueSource(strings = {"INT", "TERM", "HUP"})
    void aSignalToTheWholeGroupLosesNothingThatTheSwitchStillWrites(String signal)
            throws Exception {
        StringWriter shown = new StringWriter();
        PrintedCapture printed = PrintedCapture.to(new PrintWriter(shown));
        String relay = printed.path().replaceAll("^/proc/|/fd/0$", "");
        Path name = Path.of("/proc", relay, "comm");
        try (printed) {
            while (!Files.readString(name).equals("cat\n")) {
                LockSupport.parkNanos(1_000_000); // the shell that becomes it has not begun yet
            }
            assertThat(new ProcessBuilder("kill", "-" + signal, relay).start().waitFor()).isZero();

            PcapngWriter writer = PcapngWriter.open(Path.of(printed.path()), "test", null);
            int port = writer.addInterface("p1", null, 0, 0, 0);
            byte[] frame = new byte[FRAME_BYTES];
            writer.frame(port, 1, frame, frame.length, frame.length, Direction.IN, 0, -1, 0, null);
            writer.close();
            assertThat(writer.problem()).isNull();
        }
        assertThat(shown.toString()).contains("p1 in", "60 bytes").hasLineCount(1);
        ProcessHandle.of(Long.parseLong(relay)).ifPresent(process -> process.onExit().join());
    }
}
