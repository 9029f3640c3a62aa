package io.headgate.testbed.lab;

import io.headgate.config.FlowControlConfig.Mode;
import io.headgate.config.key.Quantity;
import io.headgate.testbed.lab.own.OwnLabReader;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.netns.Iperf3;
import io.headgate.testbed.netns.SocketBuffers;
import io.headgate.testbed.scenario.ScenarioException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

/** Ready labs that are files, with parameters of tests. */
public final class ReadyLabs {
    private static final Path FILES =
            Path.of("labs/src/main/resources/io/headgate/testbed/lab/cli/ready");

    /** Type of service byte of lossless traffic: DSCP 26, which is priority 3. */
    static final int LOSSLESS_TOS = 26 << 2;

    private static final int SOCKET_BYTES = 1_000_000;

    private ReadyLabs() {}

    /** Lossless UDP; the receiver's socket holds what comes while its reader is kept waiting. */
    static Iperf3.Flow lossless(int from, int to, long bps) {
        int socketBytes = SocketBuffers.granted(SOCKET_BYTES);
        return new Iperf3.Flow(from, to, bps, LOSSLESS_TOS, socketBytes, "", 0);
    }

    /**
     * RoCC: each demand without it and with it.
     *
     * @param demand as {@code --demand} has it
     */
    static List<OwnLabSpec> rocc(String demand, String rate, int seconds) {
        return runs("rocc", Map.of("demand", demand, "rate", rate, "duration", seconds + "s"));
    }

    static OwnLabSpec incast(Mode mode, String rate, int seconds) {
        return read(
                "incast",
                Map.of(
                        "flow-control",
                        mode.name().toLowerCase(Locale.ROOT),
                        "rate",
                        rate,
                        "duration",
                        seconds + "s"));
    }

    /** With a tenth of the rate between pairs. */
    static OwnLabSpec fourPort(String rate, int seconds) {
        long tenthBps = Objects.requireNonNull(Quantity.RATE.parse(rate)) / 10;
        return read(
                "four-port",
                Map.of("rate", rate, "udp-rate", tenthBps + "bps", "duration", seconds + "s"));
    }

    /** Who loses what under policies, or what arrives is worth under them. */
    static OwnLabSpec policy(boolean isWeighted, String rate, int seconds) {
        return read(
                isWeighted ? "policy-weighted" : "policy",
                Map.of("rate", rate, "duration", seconds + "s"));
    }

    /**
     * Head-of-line blocking.
     *
     * @param flowControl as {@code --flow-control} has it
     */
    static List<OwnLabSpec> hol(String flowControl, String rate, int seconds) {
        return runs(
                "hol",
                Map.of("flow-control", flowControl, "rate", rate, "duration", seconds + "s"));
    }

    /**
     * The same with marks.
     *
     * @param detect flow control and detectors
     */
    static List<OwnLabSpec> holMarks(String detect, String rate, int seconds) {
        return runs("hol-marks", Map.of("detect", detect, "rate", rate, "duration", seconds + "s"));
    }

    /**
     * The ring that stands still.
     *
     * @param with what is turned on
     * @param run a number, or several
     */
    public static List<OwnLabSpec> deadlock(
            String with, String rate, int standSeconds, int seconds, String run) {
        return runs(
                "deadlock",
                Map.of(
                        "with",
                        with,
                        "rate",
                        rate,
                        "stand",
                        standSeconds + "s",
                        "duration",
                        seconds + "s",
                        "run",
                        run));
    }

    /**
     * One run of it with Escape.
     *
     * @param measures that the file has in addition, as lines of its list
     */
    static List<OwnLabSpec> deadlock(String rate, int standSeconds, int seconds, String measures) {
        String before = "measures:\n";
        return read(
                "deadlock",
                text -> text.replace(before, before + measures),
                Map.of(
                        "with",
                        "escape",
                        "rate",
                        rate,
                        "stand",
                        standSeconds + "s",
                        "duration",
                        seconds + "s"));
    }

    /**
     * Without a control, and with one.
     *
     * @param keys of it; empty: as it is published
     * @param ports what these have below {@code congestion}; empty: what it asks for
     */
    static List<OwnLabSpec> control(
            String with, String keys, String ports, String rate, int seconds) {
        return runs(
                "control",
                Map.of(
                        "with",
                        "none," + with,
                        "keys",
                        keys,
                        "ports",
                        ports,
                        "flow-control",
                        with.equals("ib-cc") ? "credits" : "pfc",
                        "rate",
                        rate,
                        "duration",
                        seconds + "s"));
    }

    private static OwnLabSpec read(String lab, Map<String, String> settings) {
        return runs(lab, settings).getFirst();
    }

    private static List<OwnLabSpec> runs(String lab, Map<String, String> settings) {
        return read(lab, UnaryOperator.identity(), settings);
    }

    private static List<OwnLabSpec> read(
            String lab, UnaryOperator<String> change, Map<String, String> settings) {
        String file = lab + ".yaml";
        try {
            return OwnLabReader.read(
                    change.apply(Files.readString(FILES.resolve(file))), file, settings);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ScenarioException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
