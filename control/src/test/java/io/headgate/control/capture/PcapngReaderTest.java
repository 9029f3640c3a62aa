package io.headgate.control.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PcapngReaderTest {
    @TempDir private Path directory;

    private byte[] written() throws Exception {
        Path file = directory.resolve("x.pcapng");
        try (PcapngWriter writer = PcapngWriter.open(file, "test", "a comment")) {
            int p1 = writer.addInterface("p1", "device", 2, 1_000_000_000, 65_536);
            int drops = writer.addInterface("drops", null, 0, 0, 65_536);
            byte[] data = {1, 2, 3, 4, 5};
            writer.frame(
                    p1,
                    1_700_000_000_123_456_789L,
                    data,
                    5,
                    60,
                    PcapngWriter.Direction.OUT,
                    7,
                    3,
                    0,
                    null);
            writer.statistics(p1, 1, 2, 3, 4);
            writer.frame(
                    drops,
                    5,
                    data,
                    3,
                    3,
                    PcapngWriter.Direction.UNKNOWN,
                    8,
                    -1,
                    0,
                    "QUEUE_FULL: x");
        }
        return Files.readAllBytes(file);
    }

    @Test
    void readsWhatASwitchWrites() throws Exception {
        PcapngReader reader = new PcapngReader(new ByteArrayInputStream(written()));
        PcapngReader.Packet first = Objects.requireNonNull(reader.next());
        assertThat(first.at()).isEqualTo("p1");
        assertThat(first.timeNs()).isEqualTo(1_700_000_000_123_456_789L);
        assertThat(first.direction()).isEqualTo("out");
        assertThat(first.data()).containsExactly(1, 2, 3, 4, 5);
        assertThat(first.lengthBytes()).isEqualTo(60);
        assertThat(first.comment()).isEmpty();
        PcapngReader.Packet second = Objects.requireNonNull(reader.next());
        assertThat(second.at()).isEqualTo("drops");
        assertThat(second.direction()).isEmpty();
        assertThat(second.comment()).isEqualTo("QUEUE_FULL: x");
        assertThat(second.data()).hasSize(3);
        assertThat(reader.next()).isNull();
    }

    @Test
    void whatIsNoCaptureOrCutShortIsRefused() throws Exception {
        PcapngReader text =
                new PcapngReader(
                        new ByteArrayInputStream("no capture".getBytes(StandardCharsets.UTF_8)));
        assertThatThrownBy(text::next)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("not pcapng");
        byte[] whole = written();
        PcapngReader cut =
                new PcapngReader(new ByteArrayInputStream(Arrays.copyOf(whole, whole.length - 5)));
        cut.next();
        assertThatThrownBy(cut::next)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("within a block");
    }
}
