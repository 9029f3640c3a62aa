package io.headgate.testbed.scenario.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.headgate.config.ConfigException;
import io.headgate.testbed.scenario.Flows;
import io.headgate.testbed.scenario.bed.Experiment;
import io.headgate.testbed.scenario.bed.Observation;
import io.headgate.testbed.scenario.bed.QuietRun;
import io.headgate.testbed.scenario.bed.VirtualBed;
import io.headgate.testbed.traffic.spec.ArrivalSpec;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.FlowSpec.After;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Flows and distributions of sizes that a person brings in files, or writes into the scenario. */
class BroughtFilesTest {
    private static final String HEAD =
            """
            name: brought
            duration: 1ms
            topology: {name: t, link: {rate: 10Gbps, delay: 1us}, builder: {single-switch: {hosts: 4}}}
            """;

    private static String flows(String entry, String... lines) {
        return HEAD
                + "traffic: [{name: job, flows: f.csv"
                + entry
                + "}]\nfiles: {f.csv: \""
                + String.join("\\n", lines)
                + "\"}\n";
    }

    private static Experiment experiment(String text) {
        return ScenarioReader.define(text, "s.yaml").experiment();
    }

    @Test
    void flowsOfAFileAreThoseOfItsLines() {
        List<FlowSpec> flows =
                experiment(
                                flows(
                                        ", priority: 5, window: 64",
                                        "# of a trace",
                                        "bytes, source ,destination,start,priority,depends-on",
                                        "1000,h1,h2,1.5us,3,",
                                        "'2000',h2,h3,,,1".replace('\'', ' '),
                                        "3000,h3,h1,2us,,2+2.5us"))
                        .flows();
        assertThat(flows).extracting(FlowSpec::source).containsExactly(0, 1, 2);
        assertThat(flows).extracting(FlowSpec::destination).containsExactly(1, 2, 0);
        assertThat(flows).extracting(FlowSpec::sizeBytes).containsExactly(1000L, 2000L, 3000L);
        assertThat(flows).extracting(FlowSpec::startPs).containsExactly(1_500_000L, 0L, 2_000_000L);
        assertThat(flows).extracting(flow -> flow.shape().priority()).containsExactly(3, 5, 5);
        assertThat(flows)
                .extracting(FlowSpec::after)
                .containsExactly(
                        List.of(), List.of(new After(0, 0)), List.of(new After(1, 2_500_000)));
    }

    @ParameterizedTest
    @CsvSource({"udp, '', 0", "window, ', window: 64', 1", "rocev2, ', transport: rocev2', 1"})
    void aFlowBeginsWhenThoseItDependsOnAreComplete(String kind, String entry, int acknowledged)
            throws Exception {
        // A ring of three steps, then one more of the first sender, which may wait for its first.
        String text =
                flows(
                        entry,
                        "source,destination,bytes,start,depends-on",
                        "h1,h2,100000,,",
                        "h2,h3,100000,,1",
                        "h3,h4,100000,,2",
                        acknowledged == 1 ? "h1,h3,100000,,1 " : "h4,h1,100000,,3");
        Observation seen = VirtualBed.run(experiment(text), 1, new QuietRun());
        assertThat(measure(seen, "flows finished of job")).isEqualTo(4);
        Flows job =
                Objects.requireNonNull(
                        Flows.of(seen.outcome(List.of(), List.of()), "job"), "flows of job");
        // By their beginnings: h1, then h2 and where it may h1 again, then h3, which may be h4's.
        Map<Integer, Double> endsAt = new HashMap<>();
        for (int i = 0; i < 4; i++) {
            int source = (int) job.source()[i];
            boolean again = source == 0 && i > 0;
            double begins = i == 0 ? 0 : endsAt.getOrDefault(source, Double.NaN);
            assertThat(job.startUs()[i])
                    .as("flow %d, of host %d", i, source)
                    .isBetween(begins - 0.001, begins + (again ? 5 : 0.001));
            double ends = job.startUs()[i] + job.completionUs()[i];
            endsAt.putIfAbsent((int) job.destination()[i], ends);
            endsAt.putIfAbsent(source, ends);
        }
    }

    @Test
    void aDelayBeginsWhenTheLastOfThoseWithItIsComplete() throws Exception {
        String text =
                flows(
                        ", window: 64",
                        "source,destination,bytes,depends-on",
                        "h1,h3,10000,",
                        "h2,h3,20000,",
                        "h3,h4,1000,1+100us 2+5us");
        Observation seen = VirtualBed.run(experiment(text), 1, new QuietRun());
        Flows job =
                Objects.requireNonNull(
                        Flows.of(seen.outcome(List.of(), List.of()), "job"), "flows of job");
        double first = job.startUs()[0] + job.completionUs()[0];
        assertThat(job.completionUs()[1]).isBetween(first, first + 90);
        assertThat(job.startUs()[2]).isCloseTo(first + 100, within(0.001));
        double makespan = job.startUs()[2] + job.completionUs()[2];
        assertThat(measure(seen, "makespan of job")).isCloseTo(makespan, within(1e-9));
    }

    private static double measure(Observation seen, String name) {
        return seen.measures().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow()
                .value();
    }

    @Test
    void whatWaitsForAFlowThatNeverEndsDoesNotBegin() throws Exception {
        String text =
                flows(
                        ", stop: 10us",
                        "source,destination,bytes,depends-on",
                        "h1,h2,10000000,",
                        "h2,h3,1000,1");
        Observation seen = VirtualBed.run(experiment(text), 1, new QuietRun());
        assertThat(measure(seen, "flows begun of job")).isEqualTo(1);
        assertThat(seen.measures()).noneMatch(one -> one.name().startsWith("makespan"));
    }

    /** All that begins is complete, but the run ends before the last one begins. */
    @Test
    void whatHasNotBegunHasNoMakespan() throws Exception {
        String lines = "source,destination,bytes,depends-on\nh1,h2,1000,\nh2,h3,1000,1+900ms";
        String[] all = lines.split("\n");
        Observation seen =
                VirtualBed.run(experiment(flows("", all[0], all[1], all[2])), 1, new QuietRun());
        assertThat(measure(seen, "flows unfinished of job")).isZero();
        assertThat(seen.measures()).noneMatch(one -> one.name().startsWith("makespan"));
        assertThat(seen.measures()).noneMatch(one -> one.name().startsWith("last arrival"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "h1,h9,1 | :2: the unknown host \"h9\"; allowed: a host of the topology",
                "h1,h1,1 | :2: a flow from h1 to itself",
                "h1,h2,NaN | :2: \"NaN\" bytes; allowed: a whole number from 1",
                "h1,h2,0 | allowed: a whole number from 1",
                "h1,h2,-5 | allowed: a whole number from 1",
                "h1,h2,99999999999999999999 | allowed: a whole number from 1",
                "h1,h2 | :2: 2 values; allowed: 3",
                "h1,h2,1,2 | :2: 4 values",
                " | no flow",
            })
    void aWrongLineIsRefusedWithFileAndLine(String line, String said) {
        String wrong = flows("", "source,destination,bytes", line == null ? "" : line);
        assertThat(refused(wrong)).contains("s.yaml:4:").contains("f.csv:").contains(said);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "h1,h2,1,,,2 | depends-on 2, which h1 neither sends nor receives",
                "h1,h2,1,,,7 | depends-on 7, of 3 flows; allowed: 1 to 3",
                "h1,h2,1,,,x | depends-on \"x\"",
                "h3,h1,1,,,3 | f.csv:4: flow 3, which waits for itself: 3 after 2 after 3",
                "h1,h2,1,,,1 | flow 1, which waits for itself: 1 after 1",
                "h1,h2,1,5,, | the start \"5\"; allowed: a time from 0s to 1000s with its unit",
                "h1,h2,1,NaNus,, | the start \"NaNus\"",
                "h1,h2,1,,9, | the priority \"9\"; allowed: 0 to 7",
            })
    void wrongOrdersOfFlowsAreRefusedToo(String line, String said) {
        String wrong =
                flows(
                        ", transport: rocev2",
                        "source,destination,bytes,start,priority,depends-on",
                        line,
                        "h2,h3,1,,,3",
                        "h3,h2,1,,,2");
        if (!said.contains("itself: 3")) {
            wrong = wrong.replace("h2,h3,1,,,3", "h2,h3,1,,,").replace("h3,h2,1,,,2", "h3,h2,1,,,");
        }
        assertThat(refused(wrong)).contains(said);
    }

    @Test
    void headingsKeysAndWaitsThatNothingTellsOfAreRefused() {
        assertThat(refused(flows("", "source,destination,size", "h1,h2,1")))
                .contains("f.csv:1: the column \"size\"; allowed: each once of start");
        assertThat(refused(flows("", "source,bytes", "h1,1")))
                .contains("allowed: at least source, destination, bytes");
        assertThat(refused(flows(", from: h1", "source,destination,bytes", "h1,h2,1")))
                .contains("s.yaml:4:43: traffic[0].from: found from with flows");
        assertThat(
                        refused(
                                flows(
                                        "",
                                        "source,destination,bytes,depends-on",
                                        "h1,h2,1,",
                                        "h1,h3,1,1")))
                .contains("depends-on 1, which its source sends without acknowledgements")
                .contains("transport: rocev2 or a window");
        assertThat(refused(HEAD + "traffic: [{name: job, flows: f.csv}]\n"))
                .contains("traffic[0].flows: found no file \"f.csv\"");
        assertThat(refused(HEAD + "traffic: [{name: job, from: h1}]\n"))
                .contains("traffic[0].to: found nothing");
    }

    private static String refused(String text) {
        ConfigException wrong =
                assertThrows(ConfigException.class, () -> ScenarioReader.read(text, "s.yaml"));
        return String.valueOf(wrong.getMessage());
    }

    private static String cdf(String cdf, String more) {
        return HEAD
                + "traffic: [{name: w, from: h1, to: h2, arrivals: {every: 10us, cdf: "
                + cdf
                + "}}]\n"
                + more;
    }

    @Test
    void sizesAreDrawnFromAFileOrFromPoints() {
        for (String text :
                List.of(
                        cdf("[[1kB, 0.5], [3kB, 1]]", ""),
                        cdf("own.txt", "files: {own.txt: \"1000 50\\n3000 100\"}\n"))) {
            ArrivalSpec source = experiment(text).arrivals().getFirst();
            assertThat(source.sizes().meanBytes()).isEqualTo(1500);
        }
    }

    @Test
    void wrongDistributionsAreRefusedWithTheirPlaceAndAllThatAreBuiltIn() {
        assertThat(refused(cdf("[[1kB, 0.5], [3kB, 0.9]]", ""))).contains("s.yaml:4:");
        assertThat(refused(cdf("[[1, 0.5], [3kB, 1]]", ""))).contains("not between 0 and 10^15");
        assertThat(refused(cdf("own.txt", "files: {own.txt: \"1000 50\\nNaN 100\"}\n")))
                .contains("s.yaml:4:")
                .contains("own.txt:2: size NaN B");
        assertThat(refused(cdf("none.txt", "")))
                .contains("found no file \"none.txt\"", "workload: alistorage2019_hpcc, ");
        assertThat(refused(cdf("none.txt", "").replace("cdf: none.txt", "workload: websearch")))
                .contains(
                        "alistorage2019_hpcc, fbhadoop_hpcc, fbhadoop_rocc, googlerpc2008_hpcc,"
                                + " vl2_datamining_rocc, websearch_hpcc, websearch_rocc");
    }

    @Test
    void filesInTheDirectoryOfAScenarioBecomePartOfItsText(@TempDir Path directory)
            throws IOException {
        Files.writeString(directory.resolve("a.csv"), "1000,0.5\n3000,1\n");
        Files.writeString(directory.resolve("b.csv"), "1000,1\n");
        Files.writeString(directory.resolve("f.csv"), "source,destination,bytes\nh1,h2,7\n");
        String text =
                HEAD
                        + "parameters: [{name: sizes, words: [a.csv, b.csv]}]\n"
                        + "traffic:\n  - {name: job, flows: f.csv}\n"
                        + "  - {name: w, from: h1, to: h2, arrivals: {every: 10us, cdf: $sizes}}\n";
        String whole = ScenarioReader.withNamedFiles(text, "s.yaml", directory);
        assertThat(whole).startsWith(text).contains("h1,h2,7").contains("\"1000,1\\n\"");
        assertThat(ScenarioReader.read(whole, "s.yaml").about().name()).isEqualTo("brought");
        assertThat(ScenarioReader.withNamedFiles(whole, "s.yaml", directory)).isEqualTo(whole);
        Files.writeString(directory.resolve("f.csv"), "x".repeat(4 << 20));
        assertThat(
                        assertThrows(
                                ConfigException.class,
                                () -> ScenarioReader.withNamedFiles(text, "s.yaml", directory)))
                .hasMessageContaining("\"f.csv\" of 4194304 bytes")
                .hasMessageContaining("at most 3145728 bytes");
    }

    /** They are said with the parameter that was meant. */
    @Test
    void mistakesOfAScenarioThatNamesAFileAreSaidByItsReader(@TempDir Path directory)
            throws IOException {
        Files.writeString(directory.resolve("f.csv"), "source,destination,bytes\nh1,h2,7\n");
        String text =
                HEAD
                        + "parameters: [{name: share, unit: number, default: 1, min: 0, max: 1}]\n"
                        + "traffic: [{name: job, flows: f.csv}]\ntitel: flows\n"
                        + "expect: [{measure: frames dropped, near: 1, tolerance: $shore}]\n";
        assertThat(ScenarioReader.withNamedFiles(text, "s.yaml", directory)).isEqualTo(text);
        assertThat(assertThrows(ConfigException.class, () -> ScenarioReader.read(text, "s.yaml")))
                .hasMessageContaining("title?")
                .hasMessageContaining("$share?");
    }

    @ParameterizedTest
    @ValueSource(strings = {"f.csv: ", "f.csv: 7", "f.csv: []", "f.csv: [null]"})
    void whatIsNoTextOfAFileIsAnEmptyOne(String files) {
        String text = HEAD + "traffic: [{name: job, flows: f.csv}]\nfiles: {" + files + "}\n";
        assertThat(assertThrows(ConfigException.class, () -> experiment(text)))
                .hasMessageContaining("found no file \"f.csv\", or an empty one");
    }

    /** One text given, one read; all else in its line. */
    @Test
    void filesAreAddedToThoseThatAreGivenHoweverTheyAreWritten(@TempDir Path directory)
            throws IOException {
        Files.writeString(directory.resolve("b.csv"), "1000,0.5\n3000,1\n");
        Files.writeString(directory.resolve("a.csv"), "not read");
        String traffic =
                "traffic: [{name: job, flows: a.csv}, {name: w, from: h1, to: h2, arrivals: {every:"
                        + " 10us, cdf: b.csv}}]";
        String given = "a.csv: \"source,destination,bytes\\nh1,h2,7\"";
        String block = "files:\n  " + given + "\n  # more\n\n";
        String literal = "files:\n  a.csv: |\n    source,destination,bytes\n    h1,h2,7\n";
        List<String> tops =
                List.of(
                        HEAD + "files: {" + given + "} # given\n" + traffic,
                        HEAD + "files: {\n  " + given + ",\n}\n" + traffic + "\n...\n",
                        HEAD + block + traffic + "\n",
                        (HEAD + block + traffic).indent(2),
                        HEAD + literal + "# after\n" + traffic + "\n",
                        HEAD + traffic + "\n" + literal,
                        HEAD + traffic + "\n" + literal.stripTrailing());
        for (String text : tops) {
            String whole = ScenarioReader.withNamedFiles(text, "s.yaml", directory);
            Experiment experiment =
                    ScenarioReader.define(FileParameters.read(whole, "s").withDefaults(), "s")
                            .experiment();
            assertThat(experiment.flows()).as(whole).hasSize(1);
            assertThat(experiment.arrivals().getFirst().sizes().meanBytes()).isEqualTo(1500);
            assertThat(whole).doesNotContain("not read");
            assertThat(lineOf(whole, "traffic:")).as(whole).isEqualTo(lineOf(text, "traffic:"));
            assertThat(ScenarioReader.withNamedFiles(whole, "s", directory)).isEqualTo(whole);
        }
    }

    private static long lineOf(String text, String word) {
        return text.substring(0, text.indexOf(word)).lines().count();
    }

    @Test
    void filesAreAddedWhateverTheStyleOfTheScenario(@TempDir Path directory) throws IOException {
        Files.writeString(
                directory.resolve("f.csv"),
                "source,destination,bytes\n" + "h1,h2,1000\n".repeat(1000));
        String block = HEAD + "traffic: [{name: job, flows: f.csv}]\n";
        String flow = "{" + block.strip().replace("\n", ",\n") + "}";
        for (String text :
                List.of(
                        block.indent(4),
                        block + "... # end\n",
                        block.strip() + " # end",
                        flow,
                        flow + " # a network\n# {}\n",
                        flow.replaceAll("}$", ", # last\n }\n"))) {
            String whole = ScenarioReader.withNamedFiles(text, "s.yaml", directory);
            assertThat(ScenarioReader.define(whole, "s.yaml").experiment().flows())
                    .as(text)
                    .hasSize(1000);
        }
    }

    @Test
    void whatIsNoFileOfTextIsNotRead(@TempDir Path directory) throws IOException {
        Files.createDirectory(directory.resolve("f.csv"));
        String text = HEAD + "traffic: [{name: job, flows: f.csv}]\n";
        assertThat(ScenarioReader.withNamedFiles(text, "s.yaml", directory)).isEqualTo(text);
        String device = text.replace("f.csv", "/dev/zero");
        assertThat(ScenarioReader.withNamedFiles(device, "s.yaml", directory)).isEqualTo(device);
    }
}
