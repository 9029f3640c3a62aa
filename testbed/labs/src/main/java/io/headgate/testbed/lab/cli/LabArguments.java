package io.headgate.testbed.lab.cli;

import io.headgate.config.FlowControlConfig.Mode;
import io.headgate.config.Reason;
import io.headgate.control.cli.HeadgateCommand;
import io.headgate.control.cli.MetricsOption;
import io.headgate.control.cli.bench.ShellWords;
import io.headgate.control.cli.trace.TraceEventsOption;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.report.RunReport;
import io.headgate.control.web.LiveNetwork;
import io.headgate.control.web.RecordOption;
import io.headgate.control.web.WebOption;
import io.headgate.testbed.lab.LabOptions;
import io.headgate.testbed.lab.LabOptions.DeviceKind;
import io.headgate.testbed.lab.LabPlan;
import io.headgate.testbed.lab.OwnLab;
import io.headgate.testbed.lab.capture.ControlFrames;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.LabRecords;
import io.headgate.testbed.topology.Topology;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of all labs; runs a lab from the command line. */
final class LabArguments {
    private static final Pattern DURATION = Pattern.compile("([0-9]{1,4})s");

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    /** For exit code lists of the labs: the run shows nothing. */
    static final String INVALID =
            "3:INVALID: the run proves nothing, because the machine had no time for it or its"
                    + " control case failed";

    private static final int EXIT_INVALID = 3;

    @Option(
            names = "--workers",
            paramLabel = "LAYOUT",
            description = "single, auto, per-half, or a number of workers.",
            defaultValue = "auto")
    private String workers;

    @Option(
            names = "--idle",
            paramLabel = "HOW",
            description = "Behaviour of a worker without work: backoff or busy-spin.",
            defaultValue = "backoff")
    private String idle;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            description = "Duration of each kind of traffic, e.g. 5s.",
            defaultValue = "5s")
    private String duration;

    @Option(
            names = "--mtu",
            paramLabel = "BYTES",
            description = "MTU of every interface, 576 to 9000.",
            defaultValue = "1500")
    private int mtu;

    @Option(
            names = "--report",
            paramLabel = "DIR",
            description = "Directory of the report and results; default: headgate-lab/DATE-TIME.")
    private @Nullable Path reportDirectory;

    @Option(
            names = "--capture",
            paramLabel = "DIR",
            description = "Directory of the captures; default: that of the report.")
    private @Nullable Path captureDirectory;

    @Option(
            names = "--sheet",
            description =
                    "Prints a ready lab's sheet for a class, with questions and experiments; runs"
                            + " nothing. Reports have it with answers and the run's figures.")
    private boolean printsSheet;

    @Mixin private MetricsOption metrics;

    @Mixin private WebOption web;

    @Mixin private RecordOption record;

    @Mixin private TraceEventsOption traces;

    @Option(
            names = "--json",
            description = "Prints the report as JSON to stdout, and progress to stderr.")
    private boolean json;

    @Option(
            names = "--prefix",
            paramLabel = "P",
            description =
                    "Prefix of the names of namespaces and switches, if a name such as h1 is"
                            + " already used.",
            showDefaultValue = CommandLine.Help.Visibility.NEVER,
            defaultValue = "")
    private String prefix;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Seed of the switch's random choices.",
            defaultValue = "1")
    private long seed;

    /** Refuses an option that was given, and says where it belongs. */
    void refuse(String option, String why) {
        if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
            throw wrong(option + " is not for this lab: " + why);
        }
    }

    /** The lab's options, of a kind of device and a line rate. */
    LabOptions options(DeviceKind device, String rate) {
        LabOptions options = options(device, rate, seconds());
        check(options);
        return options;
    }

    private LabOptions options(DeviceKind device, String rate, int seconds) {
        refuseStray();
        Path reports =
                reportDirectory == null
                        ? Path.of("headgate-lab", HeadgateCommand.now())
                        : reportDirectory;
        Path captures = captureDirectory == null ? reports : captureDirectory;
        return new LabOptions(
                device, workers, idle, rate, seconds, mtu, false, false, reports, captures, prefix,
                seed, false);
    }

    /** Options before a lab's name are those of a lab from a file. */
    private void refuseStray() {
        CommandLine parent = spec.commandLine().getParent();
        if (!spec.name().equals("lab")
                && parent != null
                && !parent.getParseResult().matchedOptions().isEmpty()) {
            String option = parent.getParseResult().matchedOptions().getFirst().longestName();
            throw wrong(option + " is before " + spec.name() + "; put it after the lab's name");
        }
    }

    private void check(LabOptions options) {
        try {
            LabPlan.check(options);
        } catch (BedException e) {
            throw wrong(Reason.of(e));
        }
    }

    private int seconds() {
        Matcher matcher = DURATION.matcher(duration);
        int seconds = matcher.matches() ? Integer.parseInt(matcher.group(1)) : 0;
        require(
                seconds >= 1 && seconds <= 3600,
                "--duration '" + duration + "' cannot be: 1s to 3600s are allowed");
        return seconds;
    }

    String command() {
        return ShellWords.given(spec.commandLine());
    }

    /** A line with the command that shows what was dropped, and why. */
    static String drops(Path capture) {
        return "  tshark -r "
                + capture
                + " -Y 'frame.interface_name == \"drops\"' -T fields"
                + " -e frame.comment -e frame.len";
    }

    /** Refuses an option, in one sentence without its full stop, unless it is as it must be. */
    void require(boolean isSound, String sentence) {
        if (!isSound) {
            throw wrong(sentence);
        }
    }

    /** That a number is one of those allowed. */
    void require(String option, int number, int most) {
        require(
                number >= 1 && number <= most,
                option + " " + number + " cannot be: 1 to " + most + " are allowed");
    }

    /** What is wrong with an option, in one sentence without its full stop. */
    ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence + ".");
    }

    /**
     * Runs a lab to its end, or to ^C, and prints the result.
     *
     * @param after lines for a person behind the report
     * @param pass what PASS means
     * @return the exit code
     */
    private int run(OwnLab made, PrintStream progress, List<String> after, String pass) {
        LabSheet sheet = LabSheet.of(spec.name());
        if (printsSheet) {
            if (sheet == null) {
                throw wrong("--sheet is for the ready labs: your own labs have no sheet");
            }
            System.out.print(sheet.questions());
            return 0;
        }
        Map<String, Path> files = files();
        made.serve(metrics);
        made.trace(traces);
        files.forEach(made::leaves);
        LabEnd end = new LabEnd(made);
        Runnable endPage = () -> {};
        try {
            endPage = startPage(progress);
            startRecording();
            RunReport report = result(made);
            List<String> recorded = List.of(record.end(), traces.end());
            if (!made.isEndedEarly()) {
                List<String> lines = new ArrayList<>(after);
                if (sheet != null) {
                    lines.add(writeSheet(sheet, report, made));
                }
                recorded.stream().filter(line -> !line.isEmpty()).forEach(lines::add);
                print(report, lines, pass);
                return !report.doubts().isEmpty()
                        ? EXIT_INVALID
                        : report.problems().isEmpty() ? 0 : 1;
            }
            if (json) {
                System.out.println(report.toJson());
            }
        } catch (BedException e) {
            System.err.println("headgate: " + e.getMessage());
            if (!made.isEndedEarly()) {
                return 1;
            }
        } finally {
            endPage.run();
            record.end();
            traces.end();
            made.close();
        }
        return end.finish();
    }

    /** What it leaves apart from its report, for that to name; nothing else may be there. */
    private Map<String, Path> files() {
        Map<String, Path> files = new LinkedHashMap<>();
        try {
            Path recording = record.file();
            if (recording != null) {
                files.put("recording", recording);
            }
            Path events = traces.file();
            if (events != null) {
                files.put("trace events", events);
            }
        } catch (DaemonException e) {
            throw wrong(Reason.of(e));
        }
        return files;
    }

    /** Refuses options of which a user's file has its own. */
    void refuseWhatFilesSay() {
        refuse("--duration", "the file sets it, as duration");
        refuse("--mtu", "the file sets it, as topology.mtu");
    }

    /**
     * Runs a lab that is a file: all of its runs.
     *
     * @param times how often each
     * @param settings of its parameters, for the report
     */
    int run(List<OwnLabSpec> runs, HostOptions hosts, int times, Map<String, String> settings) {
        OwnLabSpec lab = runs.getFirst();
        LabOptions options =
                hosts.in(options(hosts.device(), "", lab.seconds())).of(lab.topology());
        runs.forEach(run -> check(options.of(run.topology())));
        require(
                !options.shell() || runs.size() == 1,
                "--shell is for one network, and this is "
                        + runs.size()
                        + " runs: give one value of each parameter with --set");
        List<String> after = new ArrayList<>();
        boolean isOnly = isOnly(lab, times);
        if (isOnly) {
            after.addAll(look(lab, options.captureDirectory()));
        }
        if (spec.findOption("--shell") != null && !options.shell()) {
            after.add("Work in the hosts yourself: " + command() + " --shell");
        }
        if (isOnly) {
            after.addAll(tokens(lab, options.captureDirectory()));
        }
        after.add("Results and captures are in " + options.reportDirectory());
        PrintStream progress = json ? System.err : System.out;
        LabRecords records = new LabRecords(LabRecords.DIRECTORY);
        OwnLab made = new OwnLab(runs, times, options, records, command(), progress);
        made.describe(settings);
        return run(made, progress, after, pass(runs, options.shell()));
    }

    /** Whether its captures have no run's name. */
    static boolean isOnly(OwnLabSpec lab, int times) {
        return lab.run().isEmpty() && times == 1;
    }

    /** Where ports let frames go another way: how tokens are seen, in the first capture. */
    static List<String> tokens(OwnLabSpec lab, Path directory) {
        if (lab.topology().ports().toMap().keySet().stream()
                .noneMatch(key -> key.startsWith("detour"))) {
            return List.of();
        }
        return List.of(
                "Tokens in a capture, of Escape or of Loop Breaker and Deadlock Breaker:",
                "  tshark -X lua_script:config/wireshark/headgate.lua -r "
                        + capture(lab, directory)
                        + " -Y 'headgate_token || headgate_loop'");
    }

    private static Path capture(OwnLabSpec lab, Path directory) {
        List<Topology.Switch> switches = lab.topology().switches();
        return directory.resolve(
                switches.size() == 1
                        ? "capture.pcapng"
                        : "capture-" + switches.getFirst().name() + ".pcapng");
    }

    static String pass(List<OwnLabSpec> runs, boolean shell) {
        OwnLabSpec lab = runs.getFirst();
        // Hosts that speak RoCEv2 are not pinged.
        List<String> all = new ArrayList<>();
        if (lab.rdma().isEmpty()) {
            all.add("all hosts reach each other");
        }
        if (!shell && !(lab.flows().isEmpty() && lab.rdma().isEmpty())) {
            all.add("all flows ran");
        }
        if (!shell && !lab.commands().isEmpty()) {
            all.add("all commands ended as expected");
        }
        if (!lab.hasCards()) {
            all.add("every frame is accounted for and every drop explained");
        }
        if (!shell && runs.stream().anyMatch(OwnLabSpec::expectsAnything)) {
            List<String> says =
                    runs.stream().flatMap(run -> run.says().stream()).distinct().toList();
            all.add(
                    "and all expectations of the file hold"
                            + (says.isEmpty() ? "" : ": " + String.join(", ", says)));
        }
        return String.join(", ", all);
    }

    /**
     * How Wireshark shows the frames of a lab's flow control; of a lab without, what was dropped
     * and why. Of several switches the first's capture.
     */
    static List<String> look(OwnLabSpec lab, Path directory) {
        List<Topology.Switch> switches = lab.topology().switches();
        boolean isOnly = switches.size() == 1;
        String first = switches.getFirst().name();
        Path capture = capture(lab, directory);
        String look =
                "Look at the capture" + (isOnly ? "" : " of " + first + ", or of another switch");
        Object mode = lab.topology().ports().said().get("flow-control");
        if ("pfc".equals(mode)) {
            return List.of(
                    look
                            + "; Wireshark calls priority flow control \"Class Based Flow Control"
                            + " [CBFC]\":",
                    "  wireshark " + capture + " -Y '" + ControlFrames.filter(Mode.PFC) + "'");
        }
        if ("credits".equals(mode)) {
            return List.of(
                    look + "; the plugin shows credit frames:",
                    "  wireshark -X lua_script:config/wireshark/headgate.lua "
                            + capture
                            + " -Y headgate_credits");
        }
        return mode == null || "none".equals(mode)
                ? List.of(
                        look + ", or at the dropped frames and the reasons:",
                        "  wireshark " + capture,
                        drops(capture))
                : List.of();
    }

    /** What a ready lab's file has for options: rate, duration and mtu, each as it was given. */
    Map<String, String> settings(String rate, Map<String, String> others) {
        options(DeviceKind.AFPACKET, rate);
        Map<String, String> settings = new LinkedHashMap<>(others);
        settings.put("rate", rate);
        settings.put("duration", duration);
        settings.put("mtu", Integer.toString(mtu));
        return settings;
    }

    /** The value of an option that ready labs have for a parameter, where it is one. */
    String single(String option, String value) {
        require(
                !value.contains(",") && !value.contains(".."),
                option + " '" + value + "' cannot be: one value is allowed");
        return value;
    }

    /** One for the whole lab, whose parts each have switches of their own. */
    private LiveNetwork network() {
        return LiveNetwork.ofThisProcess("lab " + spec.name());
    }

    private void startRecording() throws BedException {
        try {
            record.start(this::network);
        } catch (DaemonException e) {
            throw new BedException(e);
        }
    }

    private Runnable startPage(PrintStream progress) throws BedException {
        try {
            return web.start(this::network, "Lab", progress::println);
        } catch (DaemonException e) {
            throw new BedException(e);
        }
    }

    /** Writes the sheet with the run's figures; answers a line that says so. */
    private static String writeSheet(LabSheet sheet, RunReport report, OwnLab made)
            throws BedException {
        Path file = made.reportDirectory().resolve("sheet.md");
        String caution = report.passed() ? "" : report.conclusion() + ".";
        String text = sheet.with(report.headlines(), caution);
        BedException.unless("cannot write " + file, () -> Files.writeString(file, text));
        return "Questions for a class, with answers and this run's figures: " + file;
    }

    /** The result, or, once a signal has removed the network, that of the part that was run. */
    private static RunReport result(OwnLab made) throws BedException {
        try {
            return made.run();
        } catch (BedException | RuntimeException e) {
            if (!made.failsForItsEnd()) {
                throw e;
            }
            return made.finishEarly();
        }
    }

    private void print(RunReport report, List<String> after, String pass) {
        if (json) {
            System.out.println(report.toJson());
            return;
        }
        System.out.println();
        System.out.print(report.toText());
        System.out.println();
        after.forEach(System.out::println);
        System.out.println();
        List<String> problems = report.problems();
        if (!report.doubts().isEmpty()) {
            System.out.println(report.conclusion() + ".");
            return;
        }
        System.out.println(
                problems.isEmpty()
                        ? report.verdict() + ": " + pass + "."
                        : "FAIL: " + String.join("; ", problems) + ".");
    }
}
