package io.headgate.testbed.lab;

import static io.headgate.testbed.lab.ScapyNetwork.PROGRAM_MS;
import static io.headgate.testbed.lab.ScapyNetwork.TOS_3;
import static io.headgate.testbed.lab.ScapyNetwork.await;
import static io.headgate.testbed.lab.ScapyNetwork.started;
import static io.headgate.testbed.lab.ScapyNetwork.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.control.run.CaptureRequest;
import io.headgate.control.run.RunningCapture;
import io.headgate.control.run.RunningSwitch;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.testbed.netns.Programs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Marks of a port on a real device, as tshark reads them, against RED's curve. */
@Tag("netns")
class RedOnRealFramesTest {
    private static final long KMIN = 10_000;
    private static final long KMAX = 90_000;
    private static final double PMAX = 0.6;
    private static final int RANGES = 10;

    private static final int ROUNDS = 40;
    private static final int FRAMES = 420;
    private static final int PAYLOAD_BYTES = 200;
    private static final int ECT_0 = 2;
    private static final String IN = "0x00000001";
    private static final String MARKED = "3";

    private static final String PORTS =
            "flow-control: pfc, link: {own-reaction: 50ms, peer-reaction: 50ms}, buffers: {xoff:"
                    + " 200kB, xoff-slots: 800}, congestion: {red: {kmin: 10kB, kmax: 90kB, pmax:"
                    + " 0.6}}";

    /**
     * At host 1, again and again: pauses priority 3, and goes on to do so until the end of the
     * round; has host 2 send a number of datagrams of an ECN capable transport at the signal that
     * the switch is paused, ends the pause at the signal that they all wait there, and waits until
     * they have all come. A signal is a file, which it removes.
     */
    private static final String ROUND =
            """
            import ctypes, os, socket, struct, sys, time
            netns, address, go, tos, size, frames, rounds = sys.argv[1:4] + list(map(int, sys.argv[4:8]))
            wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(0x0800))
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
            wire.bind(("eth0", 0x0800))
            wire.settimeout(60)
            with open("/run/netns/" + netns) as file:
                if ctypes.CDLL(None).setns(file.fileno(), 0x40000000) != 0:
                    sys.exit("no namespace " + netns)
            sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            sender.setsockopt(socket.IPPROTO_IP, socket.IP_TOS, tos)
            def pause(quanta):
                head = bytes.fromhex("0180c2000001020000000001880801010008")
                wire.send((head + struct.pack("!8H", 0, 0, 0, quanta, 0, 0, 0, 0)).ljust(60, b"\\0"))
            def paused():
                since = time.monotonic()
                while not os.path.exists(go):
                    time.sleep(0.002)
                    if time.monotonic() - since > 0.5:
                        pause(65535)
                        since = time.monotonic()
                os.remove(go)
            for _ in range(rounds):
                pause(65535)
                paused()
                for _ in range(frames):
                    sender.sendto(b"x" * size, (address, 9))
                paused()
                pause(0)
                come = 0
                while come < frames:
                    frame = wire.recv(2048)
                    come += frame[23] == 17 and frame[36:38] == b"\\0\\x09"
            print("sent")
            """;

    @TempDir private Path directory;
    private ScapyNetwork bed;

    @BeforeEach
    void makeHosts() throws Exception {
        bed = new ScapyNetwork(directory);
        bed.script("round.py", ROUND);
    }

    @AfterEach
    void removeHosts() {
        bed.close();
    }

    private static long waiting(RunningSwitch running) {
        return value(running, Scope.EGRESS, "p1", "queue.frames");
    }

    private static long pauses(RunningSwitch running) {
        return value(running, Scope.INGRESS, "p1", "pfc.xoff.received.p3");
    }

    private static double curve(long bytes) {
        if (bytes <= KMIN) {
            return 0;
        }
        return bytes >= KMAX ? 1 : PMAX * (bytes - KMIN) / (KMAX - KMIN);
    }

    /** What waits behind each frame follows from what came in and went out before it. */
    @Test
    void aQueueThatAPauseFilledIsMarkedByItsLengthWhileItDrains() throws Exception {
        Path file = directory.resolve("red.pcapng");
        long counted;
        try (RunningSwitch running = bed.start(PORTS)) {
            CaptureRequest request =
                    new CaptureRequest(
                            List.of("p1", "p2"),
                            Set.of(CaptureRequest.Point.IN, CaptureRequest.Point.OUT),
                            "proto udp and port 9",
                            CaptureRequest.WHOLE_FRAMES,
                            0);
            try (RunningCapture capture = running.startCapture(request, file)) {
                Path go = directory.resolve("go");
                Programs.Running rounds =
                        bed.python(
                                1,
                                "round.py",
                                bed.netns(2),
                                bed.address(1),
                                go,
                                TOS_3 + ECT_0,
                                PAYLOAD_BYTES,
                                FRAMES,
                                ROUNDS);
                long pauses = 0;
                for (long sent = FRAMES; sent <= ROUNDS * FRAMES; sent += FRAMES) {
                    long before = pauses;
                    assertThat(await(() -> pauses(running) > before)).isTrue();
                    Files.createFile(go);
                    // The capture has a frame's time from the kernel. Where the switch was not
                    // given
                    // a core, the frame may then still be on its way to the queue.
                    assertThat(await(() -> waiting(running) == FRAMES)).isTrue();
                    pauses = pauses(running);
                    Files.createFile(go);
                    long soFar = sent;
                    assertThat(await(() -> started(running, 3) == soFar)).isTrue();
                }
                assertThat(rounds.await(PROGRAM_MS).output()).contains("sent");
                assertThat(capture.problem()).isNull();
            }
            assertThat(running.counters().drops()).isEmpty();
            counted = value(running, Scope.EGRESS, "p1", "red.marked.p3");
        }
        int[] frames = new int[RANGES + 2];
        int[] marks = new int[RANGES + 2];
        double[] expected = new double[RANGES + 2];
        double[] variance = new double[RANGES + 2];
        long waitingBytes = 0;
        for (String[] frame : read(file)) {
            int bytes = Integer.parseInt(frame[1]);
            if (frame[0].equals(IN)) {
                waitingBytes += bytes;
                continue;
            }
            waitingBytes -= bytes;
            long above = Math.floorDiv((waitingBytes - KMIN) * RANGES, KMAX - KMIN);
            int range = 1 + Math.clamp(above, -1, RANGES);
            double p = curve(waitingBytes);
            frames[range]++;
            marks[range] += frame[2].equals(MARKED) ? 1 : 0;
            expected[range] += p;
            variance[range] += p * (1 - p);
        }
        int all = 0;
        int marked = 0;
        for (int range = 0; range < RANGES + 2; range++) {
            assertThat((double) marks[range])
                    .as("marks of %d frames in range %d", frames[range], range)
                    .isCloseTo(expected[range], within(4 * Math.sqrt(variance[range])));
            assertThat(frames[range]).isGreaterThan(ROUNDS);
            all += frames[range];
            marked += marks[range];
        }
        assertThat(all).isEqualTo(ROUNDS * FRAMES);
        assertThat(marked).isEqualTo((int) counted);
        assertThat(waitingBytes).isZero();
    }

    /** Direction, length, and ECN field of each frame. */
    private static List<String[]> read(Path file) throws Exception {
        Process tshark =
                new ProcessBuilder(
                                "tshark",
                                "-n",
                                "-r",
                                file.toString(),
                                "-Y",
                                "udp.dstport == 9 && !icmp",
                                "-T",
                                "fields",
                                "-e",
                                "frame.packet_flags",
                                "-e",
                                "frame.len",
                                "-e",
                                "ip.dsfield.ecn")
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        try (var lines = tshark.inputReader()) {
            return lines.lines().map(line -> line.split("\t", -1)).toList();
        }
    }
}
