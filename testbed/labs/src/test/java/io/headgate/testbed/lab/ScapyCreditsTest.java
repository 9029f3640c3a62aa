package io.headgate.testbed.lab;

import static io.headgate.testbed.lab.ScapyNetwork.PROGRAM_MS;
import static io.headgate.testbed.lab.ScapyNetwork.TOS_3;
import static io.headgate.testbed.lab.ScapyNetwork.TOS_4;
import static io.headgate.testbed.lab.ScapyNetwork.await;
import static io.headgate.testbed.lab.ScapyNetwork.started;
import static io.headgate.testbed.lab.ScapyNetwork.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.report.FlowControlSection;
import io.headgate.control.run.RunningSwitch;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.testbed.netns.Programs;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Credits that scapy makes, into a switch, and those that the switch makes, read by tshark. */
@Tag("netns")
class ScapyCreditsTest {
    private static final int BLOCK_BYTES = 128;
    private static final String CREDITS = "flow-control: credits, credits: {block-scale: 1}";
    private static final Path DISSECTOR = Path.of("../config/wireshark/headgate.lua");

    private static final int PAYLOAD_BYTES = 300;

    /** Ethernet, IPv4 and UDP are 42 bytes: 3 blocks a frame, the last of them not filled. */
    private static final int FRAME_BLOCKS = Math.ceilDiv(42 + PAYLOAD_BYTES, BLOCK_BYTES);

    /** Blocks of 20 frames, and one block that is too few for a frame. */
    private static final int GRANT_BLOCKS = 20 * FRAME_BLOCKS + 1;

    /** Datagrams of each priority, a second: what is granted to priority 4 lasts for a minute. */
    private static final int RATE = 10;

    /** Frames of other priorities that go while one must be silent. */
    private static final int MEANWHILE = 10;

    /**
     * The far end of a port with credits: {@code up} greets the switch and grants blocks to lane 3;
     * {@code differ} greets it with another classification; {@code grant} takes a sequence number
     * and lane 3's limit; {@code bad} takes the same and sends what must have no effect, though it
     * would open lane 3 and close lane 4. Prints the last sequence number, and the blocks that the
     * switch said it had sent in lane 3.
     */
    private static final String FAR_END =
            """
            import struct, sys
            from scapy.all import (BitField, ByteField, Ether, FieldLenField, IntField, Packet,
                                   PacketListField, Raw, XLEShortField, bind_layers, conf)
            MINE = "02:00:00:00:00:01"

            def lpcrc(data):
                crc = 0xFFFF
                for byte in data:
                    crc ^= byte
                    for _ in range(8):
                        crc = crc >> 1 ^ (0xD008 if crc & 1 else 0)
                return crc ^ 0xFFFF

            class Fcp(Packet):
                fields_desc = [BitField("op", 0, 4), BitField("fctbs", 0, 12),
                               BitField("lane", 0, 4), BitField("fccl", 0, 12),
                               XLEShortField("lpcrc", None)]

                def post_build(self, p, pay):
                    crc = lpcrc(p[:4]) if self.lpcrc is None else self.lpcrc
                    return p[:4] + struct.pack("<H", crc) + pay

                def extract_padding(self, s):
                    return b"", s

            class Credits(Packet):
                fields_desc = [BitField("version", 1, 4), BitField("type", 1, 4),
                               FieldLenField("count", None, fmt="B", count_of="fcps"),
                               ByteField("scale", 0), ByteField("flags", 1),
                               IntField("sequence", 0),
                               PacketListField("fcps", [], Fcp, count_from=lambda p: p.count)]

            bind_layers(Ether, Credits, type=0x88B5)
            link = conf.L2socket(iface="eth0")

            def hear():
                while True:
                    frame = link.recv()
                    if frame is not None and Credits in frame and frame.src != MINE:
                        return frame[Credits]

            def say(heard, sequence, limits, digest=b"", length=60, count=None, **fcp):
                fcps = [Fcp(lane=lane, fccl=limit % 4096, **fcp) for lane, limit in limits.items()]
                frame = (Ether(dst="01:80:c2:00:00:01", src=MINE)
                         / Credits(scale=heard.scale, sequence=sequence, count=count, fcps=fcps)
                         / Raw(digest))
                link.send(Raw(bytes(frame).ljust(60, b"\\0")[:length]))

            mode, arguments = sys.argv[1], [int(argument) for argument in sys.argv[2:]]
            heard = hear()
            sequence = 0
            if mode == "differ":
                for sequence in range(3):
                    digest = bytes(255 - byte for byte in bytes(heard.payload)[:8])
                    say(heard, sequence, {3: 2000, 4: 2000}, digest, op=1)
                    heard = hear()
            elif mode == "up":
                while heard.fcps[0].op == 1:
                    say(heard, sequence, {3: 0, 4: 0}, bytes(heard.payload)[:8], op=1)
                    sequence += 1
                    heard = hear()
                arguments = [sequence, arguments[0]]
                mode = "grant"
            sent = {fcp.lane: fcp.fctbs for fcp in heard.fcps}
            if mode == "grant":
                sequence, limit = arguments
                say(heard, sequence, {3: limit, 4: sent[4] + 2000})
            elif mode == "bad":
                sequence, limit = arguments
                wrong = {3: limit, 4: sent[4]}
                say(heard, sequence, wrong)
                say(heard, sequence + 1, wrong, length=33)
                say(heard, sequence + 1, wrong, count=15)
                say(heard, sequence + 1, wrong, op=2)
                say(heard, sequence + 1, wrong, lpcrc=0x1234)
                sequence += 1
            print("sequence", sequence, "sent", sent[3])
            """;

    @TempDir private Path directory;
    private ScapyNetwork bed;

    /** What the far end printed at last. */
    private record Said(int sequence, int sentBlocks) {}

    @BeforeEach
    void makeHosts() throws Exception {
        bed = new ScapyNetwork(directory);
        bed.script("credits.py", FAR_END);
    }

    @AfterEach
    void removeHosts() {
        bed.close();
    }

    private Said farEnd(Object... arguments) throws Exception {
        String said = bed.python(1, "credits.py", arguments).await(PROGRAM_MS).output().strip();
        String[] words = said.substring(said.lastIndexOf('\n') + 1).split(" ");
        assertThat(words).as(said).hasSize(4).startsWith("sequence");
        return new Said(Integer.parseInt(words[1]), Integer.parseInt(words[3]));
    }

    /** Frames that needed no credits. */
    private static long lossy(RunningSwitch running) {
        long all = value(running, Scope.EGRESS, "p1", "frames.transmitted");
        return all - started(running, 3) - started(running, 4);
    }

    private static long ignored(RunningSwitch running) {
        return value(running, Scope.INGRESS, "p1", "link.control.ignored");
    }

    /**
     * Asserts that priority 3 starts {@code frames} frames in all and then none, while all others
     * go on.
     */
    private static void assertStopsAt(RunningSwitch running, long frames) {
        assertThat(await(() -> started(running, 3) >= frames)).isTrue();
        long four = started(running, 4);
        long lossy = lossy(running);
        assertThat(
                        await(() ->
                                started(running, 4) > four + MEANWHILE
                                        && lossy(running) > lossy + MEANWHILE))
                .isTrue();
        assertThat(started(running, 3)).isEqualTo(frames);
    }

    /** Starts to capture the switch's own credit frames, where host 1 is. */
    private Programs.Running capture() throws Exception {
        return bed.tshark(
                1,
                5,
                "ether proto 0x88b5 and not ether src 02:00:00:00:00:01",
                List.of("-X", "lua_script:" + DISSECTOR),
                List.of(
                        "frame.len",
                        "eth.src",
                        "eth.dst",
                        "headgate.credits.block",
                        "headgate.credits.op",
                        "headgate.credits.lane",
                        "headgate.credits.digest",
                        "_ws.expert.message"));
    }

    private void assertOwnFrames(Programs.Running tshark, String ops, boolean digest)
            throws Exception {
        String mac = bed.mac("p1");
        for (String[] frame : ScapyNetwork.frames(tshark, 8)) {
            assertThat(frame[0]).isEqualTo("60");
            assertThat(frame[1]).isEqualTo(mac);
            assertThat(frame[2]).isEqualTo("01:80:c2:00:00:01");
            assertThat(frame[3]).isEqualTo(Integer.toString(BLOCK_BYTES));
            assertThat(frame[4]).isEqualTo(ops);
            assertThat(frame[5]).isEqualTo("3,4");
            assertThat(!frame[6].isEmpty()).isEqualTo(digest);
            assertThat(frame[7]).isEmpty();
        }
    }

    @Test
    void aGrantLetsOutExactlyTheFramesThatFitItAndABadOneNone() throws Exception {
        try (RunningSwitch running = bed.start(CREDITS)) {
            Said up = farEnd("up", GRANT_BLOCKS);
            assertThat(up.sentBlocks).isZero();
            assertThat(ignored(running)).isZero();
            Programs.Running tshark = capture();
            Programs.Running sender = bed.sender(PAYLOAD_BYTES, RATE, 300, TOS_3, TOS_4, 0);
            assertStopsAt(running, 20);

            Said bad = farEnd("bad", up.sequence, 10 * GRANT_BLOCKS);
            assertThat(bad.sentBlocks).isEqualTo(20 * FRAME_BLOCKS);
            // One each, but two FCPs whose CRC is wrong.
            assertThat(await(() -> ignored(running) == 6)).isTrue();
            assertStopsAt(running, 20);

            farEnd("grant", bad.sequence + 1, GRANT_BLOCKS + 20 * FRAME_BLOCKS);
            assertStopsAt(running, 40);
            assertThat(value(running, Scope.INGRESS, "p2", "buffer.slots.p3")).isPositive();
            assertOwnFrames(tshark, "0,0", false);

            List<Long> taken = bed.stop(sender);
            assertThat(taken.getFirst()).isGreaterThan(40);
            Said last = farEnd("grant", bad.sequence + 2, 40 * FRAME_BLOCKS + 2000);
            assertThat(last.sentBlocks).isEqualTo(40 * FRAME_BLOCKS);
            assertThat(await(() -> started(running, 3) == taken.get(0))).isTrue();
            assertThat(await(() -> started(running, 4) == taken.get(1))).isTrue();
            assertThat(running.counters().drops()).allMatch(drop -> drop.frames() == 0);
            assertThat(ignored(running)).isEqualTo(6);
            assertThat(value(running, Scope.INGRESS, "p1", "link.control.mismatches")).isZero();
        }
    }

    @Test
    void anEndThatSortsDifferentlyIsReportedAndNothingLosslessGoes() throws Exception {
        try (RunningSwitch running = bed.start(CREDITS)) {
            Programs.Running tshark = capture();
            Programs.Running sender = bed.sender(PAYLOAD_BYTES, RATE, 300, TOS_3, 0);
            farEnd("differ");
            long lossy = lossy(running);
            assertThat(await(() -> lossy(running) > lossy + MEANWHILE)).isTrue();
            assertThat(value(running, Scope.INGRESS, "p1", "link.control.mismatches")).isEqualTo(3);
            assertThat(FlowControlSection.mismatches(running.counters()))
                    .singleElement(InstanceOfAssertFactories.STRING)
                    .startsWith(
                            "port p1: the far end is configured differently: 3 link-control frames"
                                    + " do not match");
            assertThat(started(running, 3)).isZero();
            assertOwnFrames(tshark, "1,1", true);
            sender.await(0);
        }
    }
}
