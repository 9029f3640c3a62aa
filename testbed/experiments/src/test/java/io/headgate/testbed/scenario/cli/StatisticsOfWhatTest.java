package io.headgate.testbed.scenario.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A result says of which flows and of how many runs its statistics are. */
class StatisticsOfWhatTest {
    /** Three hosts send to one more than its link carries, at two loads: many flows do not end. */
    private static final String FLOWS =
            """
            name: open
            duration: 2ms
            parameters:
              - {name: load, unit: number, default: "0.2,0.6", min: 0.1, max: 1}
            topology:
              name: star
              link: {rate: 10Gbps, delay: 1us}
              builder: {single-switch: {hosts: 4}}
              queue-limit: 10MB
            traffic:
              - name: web
                from: [h1, h2, h3]
                to: h4
                arrivals: {load: $load, workload: alistorage2019_hpcc}
            plot:
              - {y: completion of web, ecdf: true}
              - {y: flows unfinished of web, x: load}
            expect:
              - {measure: frames dropped, at-most: 0}
            """;

    /** Nothing in it is random. */
    private static final String STEADY =
            """
            name: steady
            duration: 100us
            parameters:
              - {name: rate, unit: rate, default: "5Gbps,10Gbps", min: 1Gbps, max: 10Gbps}
            topology:
              name: star
              link: {rate: 10Gbps, delay: 1us}
              builder: {single-switch: {hosts: 3}}
            traffic:
              - {name: bulk, from: h1, to: h3, size: 20kB, send: {rate: $rate}}
            expect:
              - {measure: mean completion of bulk, at-most: 1000}
              - {measure: p99 completion of bulk, at-most: 1000}
            """;

    @TempDir private Path directory;
    private final PrintStream realOut = System.out;
    private ByteArrayOutputStream out = new ByteArrayOutputStream();

    @BeforeEach
    void catchOutput() {
        out = new ByteArrayOutputStream();
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void giveOutputBack() {
        System.setOut(realOut);
    }

    private Path reproduce(String text, Object... more) throws Exception {
        Path file = directory.resolve("s.yaml");
        Files.writeString(file, text);
        Path result = directory.resolve("r");
        new CommandLine(new ReproduceCommand())
                .execute(
                        Stream.concat(Stream.<Object>of(file, "--out", result), Stream.of(more))
                                .map(String::valueOf)
                                .toArray(String[]::new));
        return result;
    }

    /** What is printed, in one line, as lines are folded. */
    private String printed() {
        return out.toString(StandardCharsets.UTF_8).replaceAll("\\s+", " ");
    }

    /** For each run its rows of flows.csv, split into cells. */
    private static Map<String, List<String[]>> flows(Path result) throws Exception {
        Map<String, List<String[]>> runs = new LinkedHashMap<>();
        for (String row : Files.readAllLines(result.resolve("flows.csv"))) {
            if (!row.startsWith("run,")) {
                String[] cells = row.split(",", -1);
                runs.computeIfAbsent(cells[0], _ -> new ArrayList<>()).add(cells);
            }
        }
        return runs;
    }

    private static double measure(JsonNode run, String name) {
        for (JsonNode one : run.path("measures")) {
            if (one.path("name").asString().equals(name)) {
                return one.path("value").asDouble();
            }
        }
        return Double.NaN;
    }

    @Test
    void flowsThatHadNotFinishedAreInTheTableTheMeasuresTheVerdictAndTheCaption() throws Exception {
        Path result = reproduce(FLOWS, "--json");
        JsonNode json = JsonMapper.builder().build().readTree(out.toString(StandardCharsets.UTF_8));
        Map<String, List<String[]>> flows = flows(result);
        assertThat(flows).hasSize(2);
        List<String> said = new ArrayList<>();
        for (JsonNode run : json.path("runs")) {
            List<String[]> rows = flows.getOrDefault(run.path("run").asString(), List.of());
            List<String[]> open = rows.stream().filter(row -> row[6].isEmpty()).toList();
            double bytes = rows.stream().mapToDouble(row -> Double.parseDouble(row[7])).sum();
            double openBytes = open.stream().mapToDouble(row -> Double.parseDouble(row[7])).sum();
            assertThat(open).as("a load that leaves flows open").isNotEmpty();
            assertThat(open).allMatch(row -> row[8].isEmpty() && row[10].isEmpty());
            assertThat(measure(run, "flows begun of web")).isEqualTo(rows.size());
            assertThat(measure(run, "flows unfinished of web")).isEqualTo(open.size());
            assertThat(measure(run, "flows finished of web")).isEqualTo(rows.size() - open.size());
            assertThat(measure(run, "bytes unfinished of web")).isEqualTo(openBytes);
            assertThat(measure(run, "bytes finished of web")).isEqualTo(bytes - openBytes);
            // Every frame that arrived belongs to a flow that began.
            assertThat(measure(run, "bytes finished of web"))
                    .isLessThanOrEqualTo(measure(run, "throughput of web") * 2e6 / 8 * 1000);
            said.add(open.size() + " of " + rows.size() + " flows, with ");
        }
        List<String> warnings = new ArrayList<>();
        json.path("warnings").forEach(one -> warnings.add(one.asString()));
        assertThat(warnings)
                .hasSize(2)
                .allMatch(one -> one.startsWith("web (load 0."))
                .anyMatch(one -> one.contains(said.getFirst()))
                .anyMatch(one -> one.contains(said.getLast()));
        String page = Files.readString(result.resolve("report.html"));
        String caption = page.substring(page.indexOf("ecdf-completion-web"));
        assertThat(caption).contains(said.getFirst()).contains(said.getLast());
        // Where flows are missing the curve ends below 1.
        List<String> curve =
                Files.readAllLines(result.resolve("figures/ecdf-completion-web.csv")).stream()
                        .filter(row -> row.matches("[^,]*,[^,]*load 0[.]6[^,]*,.*|,.*0[.]6.*"))
                        .toList();
        assertThat(curve).isNotEmpty();
        assertThat(Double.parseDouble(curve.getLast().split(",", -1)[3])).isLessThan(1);

        out.reset();
        reproduce(FLOWS);
        assertThat(printed())
                .contains("WARNING: web (load 0.6): ")
                .contains(said.getLast())
                .contains("PASS: 2 of 2 as expected.");
    }

    @Test
    void seedsThatChangeNothingAreOneRunWithoutInterval() throws Exception {
        Path result = reproduce(STEADY, "--seed", "1..5");
        assertThat(printed())
                .contains(
                        "WARNING: the seed changes nothing here: 5 seeds have one digest in 2 of 2"
                                + " settings, so they count as one run (n = 1) and have no"
                                + " interval.")
                .contains("; the same in all of 5 seeds")
                .doesNotContain("±");
        String figure = Files.readString(result.resolve("figures/throughput.csv"));
        // No point has a lower and an upper end.
        assertThat(figure.lines().skip(1)).isNotEmpty().allMatch(row -> row.endsWith(",,"));
        String sweep =
                Files.readString(result.resolve("figures/sweep-mean-completion-of-bulk.csv"));
        assertThat(sweep.lines().skip(1)).hasSize(2).allMatch(row -> row.endsWith(",,"));
        assertThat(Files.readString(result.resolve("report.html")))
                .contains("The seed changes nothing")
                .doesNotContain("t-interval");
    }

    @Test
    void oneFlowHasNoPercentile() throws Exception {
        reproduce(STEADY, "--set", "rate=5Gbps");
        assertThat(printed())
                .contains(
                        "bulk: 1 finished flow is too few for p99 (100 are needed) and p99.9"
                                + " (1,000), which are not given")
                .contains("FAIL p99 completion of bulk: not measured");
    }

    @Test
    void whatNoRunHasIsNotDrawn() throws Exception {
        reproduce(STEADY + "plot:\n  - {y: p99 completion of bulk, x: rate}\n");
        assertThat(printed()).contains("p99 completion of bulk is not drawn: no run has it");
    }

    @Test
    void aFlowThatIsStoppedBeforeItsEndNeverFinishes() throws Exception {
        Path result =
                reproduce(
                        STEADY.replace("size: 20kB,", "size: 20kB, stop: 10us,"),
                        "--set",
                        "rate=5Gbps");
        assertThat(flows(result).get("0"))
                .hasSize(1)
                .allMatch(row -> row[6].isEmpty() && row[7].equals("20000"));
        assertThat(printed()).contains("bulk: 1 of 1 flows, with 100 % of their bytes (20 kB of");
    }
}
