package io.headgate.testbed.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.testbed.examples.Shell.Ended;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples' jars are made and run as their page says, by the launcher of this build. */
class PluginsTest {
    private static final Path EXAMPLES = Path.of("examples/plugins").toAbsolutePath();
    private static final int MOST_LINES = 80;

    /** A block of the page up to its jar; the line after it runs what was built. */
    private static final Pattern BUILD =
            Pattern.compile(" {4}cd testbed/examples/plugins/.*\n(?: {4}.*\n)*? {4}mkdir .*\n");

    @TempDir private static Path directory;

    private static Ended bash(String script, String... arguments)
            throws IOException, InterruptedException {
        return Shell.bash(directory, script, arguments);
    }

    /** The page's own lines, on a machine whose own javac and jar are of no use. */
    @BeforeAll
    static void compiles() throws Exception {
        Ended ready =
                bash(
                        """
                        mkdir -p testbed/examples old
                        cp -r "$1" testbed/examples/plugins
                        printf '#!/bin/sh\nexec "%s" "$@"\n' "$HEADGATE" >headgate
                        printf '#!/bin/sh\necho "$0 is too old"\nexit 1\n' >old/javac
                        chmod +x headgate old/javac
                        cp old/javac old/jar
                        """,
                        EXAMPLES.toString());
        assertThat(ready).isEqualTo(new Ended(0, ""));
        Matcher block = BUILD.matcher(Files.readString(EXAMPLES.resolve("README.md")));
        int built = 0;
        for (; block.find(); built++) {
            String lines = block.group().stripIndent();
            assertThat(bash("PATH=$PWD/old:$PATH\n" + lines)).isEqualTo(new Ended(0, ""));
        }
        assertThat(built).isEqualTo(14);
        assertThat(bash("mv testbed/examples/plugins/target jars")).isEqualTo(new Ended(0, ""));
    }

    @Test
    void aScenarioOfAJarRunsLikeAShippedOne() throws Exception {
        Ended run =
                bash(
                        "\"$HEADGATE\" reproduce store-and-forward --plugins jars --out out"
                                + " --set switches=1..3:1");
        assertThat(run.said()).contains("PASS: 6 of 6 as expected.");
        assertThat(run.code()).isZero();
    }

    @Test
    void whereTheJarsAreNotASweepOfTheirsIsRefused() throws Exception {
        Ended refused =
                bash(
                        "\"$HEADGATE\" reproduce store-and-forward --plugins jars --out far --tasks"
                                + " 1 --on ssh:nowhere.invalid");
        assertThat(refused.said()).contains("--plugins does not go with machines with ssh");
        assertThat(refused.code()).isEqualTo(2);
    }

    @Test
    void aCongestionPointOfAJarHasKeysMessagesAndMarks() throws Exception {
        String file = EXAMPLES.resolve("congestion-point/delay-marking.yaml").toString();
        Ended run = bash("\"$HEADGATE\" --plugins=jars reproduce \"$1\" --out marks", file);
        assertThat(run.said()).contains("PASS: ");
        assertThat(run.code()).isZero();
        Ended wrong =
                bash(
                        """
                        sed 's/target: 50us/target: 5s/' "$1" >wrong.yaml
                        "$HEADGATE" --plugins jars reproduce wrong.yaml --out wrong
                        """,
                        file);
        assertThat(wrong.said())
                .contains(
                        "congestion.delay-marking.target: found \"5s\"; allowed: a time such as"
                                + " 50us, from 1us to 100ms");
        assertThat(wrong.code()).isEqualTo(2);
        Ended without = bash("\"$HEADGATE\" reproduce \"$1\" --out none", file);
        assertThat(without.said())
                .contains("unknown mechanism \"delay-marking\"", "a jar come with --plugins DIR");
        assertThat(without.code()).isEqualTo(2);
    }

    @Test
    void aDetectorOfAJarLooksAtItsQueueInPeriods() throws Exception {
        String file = EXAMPLES.resolve("periodic/pi-marking.yaml").toString();
        Ended run = bash("\"$HEADGATE\" --plugins=jars reproduce \"$1\" --out periods", file);
        assertThat(run.said()).contains("PASS: 2 of 2 as expected.");
        assertThat(run.code()).isZero();
        bash(
                """
                sed 's/reference: 60kB/reference: 300kB/' "$1" >above.yaml
                "$HEADGATE" --plugins jars reproduce above.yaml --out above
                """,
                file);
        assertThat(measure("above", "frames marked of both (frames)")).isZero();
    }

    @Test
    void aRateControlOfAJarObeysTheNoticesOfAnothersCongestionPoint() throws Exception {
        String file = EXAMPLES.resolve("rate-control/backoff.yaml").toString();
        Ended run = bash("\"$HEADGATE\" --plugins=jars reproduce \"$1\" --out told", file);
        assertThat(run.said()).contains("PASS: 3 of 3 as expected.");
        assertThat(run.code()).isZero();
        Path series = directory.resolve("told/series.csv");
        assertThat(Files.readAllLines(series))
                .filteredOn(line -> line.contains("h1 notices.obeyed") && line.contains(",20000,"))
                .singleElement()
                .asString()
                .doesNotEndWith(",0");
        Ended untold =
                bash(
                        """
                        sed 's/, notice: 10us//' "$1" >untold.yaml
                        "$HEADGATE" --plugins jars reproduce untold.yaml --out untold
                        """,
                        file);
        assertThat(untold.said()).contains("FAIL  frames dropped", "FAIL  highest queue");
        assertThat(untold.code()).isEqualTo(1);
        Ended wrong =
                bash(
                        """
                        sed 's/step: 100Mbps/step: 100Gbps/' "$1" >wrong.yaml
                        "$HEADGATE" --plugins jars reproduce wrong.yaml --out wrong
                        """,
                        file);
        assertThat(wrong.said())
                .contains("control.backoff.step: found \"100Gbps\"; allowed: a rate");
        assertThat(wrong.code()).isEqualTo(2);
    }

    @Test
    void aTokenOfAJarThatComesByOnePortLeavesByAnother() throws Exception {
        String file = EXAMPLES.resolve("link-control/token.yaml").toString();
        Ended run = bash("\"$HEADGATE\" --plugins=jars reproduce \"$1\" --out tokens", file);
        assertThat(run.said()).contains("PASS: 4 of 4 as expected.");
        assertThat(run.code()).isZero();
        Ended elsewhere =
                bash(
                        """
                        sed 's/to: 0}/to: 1}/' "$1" >elsewhere.yaml
                        "$HEADGATE" --plugins jars reproduce elsewhere.yaml --out elsewhere
                        """,
                        file);
        assertThat(elsewhere.said()).contains("FAIL  last of s1/p1 token.forwarded");
        assertThat(elsewhere.code()).isEqualTo(1);
        Ended without = bash("\"$HEADGATE\" reproduce \"$1\" --out none", file);
        assertThat(without.said().replaceAll("\\s+", " "))
                .contains(
                        "link-control.token: found the unknown mechanism \"token\"; allowed: those"
                                + " of a jar come with --plugins DIR");
        Ended wrong =
                bash(
                        """
                        sed 's/every: 100us/every: 100ns/' "$1" >wrong.yaml
                        "$HEADGATE" --plugins jars reproduce wrong.yaml --out wrong
                        """,
                        file);
        assertThat(wrong.said()).contains("link-control.token.every: found \"100ns\"; allowed");
        assertThat(wrong.code()).isEqualTo(2);
    }

    @Test
    @Tag("netns")
    @Tag("processes")
    void aTokenOfAJarLeavesByAnotherPortOnRealFramesToo() throws Exception {
        String file = EXAMPLES.resolve("link-control/token.yaml").toString();
        Ended run =
                bash("\"$HEADGATE\" --plugins=jars reproduce \"$1\" --bed netns --out real", file);
        Map<String, Double> last = lastOfSeries("real", " token.");
        assertThat(last).as(run.said()).hasSize(5).containsEntry("counter s1/p2 token.ended", 0.0);
        double relayed =
                last.getOrDefault("counter s1/p2 token.relayed", 0.0)
                        + last.getOrDefault("counter s1/p3 token.relayed", 0.0);
        // How many come in time depends on the machine; none is lost, and few are on their way.
        assertThat(relayed).isGreaterThan(20);
        assertThat(last.get("counter s1/p1 token.forwarded")).isCloseTo(relayed, within(10.0));
    }

    @Test
    void aLinkProtocolOfAJarRatesWhatWouldBeDropped() throws Exception {
        String file = EXAMPLES.resolve("rating/slow-down.yaml").toString();
        Ended run = bash("\"$HEADGATE\" --plugins=jars reproduce \"$1\" --out rated", file);
        assertThat(run.said()).contains("PASS: 4 of 4 as expected.");
        assertThat(run.code()).isZero();
        Ended unrated =
                bash(
                        """
                        sed 's/from: 40kB, to: 120kB/enabled: false/; s/^  counters.*//
                            s/, counters: .*/}/; /slow-down.asked/d' "$1" >unrated.yaml
                        "$HEADGATE" --plugins jars reproduce unrated.yaml --out unrated
                        """,
                        file);
        assertThat(unrated.said()).contains("FAIL  frames dropped", "FAIL  highest queue");
        assertThat(unrated.code()).isEqualTo(1);
    }

    @Test
    @Tag("netns")
    @Tag("processes")
    void aLinkProtocolOfAJarRatesRealFramesToo() throws Exception {
        String file = EXAMPLES.resolve("rating/slow-down.yaml").toString();
        Ended run =
                bash(
                        "\"$HEADGATE\" --plugins=jars reproduce \"$1\" --bed netns --out"
                                + " really-rated",
                        file);
        assertThat(lastOfSeries("really-rated", " slow-down.asked").values())
                .as(run.said())
                .hasSize(2)
                .allSatisfy(asked -> assertThat(asked).isPositive());
        // A machine that holds the switch lets hosts send on; without rates half are dropped.
        assertThat(measure("really-rated", "frames dropped (frames)"))
                .isLessThan(measure("really-rated", "frames sent of both (frames)") / 100);
    }

    @Test
    void aDetourOfAJarHasFramesOvertakeTheirOwnQueue() throws Exception {
        String file = EXAMPLES.resolve("detour/overtake.yaml").toString();
        Ended run = bash("\"$HEADGATE\" --plugins=jars reproduce \"$1\" --out ahead", file);
        assertThat(run.said()).contains("PASS: 4 of 4 as expected.");
        assertThat(run.code()).isZero();
        Ended queued =
                bash(
                        """
                        sed 's/dscp: 46}}/enabled: false}}/' "$1" >queued.yaml
                        "$HEADGATE" --plugins jars reproduce queued.yaml --out queued
                        """,
                        file);
        assertThat(queued.said()).contains("FAIL  mean delay of quick");
        assertThat(queued.code()).isEqualTo(1);
    }

    @Test
    @Tag("netns")
    @Tag("processes")
    void aDetourOfAJarHasRealFramesOvertakeToo() throws Exception {
        String file = EXAMPLES.resolve("detour/overtake.yaml").toString();
        Ended run =
                bash(
                        "\"$HEADGATE\" --plugins=jars reproduce \"$1\" --bed netns --out"
                                + " really-ahead",
                        file);
        // How much waits depends on the machine; all of them are frames that would wait.
        assertThat(lastOfSeries("really-ahead", " overtake.overtook").values())
                .as(run.said())
                .singleElement()
                .satisfies(overtook -> assertThat(overtook).isGreaterThan(100));
    }

    @Test
    void aCongestionPointOfAJarMarksByTheQueueOfAnotherPort() throws Exception {
        String file = EXAMPLES.resolve("port-board/far-queue.yaml").toString();
        Ended run = bash("\"$HEADGATE\" --plugins=jars reproduce \"$1\" --out far-queue", file);
        assertThat(run.said()).contains("PASS: 4 of 4 as expected.");
        assertThat(run.code()).isZero();
    }

    @Test
    @Tag("netns")
    @Tag("processes")
    void aCongestionPointOfAJarSeesAnotherPortsQueueOnRealFramesToo() throws Exception {
        String file = EXAMPLES.resolve("port-board/far-queue.yaml").toString();
        Ended run =
                bash(
                        "\"$HEADGATE\" --plugins=jars reproduce \"$1\" --bed netns --out"
                                + " far-really",
                        file);
        // How many are marked depends on the machine: a host that is held lets the queue run short.
        assertThat(measure("far-really", "frames marked of back (frames)"))
                .as(run.said())
                .isGreaterThan(100);
        assertThat(measure("far-really", "frames marked of aside (frames)")).isZero();
    }

    @Test
    void aCongestionPointOfAJarWritesIntoRoomThatItMadeAndASinkTakesItOff() throws Exception {
        String file = EXAMPLES.resolve("telemetry/stamps.yaml").toString();
        Ended run = bash("\"$HEADGATE\" --plugins=jars reproduce \"$1\" --out stamps", file);
        assertThat(run.said()).contains("PASS: 4 of 4 as expected.");
        assertThat(run.code()).isZero();
    }

    /** Without the receivers' echo windows would stay full, of 213 kB. */
    @Test
    void aReceiversCardEchoesWhatItTookOffToTheSendersRateControl() throws Exception {
        String file = EXAMPLES.resolve("telemetry/stamps.yaml").toString();
        Ended run =
                bash(
                        """
                        sed 's/hops: 5/&, own: true/' "$1" >own.yaml
                        "$HEADGATE" --plugins jars reproduce own.yaml --out own
                        """,
                        file);
        assertThat(run.said()).contains("PASS: 4 of 4 as expected.");
        assertThat(run.code()).isZero();
        Ended unacknowledged =
                bash(
                        """
                        sed 's/transport: rocev2, window: 64, //' "$1" >datagrams.yaml
                        "$HEADGATE" --plugins jars reproduce datagrams.yaml --out datagrams
                        """,
                        file);
        assertThat(unacknowledged.said())
                .contains("far-window goes by what receivers tell of packets' way; it needs");
        assertThat(unacknowledged.code()).isEqualTo(2);
    }

    /** With whole frames, whose ICRC the receivers verify behind the sink. */
    @Test
    void theExamplesDissectorReadsWhatItWritesAndRoceBehindIt() throws Exception {
        Ended read =
                bash(
                        """
                        sed 's/beds: .*/beds: [virtual]/; s/transport: rocev2/&, payload: stored/
                            s/duration: 20ms/duration: 500us/; /last of/d' "$1" >stored.yaml
                        "$HEADGATE" --plugins jars reproduce stored.yaml --out stored --capture all
                        tshark -X "lua_script:$2" -r stored/captures/*.pcapng -T fields \
                            -e frame.len -e ip.len -e ip.checksum.status -e stamps.records \
                            -e stamps.queue -e infiniband.bth.opcode -e _ws.malformed \
                            -o ip.check_checksum:TRUE 2>/dev/null >read.txt
                        """,
                        EXAMPLES.resolve("telemetry/stamps.yaml").toString(),
                        EXAMPLES.resolve("telemetry/stamps.lua").toString());
        assertThat(read.said()).contains("PASS: 3 of 3 as expected.");
        List<String> frames = Files.readAllLines(directory.resolve("read.txt"));
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
    @Tag("processes")
    void aCongestionPointOfAJarWritesIntoRealFramesToo() throws Exception {
        String file = EXAMPLES.resolve("telemetry/stamps.yaml").toString();
        Ended run =
                bash(
                        """
                        sed 's/hops: 5/&, own: true/' "$1" >really.yaml
                        "$HEADGATE" --plugins=jars reproduce really.yaml --bed netns \
                            --out really-stamps
                        """,
                        file);
        Map<String, Double> last = lastOfSeries("really-stamps", " stamps.written");
        assertThat(last).as(run.said()).hasSize(2);
        assertThat(last.values()).allSatisfy(one -> assertThat(one).isGreaterThan(100));
        assertThat(measure("really-stamps", "frames dropped (frames)")).isZero();
        assertThat(measure("really-stamps", "highest queue (byte)"))
                .as("three full windows without the echo would be 213 kB")
                .isLessThan(150_000);
        // Hosts whose frames the sink did not give back as they were sent would be stuck.
        assertThat(measure("really-stamps", "frames received of all (frames)"))
                .isGreaterThan(1_000);
    }

    /** A measure of a result's only run. */
    private static double measure(String result, String name) throws IOException {
        List<String> lines = Files.readAllLines(directory.resolve(result + "/runs.csv"));
        int column = List.of(lines.getFirst().split(",")).indexOf(name);
        return Double.parseDouble(lines.get(1).split(",")[column]);
    }

    /** The last value of each series of a result whose name has a text in it, by name. */
    private static Map<String, Double> lastOfSeries(String result, String named)
            throws IOException {
        Map<String, Double> last = new HashMap<>();
        for (String line : Files.readAllLines(directory.resolve(result + "/series.csv"))) {
            String[] cells = line.split(",");
            if (cells[1].contains(named)) {
                last.put(cells[1], Double.parseDouble(cells[4]));
            }
        }
        return last;
    }

    @Test
    @Tag("netns")
    @Tag("processes")
    void aCongestionPointOfAJarMarksRealFramesToo() throws Exception {
        String file = EXAMPLES.resolve("congestion-point/delay-marking.yaml").toString();
        Ended run =
                bash(
                        "\"$HEADGATE\" --plugins=jars reproduce \"$1\" --bed netns --out"
                                + " really-marked",
                        file);
        // How many are marked depends on the machine: a host that is held lets the queue run short.
        assertThat(measure("really-marked", "frames marked of both (frames)"))
                .as(run.said())
                .isGreaterThan(100);
        assertThat(measure("really-marked", "frames dropped (frames)")).isZero();
    }

    @Test
    @Tag("netns")
    @Tag("processes")
    void aRateControlOfAJarObeysNoticesOnRealFramesToo() throws Exception {
        String file = EXAMPLES.resolve("rate-control/backoff.yaml").toString();
        Ended run =
                bash(
                        "\"$HEADGATE\" --plugins=jars reproduce \"$1\" --bed netns --out"
                                + " really-told",
                        file);
        assertThat(lastOfSeries("really-told", "h1 notices.obeyed").values())
                .as(run.said())
                .singleElement()
                .satisfies(obeyed -> assertThat(obeyed).isPositive());
        // How many are dropped depends on the machine; of greedy senders, three frames of four are.
        assertThat(measure("really-told", "frames dropped (frames)"))
                .isLessThan(measure("really-told", "frames sent of all (frames)") / 2);
    }

    @Test
    @Tag("netns")
    @Tag("processes")
    void aScenarioOfAJarRunsOnRealFramesToo() throws Exception {
        Ended run =
                bash(
                        "\"$HEADGATE\" reproduce store-and-forward --plugins jars --out really"
                                + " --bed netns --set switches=2");
        assertThat(run.said()).contains("PASS: 1 of 1 as expected.");
        assertThat(run.code()).isZero();
    }

    @Test
    void whatOnlyTheWholeOfAConfigurationShowsIsToldInASentence() throws Exception {
        String switchRun =
                """
                echo "{name: whole, $1 ports: [{name: p1, device: {afpacket: hgnone0},\
                 congestion: {delay-marking: {notice: 10us, $2}}}]}" >whole.yaml
                "$HEADGATE" --plugins jars switch run -c whole.yaml $3
                """;
        Ended noAddress = bash(switchRun, "", "priority: 0", "--no-warm-up");
        assertThat(noAddress)
                .isEqualTo(
                        new Ended(
                                2,
                                "headgate: switch whole: port p1: its congestion points send"
                                        + " notices, and switch whole has no address to send them"
                                        + " from: give it one, such as address: 10.0.0.254/24\n"));
        Ended watched = bash(switchRun, "address: 10.0.0.254/24,", "priority: 6", "--no-warm-up");
        assertThat(watched.said())
                .startsWith("headgate: switch whole: port p1: delay-marking sends notices")
                .hasLineCount(1);
        assertThat(watched.code()).isEqualTo(2);
    }

    @Test
    void queuesOfAJarHaveKeysMessagesAndDecideWhatIsTakenAndWhatIsSent() throws Exception {
        String file = EXAMPLES.resolve("queues/first-come.yaml").toString();
        Ended run = bash("\"$HEADGATE\" --plugins=jars reproduce \"$1\" --out shares", file);
        assertThat(run.said()).contains("PASS: 3 of 3 as expected.");
        assertThat(run.code()).isZero();
        Ended wrong =
                bash(
                        """
                        sed 's/limit: 60kB/limit: 6kB/' "$1" >wrong-limit.yaml
                        "$HEADGATE" --plugins jars reproduce wrong-limit.yaml --out wrong-limit
                        """,
                        file);
        assertThat(wrong.said())
                .contains("queues.first-come.limit: found \"6kB\"; allowed: a size such as");
        assertThat(wrong.code()).isEqualTo(2);
        Ended byPriority =
                bash(
                        """
                        sed 's/limit: 60kB/enabled: false/' "$1" >off.yaml
                        "$HEADGATE" --plugins jars reproduce off.yaml --out off
                        """,
                        file);
        assertThat(byPriority.said()).contains("FAIL");
        assertThat(byPriority.code()).isEqualTo(1);
    }

    @Test
    void aThresholdOfAJarHoldsWhatAlphaWouldDrop() throws Exception {
        String file = EXAMPLES.resolve("threshold/burst-floor.yaml").toString();
        Ended run = bash("\"$HEADGATE\" --plugins=jars reproduce \"$1\" --out floor", file);
        assertThat(run.said()).contains("PASS: 1 of 1 as expected.");
        assertThat(run.code()).isZero();
        Ended byAlpha =
                bash(
                        """
                        sed 's/least: 30kB/enabled: false/' "$1" >alpha.yaml
                        "$HEADGATE" --plugins jars reproduce alpha.yaml --out alpha
                        """,
                        file);
        assertThat(byAlpha.said()).contains("FAIL  frames dropped");
        assertThat(byAlpha.code()).isEqualTo(1);
        Ended wrong =
                bash(
                        """
                        sed 's/least: 30kB/least: 30B/' "$1" >wrong-floor.yaml
                        "$HEADGATE" --plugins jars reproduce wrong-floor.yaml --out wrong-floor
                        """,
                        file);
        assertThat(wrong.said())
                .contains("threshold.burst-floor.least: found \"30B\"; allowed: a size such as");
        assertThat(wrong.code()).isEqualTo(2);
    }

    /** Runs commands while a switch $NAME of that configuration runs, with the jars. */
    private static Ended atSwitch(String yaml, String commands)
            throws IOException, InterruptedException {
        return bash(
                """
                NAME=jars$$
                { echo "name: $NAME"; echo "$1"; } >$NAME.yaml
                "$HEADGATE" --plugins jars switch run -c $NAME.yaml --no-warm-up >$NAME.log &
                trap "kill $!" EXIT
                for try in $(seq 600); do
                    ! grep -q running $NAME.log || break
                    sleep 0.1
                done
                """
                        + commands,
                yaml);
    }

    /** A file of frames, of one length, 1 ms apart. */
    private static void capture(String file, String header, int frames, int bytes)
            throws IOException {
        ByteBuffer out =
                ByteBuffer.allocate(24 + frames * (16 + bytes)).order(ByteOrder.LITTLE_ENDIAN);
        out.putInt(0xA1B2C3D4).putShort((short) 2).putShort((short) 4).putLong(0);
        out.putInt(1 << 16).putInt(1);
        for (int frame = 0; frame < frames; frame++) {
            out.putInt(0).putInt(1000 * frame).putInt(bytes).putInt(bytes);
            out.put(HexFormat.of().parseHex(header));
            out.position(out.position() + bytes - 14);
        }
        Files.write(directory.resolve(file), out.array());
    }

    @Test
    void aTableOfAJarShowsWhatASwitchCounts() throws Exception {
        capture("ten.pcap", "ffffffffffff020000000001" + "1234", 10, 100);
        Ended shown =
                atSwitch(
                        """
                        ports:
                          - {name: in, device: {pcap-file: {input: ten.pcap}}}
                          - {name: out, device: {pcap-file: {output: out.pcap}}}
                        """,
                        """
                        for try in $(seq 30); do
                            json=$("$HEADGATE" --plugins jars show frame-sizes out --json --switch $NAME 2>&1) || true
                            [[ $json != *'"outFrames":10,'* ]] || break
                            sleep 0.1
                        done
                        echo "$json"
                        "$HEADGATE" --plugins jars show frame-sizes out --switch $NAME
                        ! "$HEADGATE" show frame-sizes --switch $NAME 2>&1
                        """);
        assertThat(shown.said())
                .contains(
                        "{\"frame-sizes\":[{\"port\":\"out\",\"inFrames\":0,\"inMeanBytes\":0.0,"
                                + "\"outFrames\":10,\"outMeanBytes\":100.0}]}")
                .containsPattern("out +0 +0\\.0 +10 +100\\.0\n")
                .contains("'frame-sizes' cannot be shown; allowed: ports");
        assertThat(shown.code()).isZero();
    }

    /** With a worker for each half: its receive side and its transmit side are two threads'. */
    @Test
    void aDeviceOfAJarReceivesTransmitsAndHasFaults() throws Exception {
        String often = "{repeat: {frame: ffffffffffff0200000000011234, every: 100us}";
        Ended shown =
                atSwitch(
                        """
                        workers: {layout: per-half}
                        ports:
                          - {name: in, device: %s, faults: {loss: 0.5}}}
                          - {name: out, device: {repeat: {frame: 0180c200000e0200000000021234}}}
                        """
                                .formatted(often),
                        """
                        want='"out",.*"transmittedFrames":[1-9][0-9]{2}'
                        for try in $(seq 30); do
                            said=$("$HEADGATE" show ports --switch $NAME --json)
                            [[ ! $said =~ $want ]] || break
                        done
                        echo "$said"
                        "$HEADGATE" show drops in --switch $NAME
                        """);
        assertThat(shown.said())
                .containsPattern("\"out\",.*\"transmittedFrames\":[1-9][0-9]{2}")
                .containsPattern("FAULT_INJECTED +[1-9][0-9]");
        assertThat(shown.code()).isZero();
        Ended without =
                bash(
                        """
                        echo "{name: d, ports: [{name: p1, device: $1}]}" >device.yaml
                        "$HEADGATE" switch run -c device.yaml
                        """,
                        often + "}");
        assertThat(without.said().replaceAll("\\s+", " "))
                .contains(
                        "ports[0].device.repeat: found the unknown kind of device \"repeat\";"
                                + " allowed: afpacket, afxdp, memory, pcap, pcap-file, tap,"
                                + " virtual, vxlan, faults; those of a jar come with --plugins DIR");
        assertThat(without.code()).isEqualTo(2);
    }

    @Test
    void whatALinkProtocolOfAJarCountsIsShown() throws Exception {
        Ended shown =
                atSwitch(
                        """
                        ports:
                          - {name: p1, device: {pcap-file: {output: sent1.pcap}}, link-control: {token: {}}}
                          - {name: p2, device: {pcap-file: {output: sent2.pcap}}}
                        """,
                        """
                        "$HEADGATE" --plugins jars show link-control --switch $NAME
                        "$HEADGATE" --plugins jars show link-control --switch $NAME --json
                        """);
        assertThat(shown.said())
                .containsPattern("counted +p1 +what\\n")
                .containsPattern("relayed +0 +tokens for another port")
                .containsPattern("forwarded +0 +tokens of other ports")
                .contains(
                        "{\"link-control\":[{\"mechanism\":\"token\",\"port\":\"p1\",\"counts\":"
                                + "{\"ended\":0,\"relayed\":0,\"forwarded\":0}}]}");
        assertThat(shown.code()).isZero();
    }

    @Test
    void aServiceOfAJarAsksAndAnswersInVirtualTime() throws Exception {
        Ended run =
                bash(
                        """
                        path=$("$HEADGATE" class-path)
                        "$JAVA_HOME/bin/java" -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED \\
                            -cp "$path:$1:jars/probe.jar" \\
                            io.headgate.testbed.examples.ProbesInVirtualTime
                        """,
                        Path.of("target/test-classes").toAbsolutePath().toString());
        // Each asks its two ports at 0, 1, … 10 ms; hosts do not answer.
        assertThat(run.said())
                .contains("s1 probe.asked 22\n", "s1 probe.answered 11\n", "s1 probe.heard 11\n")
                .contains("s2 probe.asked 22\n", "s2 probe.answered 11\n", "s2 probe.heard 11\n")
                .contains("s1 probe.failures 0\n");
        assertThat(run.code()).isZero();
    }

    @Test
    void aServiceOfAJarAnswersFramesThatADeviceBrings() throws Exception {
        capture("questions.pcap", "0180c200000e020000000001" + "9000", 5, 60);
        Ended run =
                atSwitch(
                        """
                        services: {probe: {every: 3600s}}
                        ports:
                          - {name: p1, device: {pcap-file: {input: questions.pcap, output: answers.pcap}}}
                        """,
                        """
                        for try in $(seq 30); do
                            said=$("$HEADGATE" show counters --switch $NAME)
                            [[ ! $said =~ probe.answered\\ +5 ]] || break
                        done
                        echo "$said"
                        """);
        assertThat(run.said()).containsPattern("probe.answered +5 +frames +answers sent");
        byte[] answers = Files.readAllBytes(directory.resolve("answers.pcap"));
        assertThat(HexFormat.of().formatHex(answers)).contains("9000" + "01" + "00".repeat(45));
        Ended wrong =
                bash(
                        """
                        echo "{name: p, services: {probe: {every: 3601s}}, ports: []}" >probe.yaml
                        "$HEADGATE" --plugins jars switch run -c probe.yaml
                        """);
        assertThat(wrong.said()).contains("services.probe.every: found \"3601s\"; allowed: a time");
        assertThat(wrong.code()).isEqualTo(2);
    }

    @Test
    void aJarThatNamesNoClassIsToldInASentence() throws Exception {
        Path services = Files.createDirectories(directory.resolve("broken/META-INF/services"));
        Files.writeString(services.resolve("io.headgate.config.Mechanism"), "example.Missing\n");
        Ended told =
                bash(
                        """
                        mkdir -p wrong-jars
                        "$JAVA_HOME/bin/jar" cf wrong-jars/broken.jar -C broken META-INF
                        "$HEADGATE" reproduce list --plugins wrong-jars
                        """);
        assertThat(told.said())
                .startsWith("headgate: a mechanism in a jar cannot be used: ")
                .contains("example.Missing")
                .hasLineCount(1);
        assertThat(told.code()).isEqualTo(2);
        Path tables = Files.createDirectories(directory.resolve("no-table/META-INF/services"));
        Files.writeString(
                tables.resolve("io.headgate.control.show.ShowTable"),
                "io.headgate.control.show.PortsTable\nexample.Missing\n");
        told =
                bash(
                        """
                        mkdir -p no-tables
                        "$JAVA_HOME/bin/jar" cf no-tables/broken.jar -C no-table META-INF
                        "$HEADGATE" reproduce list --plugins no-tables
                        """);
        assertThat(told.said())
                .startsWith("headgate: a table in a jar cannot be used: ")
                .contains("example.Missing")
                .hasLineCount(1);
        assertThat(told.code()).isEqualTo(2);
    }

    @Test
    void aDirectoryWithoutJarsIsToldInASentence() throws Exception {
        Ended told = bash("mkdir -p empty; \"$HEADGATE\" reproduce list --plugins empty");
        assertThat(told)
                .isEqualTo(
                        new Ended(
                                2,
                                "headgate: --plugins 'empty' is no directory with jars; its path"
                                        + " may have no colon.\n"));
    }

    @Test
    void examplesAreShort() throws IOException {
        try (Stream<Path> files = Files.walk(EXAMPLES)) {
            List<Path> sources = files.filter(file -> file.toString().endsWith(".java")).toList();
            assertThat(sources).hasSizeGreaterThan(2);
            for (Path source : sources) {
                assertThat(Files.readAllLines(source)).hasSizeLessThan(MOST_LINES);
            }
        }
    }
}
