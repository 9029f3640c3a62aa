package io.headgate.testbed.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.testbed.examples.Shell.Ended;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The telemetry in frames of a run, as tshark reads it by the dissector that we ship, against what
 * captures of the links say: when each frame began on a link, and so what waited behind it.
 */
class TelemetryFramesTest {
    private static final double DELAY_NS = 1_000;
    private static final double NS_PER_BYTE = 0.08;
    private static final int WIRE_OVERHEAD_BYTES = 24;
    private static final String LAST_LINK = "s2>s3";

    @TempDir private Path directory;

    /** A frame as it begins on a link; of its records the newest comes first. */
    private record Seen(String link, double startNs, int bytes, int opcode, List<Hop> hops) {
        private static Seen of(String line) {
            String[] cells = line.split("\t", -1);
            List<Hop> hops = new ArrayList<>();
            for (int hop = 0; !cells[4].isEmpty() && hop < cells[4].split(",").length; hop++) {
                hops.add(new Hop(at(cells[4], hop), at(cells[5], hop), at(cells[6], hop)));
            }
            return new Seen(
                    cells[0],
                    Double.parseDouble(cells[1]) * 1e9,
                    Integer.parseInt(cells[2]),
                    Integer.parseInt(cells[3]),
                    hops);
        }

        private static long at(String values, int index) {
            return Long.parseLong(values.split(",")[index]);
        }
    }

    private record Hop(long timeNs, long latencyNs, long queueBytes) {}

    @Test
    @Tag("long")
    void timesAndQueuesAreThoseOfTheCapturesAtBothSidesOfEachPort() throws Exception {
        Ended run =
                Shell.bash(
                        directory,
                        """
                        sed 's/duration: 300us/duration: 60us/; s/transport: rocev2/&, payload: stored/
                            /at-least/d' "$1" >t.yaml
                        "$HEADGATE" reproduce t.yaml --out out --capture all
                        tshark -X "lua_script:$2" -r out/captures/*.pcapng -T fields \
                            -e frame.interface_name -e frame.time_epoch -e frame.len \
                            -e infiniband.bth.opcode -e headgate.int.time \
                            -e headgate.int.latency -e headgate.int.queue_bytes \
                            -e _ws.malformed -e headgate.int.mtu 2>/dev/null >read.txt
                        """,
                        Path.of("examples/scenarios/telemetry.yaml").toAbsolutePath().toString(),
                        Path.of("../config/wireshark/headgate.lua").toAbsolutePath().toString());
        // Receivers verify the ICRC of whole frames behind the sink: they take none that is wrong.
        assertThat(run.said()).contains("PASS: 2 of 2 as expected.");
        List<String> lines = Files.readAllLines(directory.resolve("read.txt"));
        assertThat(lines).hasSizeGreaterThan(1_000);
        assertThat(lines).noneMatch(line -> line.contains("_ws.malformed"));
        List<Seen> frames = lines.stream().map(Seen::of).toList();
        int hops = 0;
        for (Seen frame : frames) {
            for (int i = 0; i < frame.hops.size(); i++) {
                Hop hop = frame.hops.get(i);
                if (i == 0) {
                    assertThat((double) hop.timeNs).isCloseTo(frame.startNs, within(1.5));
                } else {
                    // A record is 32 bytes, which the link before did not carry.
                    int bytes = frame.bytes - 32 * i + WIRE_OVERHEAD_BYTES;
                    Hop next = frame.hops.get(i - 1);
                    assertThat((double) next.timeNs - next.latencyNs)
                            .as("came %s hops before its end", i)
                            .isCloseTo(hop.timeNs + bytes * NS_PER_BYTE + DELAY_NS, within(2.0));
                    hops++;
                }
            }
        }
        assertThat(hops).isGreaterThan(500);
        List<Seen> left = frames.stream().filter(one -> one.link.equals(LAST_LINK)).toList();
        int exact = 0;
        long longest = 0;
        for (Seen frame : left) {
            Hop hop = frame.hops.getFirst();
            long behind = 0;
            for (Seen other : left) {
                Hop its = other.hops.getFirst();
                behind +=
                        its.timeNs > hop.timeNs && its.timeNs - its.latencyNs <= hop.timeNs
                                ? other.bytes
                                : 0;
            }
            // One that came in the same nanosecond may have come before or behind it.
            assertThat(Math.abs(behind - hop.queueBytes)).isLessThanOrEqualTo(frame.bytes);
            exact += behind == hop.queueBytes ? 1 : 0;
            longest = Math.max(longest, hop.queueBytes);
        }
        assertThat(longest).isGreaterThan(5_000);
        assertThat((double) exact / left.size()).isGreaterThan(0.9);
    }
}
