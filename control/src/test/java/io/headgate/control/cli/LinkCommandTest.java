package io.headgate.control.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.read.SwitchConfigReader;
import io.headgate.control.cli.link.LinkCommand;
import io.headgate.control.daemon.RunDirectory;
import io.headgate.control.daemon.SwitchDaemon;
import io.headgate.control.link.LinkEnd;
import io.headgate.control.run.SwitchOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A link between two switches, by the names that a lab gave it. */
@Timeout(60)
class LinkCommandTest {
    @TempDir private Path directory;
    private String out = "";
    private String err = "";

    @BeforeEach
    void useADirectoryOfOurOwn() {
        System.setProperty(RunDirectory.PROPERTY, directory.toString());
    }

    @AfterEach
    void forgetIt() {
        System.clearProperty(RunDirectory.PROPERTY);
    }

    private static SwitchDaemon start(String name, Map<String, LinkEnd> ends) throws Exception {
        return start(name, "{memory: m, faults: {}}", ends);
    }

    private static SwitchDaemon start(String name, String device, Map<String, LinkEnd> ends)
            throws Exception {
        String yaml =
                "{name: "
                        + name
                        + ", defaults: {account-cap-slots: 100}, ports: [{name: p1, device: "
                        + device
                        + "}, {name: p2, device:"
                        + " {memory: m, faults: {transmit: {}}}}]}";
        SwitchDaemon daemon =
                SwitchDaemon.start(
                        SwitchConfigReader.read(yaml, "t"),
                        RunDirectory.base(),
                        new SwitchOptions(false, true, null, _ -> {}));
        daemon.running().tellLinks(ends);
        return daemon;
    }

    private int run(String... words) {
        StringWriter printed = new StringWriter();
        StringWriter wrong = new StringWriter();
        CommandLine line = Headgate.commandLine(new LinkCommand(), new ShowCommand());
        line.setOut(new PrintWriter(printed, true));
        line.setErr(new PrintWriter(wrong, true));
        int code = line.execute(words);
        out = printed.toString();
        err = wrong.toString();
        return code;
    }

    @Test
    void aLinkIsShownAndChangedByTheNamesOfItsEnds() throws Exception {
        assertThat(run("link", "s1-s2", "down")).isEqualTo(1);
        assertThat(err).contains("no lab with named links runs");
        LinkEnd here = new LinkEnd("lab", "s1-s2", "s1", "s2", false, true);
        LinkEnd there = new LinkEnd("lab", "s1-s2", "s2", "s1", false, false);
        LinkEnd host = new LinkEnd("lab", "h1-s2", "s2", "h1", true, true);
        try (SwitchDaemon s1 = start("s1", Map.of("p1", here));
                SwitchDaemon s2 = start("s2", Map.of("p1", there, "p2", host))) {
            assertThat(run("link")).isZero();
            assertThat(out).contains("s1-s2", "h1-s2", "as it is").hasLineCount(5);
            assertThat(run("link", "lab", "s2-s1", "delay=5ms", "loss=1%")).isZero();
            assertThat(out)
                    .contains("s1 p1.device.faults.delay: 0ns -> 5ms")
                    .contains("s2 p1.device.faults.loss: 0.0 -> 0.01")
                    .hasLineCount(4);
            assertThat(run("link", "s1-s2", "jitter=1ms", "--towards", "s2")).isZero();
            assertThat(out).contains("s2 p1.device.faults.jitter").hasLineCount(1);
            assertThat(run("link", "h1-s2", "loss=0.5", "--towards", "h1")).isZero();
            assertThat(out).contains("s2 p2.device.faults.transmit.loss").hasLineCount(1);
            assertThat(run("link", "s1-s2", "up=1s", "down=10ms")).isZero();
            assertThat(out).contains("s1 p1.device.faults.up").doesNotContain("s2").hasLineCount(2);
            assertThat(run("link", "s1-s2", "down")).isZero();
            assertThat(out).contains("s1 p1.device.faults.link", "s2 p1.device.faults.link");
            assertThat(run("show", "links", "--switch", "s1")).isZero();
            assertThat(out).containsPattern("p1 +s1-s2 +down +down, flaps .*delay 5ms");
            assertThat(run("link", "s1-s2", "up")).isZero();
            assertThat(run("link", "lab", "s1-s2")).isZero();
            assertThat(out).contains("loss 0.01, delay 5ms").hasLineCount(3);
            assertThat(s1.running().config()).isNotEqualTo(s2.running().config());
        }
    }

    /** A switch that greets, takes what it is asked, and has gone before it answers. */
    private static void endWhenAsked(ServerSocketChannel control) {
        while (control.isOpen()) {
            try (SocketChannel client = control.accept()) {
                client.write(ByteBuffer.wrap("{}\n".getBytes(StandardCharsets.UTF_8)));
                client.read(ByteBuffer.allocate(1000));
            } catch (IOException _) {
                // A client that only looked whether it answers; or the end of the test.
            }
        }
    }

    @Test
    void aSwitchOfAnotherLabThatEndsMeanwhileIsPassedOver() throws Exception {
        LinkEnd host = new LinkEnd("lab", "h1-s1", "s1", "h1", true, true);
        try (SwitchDaemon _ = start("s1", Map.of("p2", host));
                RunDirectory _ = RunDirectory.claim(RunDirectory.base(), "r1");
                ServerSocketChannel control =
                        ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            control.bind(
                    UnixDomainSocketAddress.of(RunDirectory.socket(RunDirectory.base(), "r1")));
            Thread.ofPlatform().daemon().start(() -> endWhenAsked(control));
            assertThat(run("show", "config", "--switch", "r1")).isEqualTo(1);
            assertThat(err).contains("switch r1 has gone: it closed the connection");
            assertThat(run("link", "h1-s1", "delay=5ms")).as(err).isZero();
            assertThat(out).contains("s1 p2.device.faults.delay: 0ns -> 5ms");
            assertThat(run("link")).isZero();
            assertThat(out).contains("h1-s1", "delay 5ms");
        }
    }

    @Test
    void whereOnlyOneEndCouldBeChangedThatIsSaid() throws Exception {
        LinkEnd here = new LinkEnd("lab", "s1-s2", "s1", "s2", false, true);
        LinkEnd there = new LinkEnd("lab", "s1-s2", "s2", "s1", false, false);
        try (SwitchDaemon s1 = start("s1", Map.of("p1", here));
                SwitchDaemon s2 = start("s2", "{memory: m}", Map.of("p1", there))) {
            assertThat(run("link", "s1-s2", "delay=5ms")).isEqualTo(1);
            assertThat(out).contains("s1 p1.device.faults.delay: 0ns -> 5ms");
            assertThat(err).contains("the link is changed at s1, but not at s2: ");
            assertThat(s1.running().config()).isNotEqualTo(s2.running().config());
        }
    }

    @Test
    void whatIsWrongIsSaidInASentence() throws Exception {
        LinkEnd here = new LinkEnd("lab", "s1-s2", "s1", "s2", false, true);
        LinkEnd other = new LinkEnd("lab", "s1-s3", "s1", "s3", false, true);
        try (SwitchDaemon _ = start("s1", Map.of("p1", here, "p2", other))) {
            assertThat(run("link", "s1-s9", "down")).isEqualTo(2);
            assertThat(err).contains("'s1-s9' is not a link; there are s1-s2, s1-s3");
            assertThat(run("link", "lab", "down")).isEqualTo(2);
            assertThat(err).contains("several links fit: s1-s2, s1-s3; name one");
            assertThat(run("link", "s1-s2", "colour=red")).isEqualTo(2);
            assertThat(err)
                    .contains("\"colour\" is not a key of a link; allowed: up, down, or keys");
            for (String loss :
                    List.of("lots%", "1E999999999%", "101%", "0." + "0".repeat(30) + "1%")) {
                assertThat(run("link", "s1-s2", "loss=" + loss)).isEqualTo(2);
                assertThat(err)
                        .contains("p1.device.faults.loss: found \"" + loss.substring(0, 4))
                        .contains("or a percentage such as 1%");
            }
            assertThat(run("link", "s1-s2", "loss=7")).isEqualTo(2);
            assertThat(err)
                    .contains("p1.device.faults.loss: found 7; allowed: a number from 0 to 1");
            assertThat(run("link", "s1-s2", "loss=1%", "--towards", "h1")).isEqualTo(2);
            assertThat(err).contains("h1 is not an end of link s1-s2; allowed: s1, s2");
            assertThat(run("link", "s1-s2", "down", "--towards", "s2")).isEqualTo(2);
            assertThat(err).contains("a link is down in both directions");
        }
    }
}
