package io.headgate.testbed.lab;

import io.headgate.control.report.RunReport;
import io.headgate.testbed.lab.LabOptions.DeviceKind;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.LabRecords;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code headgate lab four-port}. */
@Command(
        name = "four-port",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = {
            "Runs a four-port switch between network namespaces h1 to h4, with real traffic.",
            "Pings all pairs, runs iperf3 (TCP, UDP, an incast), captures, checks that every frame"
                    + " is accounted for, and removes everything again."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:PASS", "1:FAIL, or the lab could not be run", "2:wrong options"})
final class FourPortCommand implements Callable<Integer> {
    private static final Pattern DURATION = Pattern.compile("([0-9]{1,4})s?");
    private static final Pattern RATE = Pattern.compile("([0-9]{1,12})([kMG]?)(bps)?");

    @Spec private CommandSpec spec;

    @Option(
            names = "--device",
            paramLabel = "KIND",
            description = "What the ports stand on: afpacket, afxdp (root only) or tap.",
            defaultValue = "afpacket")
    private String device;

    @Option(
            names = "--workers",
            paramLabel = "LAYOUT",
            description = "single, auto, per-half, or a number of workers.",
            defaultValue = "auto")
    private String workers;

    @Option(
            names = "--idle",
            paramLabel = "HOW",
            description = "What a worker without work does: backoff or busy-spin.",
            defaultValue = "backoff")
    private String idle;

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            description = "Line rate of every port, e.g. 200Mbps.",
            defaultValue = "1Gbps")
    private String rate;

    @Option(
            names = "--udp-rate",
            paramLabel = "RATE",
            description =
                    "Rate of each UDP flow between pairs; a tenth of the line rate if not given.")
    private @Nullable String udpRate;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            description = "How long each of the five kinds of traffic runs, e.g. 5s.",
            defaultValue = "5s")
    private String duration;

    @Option(
            names = "--mtu",
            paramLabel = "BYTES",
            description = "MTU of every interface, 576 to 9000.",
            defaultValue = "1500")
    private int mtu;

    @Option(names = "--ipv6", description = "Also give the hosts IPv6 addresses and ping those.")
    private boolean ipv6;

    @Option(
            names = "--shell",
            description = "Instead of running iperf3, open a shell; the lab ends when it does.")
    private boolean shell;

    @Option(
            names = "--report",
            paramLabel = "DIR",
            description = "Where report and results go; headgate-lab/DATE-TIME if not given.")
    private @Nullable Path reportDirectory;

    @Option(
            names = "--capture",
            paramLabel = "DIR",
            description = "Where the capture goes, if not beside the report.")
    private @Nullable Path captureDirectory;

    @Option(
            names = "--json",
            description = "Print the report as JSON to stdout, and progress to stderr.")
    private boolean json;

    @Option(
            names = "--prefix",
            paramLabel = "P",
            description = "Put before the namespaces' names, where h1 is taken.",
            defaultValue = "")
    private String prefix;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Root of the switch's seeded choices.",
            defaultValue = "1")
    private long seed;

    /** Picocli fills it in. */
    @SuppressWarnings("NullAway.Init")
    FourPortCommand() {}

    @Override
    public Integer call() {
        LabOptions options = options();
        PrintStream progress = json ? System.err : System.out;
        FourPortLab lab =
                new FourPortLab(
                        options,
                        new LabRecords(LabRecords.DIRECTORY),
                        "headgate lab four-port --device " + options.device().word(),
                        progress);
        Thread hook = Thread.ofPlatform().name("headgate-lab-end").unstarted(lab::close);
        Runtime.getRuntime().addShutdownHook(hook);
        RunReport report;
        try {
            report = lab.run();
        } catch (BedException e) {
            if (!lab.isClosed()) {
                System.err.println("headgate: " + e.getMessage());
            }
            return 1;
        } finally {
            lab.close();
        }
        print(report, options);
        return report.problems().isEmpty() ? 0 : 1;
    }

    private void print(RunReport report, LabOptions options) {
        if (json) {
            System.out.println(report.toJson());
            return;
        }
        Path capture = options.captureDirectory().resolve("capture.pcapng");
        System.out.println();
        System.out.print(report.toText());
        System.out.println();
        System.out.println("Look at the capture, or at what was dropped and why:");
        System.out.println("  wireshark " + capture);
        System.out.println(
                "  tshark -r "
                        + capture
                        + " -Y 'frame.interface_name == \"drops\"' -T fields -e frame.comment"
                        + " -e frame.len");
        System.out.println("Work in the hosts yourself: headgate lab four-port --shell");
        System.out.println();
        System.out.println(verdict(report, options));
    }

    private static String verdict(RunReport report, LabOptions options) {
        List<String> problems = report.problems();
        if (!problems.isEmpty()) {
            return "FAIL: " + String.join("; ", problems) + ".";
        }
        return options.shell()
                ? "PASS: all pairs reachable, every frame accounted for."
                : "PASS: all pairs reachable, all flows ran, every frame accounted for, every"
                        + " drop explained.";
    }

    private LabOptions options() {
        Path reports = reportDirectory;
        if (reports == null) {
            DateTimeFormatter form =
                    DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss-SSS", Locale.ROOT);
            String now = LocalDateTime.now(ZoneId.systemDefault()).format(form);
            reports = Path.of("headgate-lab", now);
        }
        Path captures = captureDirectory == null ? reports : captureDirectory;
        return new LabOptions(
                kind(), workers, idle, rate, udpBps(), seconds(), mtu, ipv6, shell, reports,
                captures, prefix, seed);
    }

    private DeviceKind kind() {
        for (DeviceKind kind : DeviceKind.values()) {
            if (kind.word().equals(device)) {
                return kind;
            }
        }
        throw wrong("--device '" + device + "' is not known: afpacket, afxdp or tap is allowed");
    }

    private int seconds() {
        Matcher matcher = DURATION.matcher(duration);
        int seconds = matcher.matches() ? Integer.parseInt(matcher.group(1)) : 0;
        if (seconds < 1 || seconds > 3600) {
            throw wrong("--duration '" + duration + "' cannot be: 1s to 3600s are allowed");
        }
        return seconds;
    }

    private long udpBps() {
        if (udpRate == null) {
            return 0;
        }
        Matcher matcher = RATE.matcher(udpRate);
        if (!matcher.matches() || Long.parseLong(matcher.group(1)) == 0) {
            throw wrong("--udp-rate '" + udpRate + "' is no rate: for example 100Mbps is");
        }
        long factor =
                switch (matcher.group(2)) {
                    case "k" -> 1_000;
                    case "M" -> 1_000_000;
                    case "G" -> 1_000_000_000;
                    default -> 1;
                };
        return Math.multiplyExact(Long.parseLong(matcher.group(1)), factor);
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence + ".");
    }
}
