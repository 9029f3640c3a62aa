package io.headgate.testbed.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.examples.Shell.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A congestion point that adds to frames, its sink, and a rate control that uses both come in a
 * jar.
 */
class TelemetryExampleTest {
    private static final Path STAMPS = ExampleJars.file("telemetry/stamps.yaml");

    @RegisterExtension private static final ExampleJars JARS = new ExampleJars("telemetry");

    private static Path own() throws IOException {
        return JARS.changed(STAMPS, text -> text.replace("hops: 5", "hops: 5, own: true"));
    }

    @Test
    void aCongestionPointOfAJarWritesIntoRoomThatItMadeAndASinkTakesItOff() throws Exception {
        Ended run = JARS.reproduce(STAMPS, "stamps");
        assertThat(run.said()).contains("PASS: 4 of 4 as expected.");
        assertThat(run.code()).isZero();
    }

    /** Without the receivers' echo windows would stay full, of 213 kB. */
    @Test
    void aReceiversCardEchoesWhatItTookOffToTheSendersRateControl() throws Exception {
        Ended run = JARS.reproduce(own(), "own");
        assertThat(run.said()).contains("PASS: 4 of 4 as expected.");
        assertThat(run.code()).isZero();
        Path datagrams =
                JARS.changed(STAMPS, text -> text.replace("transport: rocev2, window: 64, ", ""));
        Ended unacknowledged = JARS.reproduce(datagrams, "datagrams");
        assertThat(unacknowledged.said())
                .contains("far-window needs what acknowledgements carry, so connections");
        assertThat(unacknowledged.code()).isEqualTo(2);
    }

    /** Its window of 100 kB each; without what ports need it would stay full, of 213 kB. */
    @Test
    void aRateControlOfAJarIsComparedWithOurs() throws Exception {
        Ended run =
                JARS.reproduce(
                        "compare-controllers",
                        "compared",
                        "--set",
                        "control=far-window,swift",
                        "--set",
                        "network=bottleneck",
                        "--set",
                        "senders=2",
                        "--set",
                        "rate=10Gbps",
                        "--set",
                        "duration=1ms");
        assertThat(run.said()).containsPattern("far-window: [0-9.]+ kB +swift: [0-9.]+ kB");
        assertThat(run.code()).isZero();
        assertThat(JARS.measure("compared", "queue (kB)")).isLessThan(100);
    }

    /** With whole frames, whose ICRC the receivers verify behind the sink. */
    @Test
    void theExamplesDissectorReadsWhatItWritesAndRoceBehindIt() throws Exception {
        Path stored =
                JARS.changed(
                        STAMPS,
                        text ->
                                text.replaceAll("beds: .*", "beds: [virtual]")
                                        .replace(
                                                "transport: rocev2",
                                                "transport: rocev2, payload: stored")
                                        .replace("duration: 20ms", "duration: 500us")
                                        .replaceAll(".*last of .*\n", ""));
        Ended run = JARS.reproduce(stored, "stored", "--capture", "all");
        assertThat(run.said()).contains("PASS: 3 of 3 as expected.");
        Ended read =
                JARS.bash(
                        """
                        tshark -X "lua_script:$1" -r stored/captures/*.pcapng -T fields \
                            -e frame.len -e ip.len -e ip.checksum.status -e stamps.records \
                            -e stamps.queue -e infiniband.bth.opcode -e _ws.malformed \
                            -o ip.check_checksum:TRUE 2>/dev/null >read.txt
                        """,
                        ExampleJars.file("telemetry/stamps.lua").toString());
        assertThat(read).isEqualTo(new Ended(0, ""));
        List<String> frames = Files.readAllLines(JARS.directory().resolve("read.txt"));
        assertThat(frames).hasSizeGreaterThan(1_000);
        long told = 0;
        for (String frame : frames) {
            String[] cells = frame.split("\t", -1);
            int records = Integer.parseInt(cells[3]);
            boolean isAnswer = cells[5].equals("17");
            // The host writes one, the switch one more; 4 bytes say how many.
            assertThat(records).isBetween(1, 2);
            // An answer echoes the two records of the packet that it answers, 28 bytes each.
            int sentBytes = isAnswer ? 62 + 2 * 28 : 1_082;
            assertThat(cells[0]).isEqualTo(Integer.toString(sentBytes + 4 + 16 * records));
            assertThat(cells[1]).isEqualTo(Integer.toString(sentBytes - 14 + 4 + 16 * records));
            assertThat(cells[2]).isEqualTo("1");
            assertThat(cells[4].split(",")).hasSize(records);
            assertThat(cells[6]).isEmpty();
            told += isAnswer && records == 2 && !cells[4].startsWith("0,") ? 1 : 0;
        }
        assertThat(told).as("answers that tell of a queue").isGreaterThan(100);
    }

    @Test
    @Tag("netns")
    void aCongestionPointOfAJarWritesIntoRealFramesToo() throws Exception {
        Ended run = JARS.reproduce(own(), "really-stamps", "--bed", "netns");
        Map<String, Double> last = JARS.lastOfSeries("really-stamps", " stamps.written");
        assertThat(last).as(run.said()).hasSize(2);
        assertThat(last.values()).allSatisfy(one -> assertThat(one).isGreaterThan(100));
        assertThat(JARS.measure("really-stamps", "frames dropped (frames)")).isZero();
        // Without the echo windows would stay full; a machine that holds the switch fills them,
        // too, but not more than once.
        assertThat(JARS.measure("really-stamps", "highest queue (byte)"))
                .isLessThanOrEqualTo(3 * 64 * 1_110);
        // Hosts whose frames the sink did not give back as they were sent would be stuck.
        assertThat(JARS.measure("really-stamps", "frames received of all (frames)"))
                .isGreaterThan(2 * 3 * 64);
    }
}
