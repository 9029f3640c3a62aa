package io.headgate.dataplane.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What tshark finds in frames, with the dissector that we ship. */
public final class Dissected {
    private static final Path TSHARK = Path.of("/usr/bin/tshark");

    private Dissected() {}

    /**
     * A line for each frame, with the fields asked for between semicolons.
     *
     * @param directory for files
     */
    public static List<String> fields(Path directory, List<byte[]> frames, String... fields)
            throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(TSHARK), "needs tshark");
        ByteBuffer pcap = ByteBuffer.allocate(1 << 14).order(ByteOrder.LITTLE_ENDIAN);
        pcap.putInt(0xA1B2C3D4).putShort((short) 2).putShort((short) 4).putLong(0);
        pcap.putInt(65_535).putInt(1);
        for (byte[] one : frames) {
            pcap.putInt(0).putInt(0).putInt(one.length).putInt(one.length).put(one);
        }
        Path file = directory.resolve("frames.pcap");
        Files.write(file, Arrays.copyOf(pcap.array(), pcap.position()));
        List<String> command = new ArrayList<>(List.of(TSHARK.toString(), "-n", "-r"));
        command.addAll(List.of(file.toString(), "-o", "ip.check_checksum:TRUE"));
        command.addAll(List.of("-X", "lua_script:../config/wireshark/headgate.lua"));
        command.addAll(List.of("-T", "fields", "-E", "separator=;"));
        for (String field : fields) {
            command.addAll(List.of("-e", field));
        }
        Path errors = directory.resolve("errors");
        Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(Files.readString(errors)).isZero();
        assertThat(Files.readString(errors)).doesNotContainIgnoringCase("lua:");
        return output.lines().toList();
    }
}
