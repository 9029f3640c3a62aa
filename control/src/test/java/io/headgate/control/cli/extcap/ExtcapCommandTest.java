package io.headgate.control.cli.extcap;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.control.TestConfigs;
import io.headgate.control.capture.PcapngReader;
import io.headgate.control.cli.HeadgateForTests;
import io.headgate.control.daemon.RunDirectory;
import io.headgate.control.daemon.SwitchDaemon;
import io.headgate.control.run.SwitchOptions;
import io.headgate.dataplane.device.MemoryWire;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExtcapCommandTest {
    @TempDir private Path directory;

    @BeforeEach
    void ownRunDirectory() {
        System.setProperty(RunDirectory.PROPERTY, directory.resolve("run").toString());
    }

    @AfterEach
    void giveBack() {
        System.clearProperty(RunDirectory.PROPERTY);
    }

    private static SwitchDaemon start() throws Exception {
        return SwitchDaemon.start(
                TestConfigs.memory("s1", "a", "b"),
                RunDirectory.base(),
                new SwitchOptions(false, true, null, line -> {}));
    }

    @Test
    void wiresharkSeesEachPortOfARunningSwitch() throws Exception {
        assertThat(HeadgateForTests.run("extcap", "--extcap-interfaces").out())
                .isEqualTo("extcap {version=1.0}{display=Headgate}\n");
        try (SwitchDaemon _ = start()) {
            assertThat(
                            HeadgateForTests.run(
                                            "extcap", "--extcap-interfaces", "--extcap-version=4.4")
                                    .out())
                    .isEqualTo(
                            """
                            extcap {version=1.0}{display=Headgate}
                            interface {value=headgate-s1-all}{display=Headgate switch s1: all ports and drops}
                            interface {value=headgate-s1-a}{display=Headgate switch s1, port a}
                            interface {value=headgate-s1-b}{display=Headgate switch s1, port b}
                            """);
        }
        String[] dlts = {"extcap", "--extcap-interface", "headgate-s1-a", "--extcap-dlts"};
        assertThat(HeadgateForTests.run(dlts).out())
                .isEqualTo("dlt {number=1}{name=EN10MB}{display=Ethernet}\n");
        String[] config = {"extcap", "--extcap-interface", "headgate-s1-a", "--extcap-config"};
        assertThat(HeadgateForTests.run(config).out())
                .startsWith("arg {number=0}{call=--direction}")
                .contains("value {arg=0}{value=all}");
    }

    @Test
    void aWrongFilterIsSaidAndARightOneIsNot() {
        assertThat(HeadgateForTests.run("extcap", "--extcap-capture-filter", "tcp port 80").out())
                .isEmpty();
        assertThat(HeadgateForTests.run("extcap", "--extcap-capture-filter", "tpc").out())
                .contains("'tpc' is not a known word");
        var alone = HeadgateForTests.run("extcap");
        assertThat(alone.code()).isEqualTo(2);
        assertThat(alone.err()).contains("is called by Wireshark");
    }

    /** As Wireshark does it: a fifo, from which it reads until the writer has closed it. */
    @Test
    void framesComeByTheFifo() throws Exception {
        Path fifo = directory.resolve("fifo");
        assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();
        SwitchDaemon daemon = start();
        var captured =
                CompletableFuture.supplyAsync(() ->
                        HeadgateForTests.run(
                                "extcap",
                                "--capture",
                                "--extcap-interface",
                                "headgate-s1-a",
                                "--extcap-capture-filter",
                                "ether src host 02:00:00:00:00:01",
                                "--direction",
                                "in",
                                "--fifo",
                                fifo.toString()));
        try (InputStream in = Files.newInputStream(fifo)) {
            MemoryWire.FarEnd a = daemon.running().devices().wire("a").farEnd(1);
            Thread frames =
                    Thread.startVirtualThread(() -> {
                        while (!Thread.currentThread().isInterrupted()) {
                            a.inject(frame());
                            LockSupport.parkNanos(1_000_000);
                        }
                    });
            PcapngReader.Packet first = new PcapngReader(in).next();
            frames.interrupt();
            frames.join();
            assertThat(first).isNotNull();
            assertThat(first.at()).isEqualTo("a");
            assertThat(first.direction()).isEqualTo("in");
            assertThat(first.lengthBytes()).isEqualTo(60);
        }
        daemon.close();
        assertThat(captured.get().err()).isNotNull();
    }

    private static byte[] frame() {
        ByteBuffer frame = ByteBuffer.allocate(60);
        frame.putShort((short) -1).putInt(-1);
        frame.putShort((short) 0x0200).putInt(1);
        return frame.putShort((short) 0x88B6).array();
    }
}
