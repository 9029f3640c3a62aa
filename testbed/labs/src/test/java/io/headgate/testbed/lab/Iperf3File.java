package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What iperf3 itself said of a flow, next to the report. A busy machine starts and ends the two
 * ends of a flow at different times, and each end's rate is that of its own time: so bytes are held
 * against ports, and rates against these.
 */
final class Iperf3File {
    /** Rates in tables have one digit at least. */
    private static final double ROUNDING = 0.051e6;

    private final JsonNode end;

    private Iperf3File(JsonNode end) {
        this.end = end;
    }

    /**
     * @param name its file's, such as {@code udp-pairs-h1-h2}
     */
    static Iperf3File of(Path reports, String name) throws IOException {
        String text = Files.readString(reports.resolve("iperf3-" + name + ".json"));
        return new Iperf3File(JsonMapper.builder().build().readTree(text).path("end"));
    }

    /** Payload bytes that came out of the receiver's socket. */
    double receivedBytes() {
        return end.path("sum_received").path("bytes").asDouble(-1);
    }

    /** Payload bytes that the sender gave to its socket. */
    double sentBytes() {
        return end.path("sum_sent").path("bytes").asDouble(-1);
    }

    /** Payload bits per second of the receiver's own time. */
    double receivedBps() {
        return end.path("sum_received").path("bits_per_second").asDouble(-1);
    }

    /** Asserts that a table's rate, in bits per second, is what the sender said. */
    void assertSent(double bps) {
        double sentBps = end.path("sum_sent").path("bits_per_second").asDouble(-1);
        assertThat(bps).isCloseTo(sentBps, within(ROUNDING));
    }

    /** The same of the receiver. */
    void assertReceived(double bps) {
        assertThat(bps).isCloseTo(receivedBps(), within(ROUNDING));
    }
}
