package io.headgate.testbed.scenario.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.IcrcOracle;
import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.campaign.Shard;
import io.headgate.testbed.scenario.campaign.Sweep;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ReproduceCommandTest {
    private static final int REFUSED = 9;

    @TempDir private Path directory;

    private final PrintStream realOut = System.out;
    private ByteArrayOutputStream out = new ByteArrayOutputStream();
    private String refusal = "";

    @BeforeEach
    void catchOutput() {
        out = new ByteArrayOutputStream();
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void giveOutputBack() {
        System.setOut(realOut);
    }

    private int execute(Object command, Object... arguments) {
        String[] words = new String[arguments.length];
        for (int i = 0; i < words.length; i++) {
            words[i] = arguments[i].toString();
        }
        return new CommandLine(command)
                .setExecutionExceptionHandler((failure, line, parsed) -> {
                    refusal = String.valueOf(failure.getMessage());
                    return REFUSED;
                })
                .execute(words);
    }

    private int reproduce(Object... arguments) {
        return execute(new ReproduceCommand(), arguments);
    }

    private String inOneLine() {
        return printed().replaceAll("\\s+", " ");
    }

    private String printed() {
        return out.toString(StandardCharsets.UTF_8);
    }

    /** What it prints is a scenario that runs as the shipped one does, frame by frame. */
    @Test
    void printsTheFileOfAScenario() throws Exception {
        assertThat(reproduce("incast", "--print")).isZero();
        Path file = directory.resolve("mine.yaml");
        Files.writeString(file, printed());
        assertThat(printed()).isEqualTo(Files.readString(Path.of("scenarios/incast.yaml")));
        Path shipped = directory.resolve("shipped");
        Path mine = directory.resolve("mine");
        String time = "duration=100us";
        assertThat(reproduce("incast", "--set", time, "--out", shipped)).isZero();
        assertThat(reproduce(file, "--set", time, "--out", mine)).isZero();
        assertThat(digest(mine)).isEqualTo(digest(shipped)).hasSize(16);
        assertThat(reproduce("detectors", "--print")).isEqualTo(REFUSED);
        assertThat(refusal).startsWith("scenario detectors has no file: it is computed in");
    }

    private static String digest(Path result) throws Exception {
        JsonNode tree = JsonMapper.shared().readTree(result.resolve("result.json"));
        return tree.at("/runs/0/digest").asString("");
    }

    @Test
    void listsScenariosAndTheirParameters() {
        assertThat(reproduce("list")).isZero();
        assertThat(printed()).contains("incast", "mg1", "four-port-incast");
        assertThat(reproduce("list", "mg1", "--json")).isZero();
        assertThat(printed()).contains("\"default\" : \"0.1,0.3,0.5,0.7\"");
    }

    @Test
    void runsAScenarioAndSaysWhetherItPassed() throws Exception {
        Path dir = directory.resolve("r");
        int code = reproduce("incast", "--set", "duration=500us", "--out", dir, "--threads", 2);
        assertThat(code).isZero();
        assertThat(printed()).contains("pass  throughput at the end", "PASS: 4 of 4 as expected.");
        assertThat(dir.resolve("report.html"))
                .content()
                .contains("id=\"network-0\"", "% forward", "The network, and how its links")
                .doesNotContain("src=");
        assertThat(dir.resolve("figures/network-0.svg")).content().startsWith("<svg");
        assertThat(dir.resolve("figures/queue.svg")).exists();
        assertThat(Files.readString(dir.resolve("series.csv")))
                .startsWith("run,series,unit,time (us),value\n0,throughput,Gb/s,");
    }

    /** What tshark finds in each frame, separated by bars, with the dissector that we ship. */
    private static List<String> tshark(Path file, String... fields) throws Exception {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                "tshark",
                                "-X",
                                "lua_script:../config/wireshark/headgate.lua",
                                "-n",
                                "-r",
                                file.toString(),
                                "-T",
                                "fields",
                                "-E",
                                "separator=|"));
        for (String field : fields) {
            command.addAll(List.of("-e", field));
        }
        Process tshark =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        try (BufferedReader reader = tshark.inputReader()) {
            return reader.lines().toList();
        }
    }

    /** Notices of a switch with a period of 100 us, and the frames that they complain of. */
    @Test
    void aCaptureHasNoticesOfRatesThatChangeEachPeriodAndRightIcrcs() throws Exception {
        Path file = directory.resolve("s.yaml");
        Files.writeString(
                file,
                """
                name: s
                duration: 10ms
                topology:
                  name: star
                  builder: {single-switch: {hosts: 3}}
                  link: {rate: 10Gbps, delay: 1us}
                  ports:
                    classify: {trust: dscp}
                    lossless: [3]
                    flow-control: pfc
                    buffers: {xoff: 300kB, xon: 290kB}
                    congestion: {rocc: {priorities: [3]}}
                traffic:
                  - {name: f, from: [h1, h2], to: h3, transport: rocev2, verb: write, payload: stored,
                     dscp: 26, frame: 1082B, control: {rocc: {delay: 15us, period: 100us}}}
                """);
        Path dir = directory.resolve("r");
        assertThat(reproduce(file, "--capture", "h1-s1", "--out", dir)).isZero();
        Path capture = dir.resolve("captures/run-0000-virtual.pcapng");
        int sound = 0;
        for (byte[] frame : IcrcOracle.frames(capture)) {
            if (IcrcOracle.isRoce(frame)) {
                assertThat(IcrcOracle.carried(frame)).isEqualTo(IcrcOracle.expected(frame));
                sound++;
            }
        }
        assertThat(sound).isGreaterThan(100);
        Map<Long, Set<String>> rates = new TreeMap<>();
        Set<String> sent = new HashSet<>();
        for (String line :
                tshark(
                        capture,
                        "frame.time_epoch",
                        "headgate.rocc.rate",
                        "headgate.rocc.flow",
                        "icmp.checksum.status",
                        "ip.dsfield.dscp",
                        "ip.src",
                        "ip.dst",
                        "udp.srcport",
                        "_ws.malformed")) {
            String[] fields = line.split("[|]", -1);
            assertThat(fields[8]).as(line).isEmpty();
            if (fields[1].isEmpty()) {
                sent.add(
                        "%s to %s, protocol 17, ports %s to 4791"
                                .formatted(fields[5], fields[6], fields[7]));
                continue;
            }
            assertThat(fields[3]).as("checksum of " + line).isEqualTo("1");
            assertThat(fields[4]).isEqualTo("48");
            assertThat(sent).as("flows that h1 has").contains(fields[2]);
            // On the wire within a few microseconds of the end of its period.
            long ns = Math.round(Double.parseDouble(fields[0]) * 1e9);
            assertThat(ns % 100_000).as(line).isLessThan(5_000);
            rates.computeIfAbsent(ns / 100_000, _ -> new HashSet<>()).add(fields[1]);
        }
        assertThat(rates).hasSizeGreaterThan(10);
        assertThat(rates.values()).as("one rate in each period").allMatch(one -> one.size() == 1);
        assertThat(Set.copyOf(rates.values())).as("that changes").hasSizeGreaterThan(5);
    }

    /** A frame each 12,304 ns, which tshark finds at that very time. */
    @Test
    void aLinkOfARunInVirtualTimeIsCaptured() throws Exception {
        Path file = directory.resolve("s.yaml");
        Files.writeString(
                file,
                """
                name: s
                duration: 100us
                topology: {name: pair, builder: {single-switch: {hosts: 2}}}
                traffic: [{name: f, from: h1, to: h2, control: {fixed: {rate: 1Gbps}}}]
                """);
        Path dir = directory.resolve("r");
        assertThat(reproduce(file, "--capture", "s1-h1", "--out", dir)).isZero();
        assertThat(
                        tshark(
                                dir.resolve("captures/run-0000-virtual.pcapng"),
                                "frame.time_relative",
                                "frame.interface_name",
                                "frame.len",
                                "udp.length"))
                .hasSize(9)
                .startsWith(
                        "0.000000000|h1>s1|1514|1480",
                        "0.000012304|h1>s1|1514|1480",
                        "0.000024608|h1>s1|1514|1480");
        assertThat(printed())
                .contains(
                        "  Capture "
                                + dir.resolve("captures/run-0000-virtual.pcapng")
                                + "\n  Report "
                                + dir.resolve("report.html"));
        assertThat(reproduce(file, "--capture", "h1-h2", "--out", dir)).isNotZero();
        assertThat(printed() + refusal)
                .contains("--capture cannot be 'h1-h2': there is no such link; allowed is");
    }

    @Test
    void printsJsonAlone() {
        int code =
                reproduce(
                        "incast",
                        "--set",
                        "duration=200us",
                        "--json",
                        "--out",
                        directory,
                        "--check");
        JsonNode json = JsonMapper.builder().build().readTree(printed());
        assertThat(code).isZero();
        assertThat(json.path("verdict").asString()).isEqualTo("PASS");
        assertThat(json.path("runs").path(0).path("digest").asString()).hasSize(16);
        assertThat(json.path("parts").path(0).path("environment").has("jvm")).isTrue();
    }

    @Test
    void shardsAreMergedAndComparedWithOneRunOfAll() {
        Path whole = directory.resolve("whole");
        Path a = directory.resolve("a");
        Path b = directory.resolve("b");
        Path merged = directory.resolve("merged");
        String set = "senders=2,3,4";
        String time = "duration=200us";
        assertThat(reproduce("incast", "--set", set, "--set", time, "--out", whole)).isZero();
        assertThat(reproduce("incast", "--set", set, "--set", time, "--out", a, "--shard", "1/2"))
                .isZero();
        assertThat(printed()).contains("PART: 2 of 3 runs belong to this shard");
        assertThat(reproduce("incast", "--set", set, "--set", time, "--out", b, "--shard", "2/2"))
                .isZero();
        assertThat(reproduce("merge", b, a, "--out", merged)).isZero();
        assertThat(execute(new CompareCommand(), whole, merged)).isZero();
        // How links were used is read back as it was written.
        assertThat(merged.resolve("figures/network-2.svg"))
                .hasSameTextualContentAs(whole.resolve("figures/network-2.svg"));
        assertThat(printed()).endsWith("A and B are the same.\n");
    }

    @Test
    void aResultIsMergedIntoItsOwnPlaceAgainAndAgain() throws Exception {
        Path a = directory.resolve("a");
        assertThat(reproduce("incast", "--set", "duration=200us", "--out", a, "--trace")).isZero();
        Path json = a.resolve("result.json");
        String before = Files.readString(json);
        for (Path same : List.of(a, json)) {
            assertThat(reproduce("merge", same, "--out", a)).isZero();
            assertThat(json).hasContent(before);
        }
        assertThat(reproduce("merge", a)).isZero();
        assertThat(json).hasContent(before);
        assertThat(a.resolve("trace/run-0000-virtual.hgtrace")).exists();
    }

    /** As another version of Headgate would have found it. */
    @Test
    void aSweepThatIsRunAgainReplacesItsResultWhateverThatSays() throws Exception {
        Object[] sweep = {"incast", "--set", "duration=200us", "--out", directory};
        assertThat(reproduce(sweep)).isZero();
        Path json = directory.resolve("result.json");
        String digest = "\"digest\" : \"";
        Files.writeString(json, Files.readString(json).replace(digest, digest + "old"));
        assertThat(reproduce(sweep)).isZero();
        assertThat(Files.readString(json)).doesNotContain("\"old");
    }

    @Test
    void aRecordingIsReplacedByAnotherAloneAndByNothingElse() throws Exception {
        Path keep = directory.resolve("keep.gz");
        Path result = directory.resolve("result");
        Path events = directory.resolve("events.json");
        Object[] run = {
            "incast",
            "--set",
            "duration=100us",
            "--out",
            result,
            "--record",
            keep,
            "--columns",
            "1",
            "--trace-events",
            events
        };
        Files.writeString(keep, "my thesis");
        assertThat(reproduce(run)).isEqualTo(REFUSED);
        assertThat(refusal).contains("keep.gz: the existing file is not a recording");
        assertThat(keep).hasContent("my thesis");
        Files.delete(keep);
        assertThat(reproduce(run)).isZero();
        byte[] recorded = Files.readAllBytes(keep);
        assertThat(recorded).startsWith(0x1f, 0x8b);
        assertThat(result.resolve("report.html"))
                .content()
                .contains("href=\"" + keep + "\"", "href=\"" + events + "\"");
        assertThat(events).content().startsWith("{\"displayTimeUnit\":\"ns\",").endsWith("\n]}\n");
        assertThat(reproduce(run)).isZero();
        Files.writeString(events, "my thesis");
        assertThat(reproduce(run)).isEqualTo(REFUSED);
        assertThat(refusal).contains("events.json: the existing file is not a trace file");
        assertThat(events).hasContent("my thesis");
        Files.delete(events);
        run[8] = "3";
        assertThat(reproduce(run)).isEqualTo(REFUSED);
        assertThat(keep).hasBinaryContent(recorded);
        run[7] = "--resume";
        assertThat(reproduce(Arrays.copyOf(run, 8))).isZero();
        assertThat(keep).hasBinaryContent(recorded);
    }

    @Test
    void recordingsOfAResultThatIsReplacedDoNotStay() throws Exception {
        Object[] sweep = {"incast", "--set", "duration=200us", "--out", directory, "--trace"};
        assertThat(reproduce(sweep)).isZero();
        Path trace = directory.resolve("trace/run-0000-virtual.hgtrace");
        assertThat(trace).exists();
        assertThat(reproduce(Arrays.copyOf(sweep, 5))).isZero();
        assertThat(trace).doesNotExist();
    }

    @Test
    void runsOfSeveralCommitsAreNotMixedWithoutAWord() throws Exception {
        Object[] sweep = {
            "incast", "--set", "duration=200us", "--seed", "1,2", "--out", directory, "--cells", "0"
        };
        assertThat(reproduce(sweep)).isZero();
        Path cell = directory.resolve("cells/cell-000000.json");
        String commit = "\"commit\":\"";
        Files.writeString(cell, Files.readString(cell).replaceFirst(commit, commit + "old"));
        sweep[7] = "--resume";
        PrintStream realErr = System.err;
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        try {
            assertThat(reproduce(Arrays.copyOf(sweep, 8))).isZero();
        } finally {
            System.setErr(realErr);
        }
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("by different commits")
                .contains("old");
    }

    @Test
    void partsOfASweepAreToldApart() throws Exception {
        Sweep sweep =
                Sweep.of(
                        ScenarioFinder.find("incast").scenario(),
                        List.of(),
                        "1..64",
                        Set.of(BedKind.VIRTUAL),
                        0);
        Set<String> names = new HashSet<>();
        for (int shard = 1; shard <= 8; shard++) {
            names.add(SweepRun.partName(new Shard(shard, 8).of(sweep.cells())));
        }
        assertThat(names).hasSize(8);
    }

    @Test
    void capturesStayWithTheRunsOfASweepThatIsGoneOnWith() {
        Object[] first = {
            "incast",
            "--set",
            "duration=200us",
            "--seed",
            "1,2",
            "--out",
            directory,
            "--capture",
            "h1-s1",
            "--cells",
            "0"
        };
        assertThat(reproduce(first)).isZero();
        assertThat(directory.resolve("cells/run-0000-virtual.pcapng")).exists();
        Object[] others = Arrays.copyOf(first, 10);
        others[9] = "--resume";
        for (int time = 0; time < 2; time++) {
            assertThat(reproduce(others)).isZero();
            assertThat(directory.resolve("captures/run-0000-virtual.pcapng")).isNotEmptyFile();
            assertThat(directory.resolve("captures/run-0001-virtual.pcapng")).isNotEmptyFile();
            assertThat(directory.resolve("cells")).doesNotExist();
        }
        assertThat(reproduce(Arrays.copyOf(first, 7))).isZero();
        assertThat(directory.resolve("captures")).isEmptyDirectory();
    }

    @Test
    void nothingOfAnEarlierResultStays() throws Exception {
        reproduce(
                "incast",
                "--set",
                "duration=200us",
                "--set",
                "senders=2,3",
                "--out",
                directory,
                "--trace");
        Path trace = directory.resolve("trace/run-0000-virtual.hgtrace");
        Path network = directory.resolve("figures/network-1.svg");
        Path mine = Files.writeString(directory.resolve("figures/mine.svg"), "");
        assertThat(trace).exists();
        assertThat(network).exists();
        assertThat(printed()).contains("  Recording " + trace + "\n");
        assertThat(printed()).doesNotContain("replaces");
        reproduce("mg1", "--set", "load=0.5", "--set", "arrivals=10k", "--out", directory);
        assertThat(printed())
                .contains(
                        "There is a result in "
                                + directory
                                + ". The result of this run replaces it at the end.");
        assertThat(trace).doesNotExist();
        assertThat(network).doesNotExist();
        assertThat(directory.resolve("figures/queue.svg")).doesNotExist();
        assertThat(directory.resolve("figures/queue.csv")).doesNotExist();
        assertThat(directory.resolve("figures/wait.svg")).exists();
        assertThat(mine).exists();
    }

    @Test
    void whatIsNoResultOfOursStays() throws Exception {
        Path other = Files.writeString(directory.resolve("result.json"), "{\"mine\": 1}");
        Path runs = Files.writeString(directory.resolve("runs.csv"), "");
        assertThat(reproduce("incast", "--out", directory)).isEqualTo(REFUSED);
        assertThat(refusal)
                .contains(
                        "is not a result of this version",
                        "choose another directory for the result with --out DIR");
        assertThat(other).hasContent("{\"mine\": 1}");
        assertThat(runs).exists();
    }

    @Test
    void tracesOfARunThatWasInterruptedAreNobodysElse() throws Exception {
        Path traces = Files.createDirectory(directory.resolve("trace"));
        Path left = Files.writeString(traces.resolve("run-0000-virtual.hgtrace"), "");
        assertThat(reproduce("incast", "--set", "duration=200us", "--out", directory)).isZero();
        assertThat(left).doesNotExist();
    }

    @Test
    void whereNothingIsExpectedThatIsSaid() {
        assertThat(reproduce("incast", "--set", "rate=10Mbps", "--out", directory)).isZero();
        assertThat(printed())
                .contains("the throughput is not checked: the run lasts as long as 1.6 frames")
                .contains(
                        "MEASURED: no expectation applies to these runs, so nothing was checked.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    incast --out= | --out cannot be ''
                    incast --set senders=3 --set senders=4 | --set names senders twice
                    incast --what-if slower | a change cannot be 'slower': allowed is 'without flow
                    incast --what-if s1.p9.rate=1Gbps | found no port and no key "p9"; allowed: one of
                    incast --what-if s7.p1.rate=1Gbps | no switch is named 's7': allowed is one of s1
                    incast --set senders=3,4,3 | parameter senders cannot be '3,4,3': 3 is there
                    incast --seed 1..3,2 | --seed cannot be '1..3,2': 2 is there twice
                    incast --scale 10 | --scale is for the real bed
                    incast --cells 1 | --cells cannot be '1': allowed are numbers of runs from 0 to 0
                    incast --shard 3/2 | --shard cannot be '3/2': allowed is i/n with i from 1 to n
                    incast --shard auto | --shard auto: this is not a task of an array
                    incast --resume | --resume needs --out DIR
                    incast --on cloud | --on cannot be 'cloud': allowed is slurm, slurm:OPTIONS and
                    incast --on ssh:-oProxyCommand=x | '-oProxyCommand=x' is not a host
                    incast --on slurm --lines | --on and --lines cannot be combined
                    incast --on slurm --capture all | --capture is for runs on this machine
                    incast --lines --capture all | --capture is for runs on this machine
                    incast --tasks 2 | --tasks is for --on and --script
                    incast --on slurm --jobs 2 | --jobs is for runs on this machine
                    incast --lines --out x | --lines writes only lines
                    incast --lines --resume | --lines writes only lines
                    incast --script slurm --resume --out x | --script prints tasks for the runs
                    incast --on slurm --shard 1/2 | --on runs the whole sweep
                    incast --on slurm --tasks 0 | --tasks cannot be 0: allowed is 1 to 1000
                    incast --script sge --tasks 1 | --script cannot be 'sge'
                    merge - | --out DIR is needed
                    mg1 --set load=0.01 | 2M arrivals at a load of 0.01 of 1Gbps take 1318 s
                    lossless-incast --set xon=900kB | xon cannot be 900kB: allowed is less than
                    ecmp-spread --set k=5 | parameter k cannot be 5: allowed is an even number
                    """)
    void whatCannotBeRunIsRefusedBeforeAnythingRuns(String arguments, String sentence) {
        assertThat(reproduce((Object[]) arguments.split(" "))).isEqualTo(REFUSED);
        assertThat(refusal).contains(sentence).endsWith(".");
    }

    @Test
    void compareLaysRunsOfTheSameValuesBesideEachOther() {
        Path a = directory.resolve("a");
        Path b = directory.resolve("b");
        String time = "duration=200us";
        reproduce("incast", "--set", time, "--set", "senders=2,3", "--out", a);
        reproduce("incast", "--set", time, "--set", "senders=3", "--out", b);
        out.reset();
        assertThat(execute(new CompareCommand(), a, b)).isEqualTo(1);
        assertThat(inOneLine())
                .contains("number of runs 2 1 ")
                .contains("run 0 of A alone A seed 1; bed virtual; senders 2; ")
                .doesNotContain("Measured differently");
    }

    @Test
    void compareNamesTheFirstEventInWhichRunsPart() {
        Path a = directory.resolve("a");
        Path b = directory.resolve("b");
        String time = "duration=200us";
        reproduce("incast", "--set", time, "--out", a, "--trace");
        reproduce("incast", "--set", time, "--set", "delay=1001ns", "--out", b, "--trace");
        assertThat(execute(new CompareCommand(), a, b)).isEqualTo(1);
        assertThat(inOneLine())
                .contains("run 0, parameter delay 1us 1001ns ")
                .contains("They differ from the first event on", "They differ in time on the");
    }

    /** Such as when somebody has kept a copy of a result.json, and run again into its directory. */
    @Test
    void compareTakesNoRecordingOfAnotherRun() throws Exception {
        String time = "duration=200us";
        reproduce("incast", "--set", time, "--out", directory, "--trace");
        Path kept = directory.resolve("kept.json");
        Files.copy(directory.resolve("result.json"), kept);
        reproduce("incast", "--set", time, "--set", "delay=1001ns", "--out", directory, "--trace");
        assertThat(execute(new CompareCommand(), kept, directory)).isEqualTo(1);
        assertThat(inOneLine())
                .contains("parameter delay 1us 1001ns ")
                .contains("run 0 of A: " + directory.resolve("trace/run-0000-virtual.hgtrace"))
                .contains(
                        "is not compared; it belongs to another run than the result, or is"
                                + " truncated")
                .doesNotContain("No event differs");
    }

    @Test
    void compareSaysOfTwoSeedsThatTheyDifferOnce() {
        Path a = directory.resolve("a");
        Path b = directory.resolve("b");
        Path again = directory.resolve("again");
        String[] set = {"load=0.5", "arrivals=10k"};
        for (Path out : List.of(a, again)) {
            reproduce("mg1", "--set", set[0], "--set", set[1], "--out", out, "--trace");
        }
        reproduce("mg1", "--set", set[0], "--set", set[1], "--out", b, "--trace", "--seed", 2);
        out.reset();
        assertThat(execute(new CompareCommand(), a, b)).isEqualTo(1);
        assertThat(inOneLine())
                .containsOnlyOnce("run 0, seed 1 2 ")
                .doesNotContain("header", "started", "wallSeconds");
        out.reset();
        assertThat(execute(new CompareCommand(), a, again)).isZero();
        assertThat(printed()).contains("No event differs", "A and B are the same.");
    }

    /** Without the sender, the pauses are gone; all else is as it was, down to addresses. */
    @Test
    void oneThingIsChangedWithTheSameSeedAndComparedInOneResult() {
        String[] run = {"lossless-incast", "--set", "flow-control=pfc", "--set", "duration=1ms"};
        List<Object> words = new ArrayList<>(List.of((Object[]) run));
        words.addAll(List.of("--set", "xoff=100kB", "--set", "xon=90kB", "--out", directory));
        words.addAll(List.of("--what-if", "without flow h2"));
        reproduce(words.toArray());
        assertThat(inOneLine())
                .contains("A as it is, B without flow h2:")
                .contains("time stopped of h2 (us)")
                .contains("pauses sent of s1/p1 (pauses)")
                .containsPattern("frames received of h2 \\(frames\\) \\d+ 0 -100.0")
                .contains("flows/h2/startPs 0 ")
                .doesNotContain("hosts/", "switches/");
        assertThat(directory.resolve("figures/throughput.csv"))
                .content()
                .contains("what-if nothing")
                .contains("what-if without flow h2");
        String before = inOneLine();
        out.reset();
        assertThat(execute(new CompareCommand(), directory)).isEqualTo(1);
        assertThat(before).endsWith(inOneLine());
        out.reset();
        execute(new MergeCommand(), directory, "--out", directory);
        assertThat(inOneLine()).contains("what-if without flow h2");
    }

    @Test
    void whatDiffersAlikeInSeveralRunsStandsOnce() {
        Path a = directory.resolve("a");
        Path b = directory.resolve("b");
        String time = "duration=200us";
        reproduce("incast", "--set", time, "--set", "senders=2,3", "--out", a);
        reproduce(
                "incast", "--set", time, "--set", "senders=2,3", "--set", "delay=2us", "--out", b);
        out.reset();
        assertThat(execute(new CompareCommand(), a, b)).isEqualTo(1);
        assertThat(inOneLine())
                .startsWith("Measured differently; no test: one run of measure A B")
                .contains("senders 2 throughput at the end (Gb/s) 9.829 9.844 +0.16")
                .contains("all 2 runs, parameter delay 1us 2us ")
                .contains("all 2 runs, configuration/topology/links/*/delay (3 places) 1us 2us ")
                // A long line is shown from the word on that differs.
                .contains(" A …")
                .doesNotContain("run 0, parameter", "{\"");
    }

    @Test
    void aPlaceThatCannotTakeTheResultIsToldBeforeAnythingRuns() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "");
        assertThat(reproduce("incast", "--out", file)).isEqualTo(REFUSED);
        assertThat(refusal)
                .isEqualTo(
                        file
                                + " is not a directory; choose another directory for the result"
                                + " with --out DIR.");
        assertThat(reproduce("incast", "--out", file.resolve("x"))).isEqualTo(REFUSED);
        assertThat(refusal).contains("cannot make the directory").doesNotContain("Exception");
    }

    @Test
    void aLosslessNetworkThatDropsLossyFramesSaysWhichAreWhich() throws Exception {
        Path file = directory.resolve("mine.yaml");
        Files.writeString(
                file,
                """
                name: mine
                duration: 1ms
                topology:
                  {name: t, builder: {single-switch: {hosts: 3}}, ports: {flow-control: pfc}}
                traffic: [{name: web, from: [h1, h2], to: h3}]
                """);
        reproduce(file, "--out", directory.resolve("r"));
        assertThat(printed())
                .contains(
                        "the frames dropped as QUEUE_FULL had lossy priorities",
                        "lossless here is 3");
    }

    @Test
    void aFrameLongerThanTheMtuIsRefusedWithItsPlaceBeforeAnythingRuns() throws Exception {
        Path file = directory.resolve("mine.yaml");
        Files.writeString(
                file,
                """
                name: mine
                duration: 100us
                parameters:
                  - {name: length, unit: size, default: 1514B, min: 100B, max: 9000B}
                topology: {name: t, builder: {single-switch: {hosts: 3}}}
                traffic: [{name: web, from: [h1, h2], to: h3, frame: $length}]
                """);
        Path dir = directory.resolve("r");
        assertThat(reproduce(file, "--set", "length=1000B,1515B", "--out", dir)).isEqualTo(REFUSED);
        assertThat(refusal)
                .contains("mine.yaml:6:")
                .contains("traffic[0].frame: found frames of 1515 bytes with an MTU of 1500")
                .contains("at most 1514 bytes");
        assertThat(dir).doesNotExist();
        assertThat(reproduce(file, "--set", "length=1514B", "--out", dir)).isZero();
        Files.writeString(file, Files.readString(file).replace("name: t,", "name: t, mtu: 9000,"));
        assertThat(reproduce(file, "--set", "length=9kB", "--out", dir)).isZero();
    }

    @Test
    void wrongWordsAreOneSentence() {
        assertThat(reproduce("incats")).isEqualTo(REFUSED);
        assertThat(refusal).startsWith("no scenario is named 'incats' (incast?)");
        assertThat(reproduce("incast", "--set", "senders=1")).isEqualTo(REFUSED);
        assertThat(refusal).startsWith("parameter senders cannot be '1': allowed is 2 to 120");
        assertThat(reproduce("incast", "--bed", "netns")).isEqualTo(REFUSED);
        assertThat(refusal).startsWith("incast does not run on the netns bed");
        assertThat(reproduce("incast", "--seed", "x")).isEqualTo(REFUSED);
        assertThat(refusal).startsWith("--seed cannot be 'x': allowed is 0 to");
        assertThat(reproduce("incast", "--jobs", "0")).isEqualTo(REFUSED);
        assertThat(refusal).isEqualTo("--jobs cannot be 0: allowed is 1 to 1024.");
        assertThat(reproduce("incast", "--threads", "0")).isEqualTo(REFUSED);
        assertThat(refusal).isEqualTo("--threads cannot be '0': allowed is 1 to 64, or auto.");
        assertThat(reproduce("incast", "--scale", "0.5")).isEqualTo(REFUSED);
        assertThat(refusal).isEqualTo("--scale cannot be 0.5: allowed is 1 to 100000.");
        assertThat(reproduce("none.yaml")).isEqualTo(REFUSED);
        assertThat(refusal).isEqualTo("there is no file none.yaml.");
        assertThat(reproduce("none.txt")).isEqualTo(REFUSED);
        assertThat(refusal).isEqualTo("there is no file none.txt.");
        assertThat(reproduce("examples/labs/two-switches.yaml")).isEqualTo(REFUSED);
        assertThat(refusal)
                .isEqualTo(
                        "examples/labs/two-switches.yaml is a lab; 'headgate lab"
                                + " examples/labs/two-switches.yaml' runs it.");
        assertThat(execute(new CompareCommand(), directory, directory)).isEqualTo(REFUSED);
        assertThat(refusal).startsWith("there is no result ");
    }

    @Test
    void aScenarioFileRunsLikeAShippedOne() throws Exception {
        Path file = directory.resolve("mine.yaml");
        Files.writeString(
                file,
                """
                name: mine
                duration: 100us
                topology: {name: t, builder: {single-switch: {hosts: 3}}}
                traffic: [{name: web, from: [h1, h2], to: h3}]
                expect: [{measure: frames dropped, at-most: 0}]
                """);
        Path dir = directory.resolve("r");
        assertThat(reproduce(file, "--seed", "1..2", "--out", dir)).isZero();
        assertThat(printed()).contains("PASS: 2 of 2 as expected.");
        // Its ending does not matter.
        for (String name : new String[] {"mine.json", "mine"}) {
            Path other = Files.copy(file, directory.resolve(name));
            assertThat(reproduce(other, "--out", directory.resolve("r-" + name))).isZero();
        }
        Files.writeString(file, "name: mine\nduration: 1\n");
        assertThat(reproduce(file)).isEqualTo(REFUSED);
        assertThat(refusal).contains("mine.yaml:2:11: duration: found 1 without a unit");
    }
}
