package io.headgate.control.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headgate.config.read.SwitchConfigReader;
import io.headgate.control.capture.PcapngWriter;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.EgressCounter;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplayExampleTest {
    private static final int FRAME_BYTES = 1000;
    private static final int FILE_HEADER_BYTES = 24;
    private static final int RECORD_HEADER_BYTES = 16;

    @TempDir private Path directory;

    private record Outcome(long sent, long dropped, long written) {}

    @Test
    void allFramesOfABurstAreForwardedAlsoTheFirst() throws Exception {
        assertThat(replay(60)).isEqualTo(new Outcome(60, 0, 60));
    }

    /** 200 frames of 1,000 bytes in 200 us, through a port that holds 100 KB and sends 10 Mb/s. */
    @Test
    void whatTheSlowerPortsQueueCannotHoldIsDroppedAndCounted() throws Exception {
        Outcome outcome = replay(200);
        assertThat(outcome.sent + outcome.dropped).isEqualTo(200);
        // A machine that is held up for 100 ms lets the queue drain meanwhile.
        assertThat(outcome.dropped).isBetween(1L, 101L);
        assertThat(outcome.written).isEqualTo(outcome.sent);
    }

    @Test
    void aReplayAndAnOutputThatEndEarlyAreToldAndRecorded() throws Exception {
        assumeTrue(Files.isWritable(Path.of("/dev/full")), "there is no /dev/full");
        Path input = directory.resolve("cut.pcapng");
        write(input, 3);
        byte[] whole = Files.readAllBytes(input);
        Files.write(input, Arrays.copyOf(whole, whole.length - 500));
        Path file =
                Files.writeString(
                        directory.resolve("cut.yaml"),
                        """
                        name: cut
                        ports:
                          - {name: in, device: {pcap-file: {input: cut.pcapng}}}
                          - {name: out, device: {pcap-file: {output: /dev/full}}}
                        """);
        List<String> log = new CopyOnWriteArrayList<>();
        SwitchOptions options = new SwitchOptions(false, true, null, log::add);
        try (RunningSwitch running = RunningSwitch.start(SwitchConfigReader.read(file), options)) {
            long endNs = System.nanoTime() + 10_000_000_000L;
            while (running.errors().isEmpty() && System.nanoTime() - endNs < 0) {
                LockSupport.parkNanos(10_000_000);
            }
            // Only the last error of a kind is kept, which may already be the output's.
            assertThat(running.errors())
                    .anySatisfy(error ->
                            assertThat(error.last())
                                    .containsAnyOf(
                                            "cut.pcapng ended after 2 frames",
                                            "output to /dev/full stopped"));
        }
        assertThat(log)
                .anyMatch(line -> line.contains("cut.pcapng ended after 2 frames"))
                .anyMatch(line -> line.startsWith("port out: output to /dev/full stopped"));
    }

    private Outcome replay(int frames) throws Exception {
        Files.copy(Path.of("..", "config", "examples", "replay.yaml"), directory.resolve("r.yaml"));
        write(directory.resolve("trace.pcapng"), frames);
        long sent;
        long dropped;
        SwitchOptions cold = new SwitchOptions(false, false, null, line -> {});
        try (RunningSwitch running =
                RunningSwitch.start(SwitchConfigReader.read(directory.resolve("r.yaml")), cold)) {
            long endNs = System.nanoTime() + 10_000_000_000L;
            do {
                LockSupport.parkNanos(10_000_000);
                var counters = running.counters();
                sent = counters.value(Scope.EGRESS, "p2", EgressCounter.FRAMES_TRANSMITTED);
                dropped = counters.dropsAt("p2");
            } while (sent + dropped < frames && System.nanoTime() - endNs < 0);
        }
        long bytes = Files.size(directory.resolve("out.pcap")) - FILE_HEADER_BYTES;
        return new Outcome(sent, dropped, bytes / (RECORD_HEADER_BYTES + FRAME_BYTES));
    }

    private static void write(Path file, int frames) throws Exception {
        byte[] frame = frame();
        try (PcapngWriter writer = PcapngWriter.open(file, "test", null)) {
            int at = writer.addInterface("eth0", null, 0, 0, 65_536);
            for (int i = 0; i < frames; i++) {
                writer.frame(
                        at,
                        1_000L * i,
                        frame,
                        frame.length,
                        frame.length,
                        PcapngWriter.Direction.UNKNOWN,
                        -1,
                        -1,
                        0,
                        null);
            }
        }
    }

    private static byte[] frame() {
        ByteBuffer frame = ByteBuffer.allocate(FRAME_BYTES);
        frame.putShort((short) 0x0200).putInt(2);
        frame.putShort((short) 0x0200).putInt(1);
        return frame.putShort((short) 0x9000).array();
    }
}
