package io.headgate.control.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.read.SwitchConfigReader;
import io.headgate.control.capture.PcapngReader;
import io.headgate.control.capture.PcapngWriter;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.EgressCounter;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplayExampleTest {
    private static final int FRAMES = 60;
    private static final int FRAME_BYTES = 1000;

    @TempDir private Path directory;

    /** 60 frames of 1,000 bytes at once, through a port that holds 30 KB. */
    @Test
    void aReplayedBurstIsSentAsFarAsTheSlowerPortsQueueHoldsIt() throws Exception {
        Files.copy(Path.of("..", "config", "examples", "replay.yaml"), directory.resolve("r.yaml"));
        try (PcapngWriter writer =
                PcapngWriter.open(directory.resolve("trace.pcapng"), "test", null)) {
            int at = writer.addInterface("eth0", null, 0, 0, 65_536);
            byte[] frame = frame();
            for (int i = 0; i < FRAMES; i++) {
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
            } while (sent + dropped < FRAMES && System.nanoTime() - endNs < 0);
        }
        assertThat(sent + dropped).isEqualTo(FRAMES);
        assertThat(dropped).isBetween(FRAMES / 3L, FRAMES - 25L);
        long written = 0;
        try (InputStream in = Files.newInputStream(directory.resolve("out.pcapng"))) {
            PcapngReader reader = new PcapngReader(in);
            while (reader.next() != null) {
                written++;
            }
        }
        assertThat(written).isEqualTo(sent);
    }

    private static byte[] frame() {
        ByteBuffer frame = ByteBuffer.allocate(FRAME_BYTES);
        frame.putShort((short) 0x0200).putInt(2);
        frame.putShort((short) 0x0200).putInt(1);
        return frame.putShort((short) 0x88B6).array();
    }
}
