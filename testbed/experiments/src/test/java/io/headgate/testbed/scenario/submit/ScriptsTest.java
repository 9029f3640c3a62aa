package io.headgate.testbed.scenario.submit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.Values;
import io.headgate.testbed.scenario.campaign.SweepRequest;
import io.headgate.testbed.scenario.report.Result.ScenarioText;
import io.headgate.testbed.scenario.report.SweepDescription;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Job;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ScriptsTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private static Tasks tasks(@Nullable ScenarioText file) {
        return tasks(file, 40, false);
    }

    private static Tasks tasks(@Nullable ScenarioText file, int to, boolean checking) {
        BitSet cells = new BitSet();
        cells.set(3, to);
        return new Tasks(
                new SweepDescription(
                        "Two to One",
                        file,
                        new SweepRequest(
                                file == null ? "incast" : file.path(),
                                List.of("word=it's"),
                                "1..10",
                                null,
                                null,
                                null),
                        "0123456789abcdef",
                        40,
                        List.of()),
                cells,
                8,
                checking);
    }

    private static List<JsonNode> documents(String manifest) {
        List<JsonNode> documents = new ArrayList<>();
        new Load(LoadSettings.builder().build())
                .loadAllFromString(manifest)
                .forEach(document -> documents.add(JSON.valueToTree(document)));
        return documents;
    }

    private static JsonElement gson(JsonNode document) {
        return JsonParser.parseString(document.toString());
    }

    @Test
    void theManifestForKubernetesIsWhatTheSchemaOfTheApiAllows() throws Exception {
        String text = new Kubernetes("registry.example/headgate:1").script(tasks(null));
        List<JsonNode> documents = documents(text);
        assertThat(documents).hasSize(2);
        for (JsonNode job : documents) {
            V1Job.validateJsonElement(gson(job));
        }
        JsonNode spec = documents.getFirst().path("spec");
        assertThat(spec.path("completionMode").asString()).isEqualTo("Indexed");
        assertThat(spec.path("completions").asInt()).isEqualTo(8);
        assertThat(spec.path("backoffLimitPerIndex").asInt()).isEqualTo(3);
        JsonNode container = spec.at("/template/spec/containers/0");
        assertThat(container.path("image").asString()).isEqualTo("registry.example/headgate:1");
        assertThat(container.path("command").valueStream().map(JsonNode::asString))
                .containsExactly(
                        "/opt/headgate/headgate",
                        "reproduce",
                        "incast",
                        "--set",
                        "word=it's",
                        "--seed",
                        "1..10",
                        "--cells",
                        "3..39",
                        "--shard",
                        "auto/8",
                        "--resume",
                        "--out",
                        "/sweeps/headgate-two-to-one-012345");
        assertThat(text)
                .startsWith("# 37 of 40 runs of Two to One in 8 tasks, and a merge")
                .contains("not run on a cluster");
    }

    @Test
    void aScenarioFileGoesToKubernetesAsAConfigMap() throws Exception {
        String scenario = "name: x\ntitle: 'a \"b\"'\n";
        List<JsonNode> documents =
                documents(
                        new Kubernetes("headgate")
                                .script(tasks(new ScenarioText("/home/me/x.yaml", scenario))));
        V1ConfigMap.validateJsonElement(gson(documents.getFirst()));
        V1Job.validateJsonElement(gson(documents.get(1)));
        assertThat(documents.getFirst().at("/data/scenario.yaml").asString()).isEqualTo(scenario);
        assertThat(documents.get(1).at("/spec/template/spec/containers/0/command/2").asString())
                .isEqualTo("/scenario/scenario.yaml");
        assertThat(documents.get(1).at("/spec/template/spec/volumes/1/configMap/name"))
                .isEqualTo(documents.getFirst().at("/metadata/name"));
    }

    /** Users may write texts like the placeholders of the template. */
    @Test
    void whatUsersWriteIsNotReplacedInTheManifest() {
        String scenario = "title: '@NAME@ @TEXT@ @merge@ @other@ $1 \\\\'\n";
        List<JsonNode> documents =
                documents(
                        new Kubernetes("registry.example/@TEXT@:@NAME@")
                                .script(tasks(new ScenarioText("/home/me/x.yaml", scenario))));
        assertThat(documents).hasSize(3);
        assertThat(documents.getFirst().at("/data/scenario.yaml").asString()).isEqualTo(scenario);
        for (JsonNode job : documents.subList(1, 3)) {
            assertThat(job.at("/spec/template/spec/containers/0/image").asString())
                    .isEqualTo("registry.example/@TEXT@:@NAME@");
        }
    }

    @Test
    void tasksOfOtherCellsAreOtherJobsAndTheirRunsGoToTheSamePlace() {
        List<JsonNode> some = documents(new Kubernetes("headgate").script(tasks(null)));
        List<JsonNode> others =
                documents(new Kubernetes("headgate").script(tasks(null, 20, false)));
        String place = "/spec/template/spec/containers/0/command/13";
        assertThat(some.getFirst().at(place)).isEqualTo(others.getFirst().at(place));
        for (int i = 0; i < 2; i++) {
            assertThat(some.get(i).at("/metadata/name"))
                    .isNotEqualTo(others.get(i).at("/metadata/name"));
        }
    }

    @Test
    void whatIsWrongIsMergedOnceAndWaitedForOnce() {
        String text = new Kubernetes("headgate").script(tasks(null));
        assertThat(documents(text).get(1).at("/spec/backoffLimit").asInt(-1)).isZero();
        assertThat(text).contains("grep -wE 'Complete|Failed'").contains("kubectl delete -f");
    }

    @Test
    void invariantsAreCheckedByTheTasksWhereThatIsAskedFor() {
        assertThat(tasks(null, 40, true).arguments("1/8")).contains("--check");
        assertThat(tasks(null, 40, false).arguments("1/8")).doesNotContain("--check");
    }

    @Test
    void whatSbatchIsToldCannotMakeTheMergeForgetWhatItWaitsFor() {
        String text =
                new Slurm("--dependency=singleton", Path.of("h"), Path.of("o")).script(tasks(null));
        assertThat(text)
                .containsPattern("--dependency=singleton --dependency=afterany:\"\\$array\"");
    }

    /** As Ctrl-C does, which the terminal tells all of our processes. */
    @Test
    void whatIsAmidBeingSubmittedIsNotEndedByCtrlC() throws Exception {
        assertThat(Bash.run("kill -INT $$; echo job 17").text()).isEqualTo("job 17\n");
    }

    @Test
    void aScriptMayBeLongerThanAnArgument() throws Exception {
        String line = "# as long as a scenario's text may be\n";
        assertThat(Bash.run(line.repeat(10_000) + "echo end").text()).isEqualTo("end\n");
    }

    @Test
    void aFirstCellThatFailsDoesNotSayHowLongTheOthersTake() {
        Cell cell = new Cell(0, new Values(List.of(), List.of()), 1, BedKind.VIRTUAL, 1);
        CellResult failed = new CellResult(cell, null, "no memory", 0.001);
        assertThat(Tasks.countFor(40, failed)).isEqualTo(40);
        assertThat(Tasks.countFor(40, (CellResult) null)).isEqualTo(40);
        Outcome outcome = new Outcome("0", List.of(), List.of(), List.of(), Map.of());
        assertThat(Tasks.countFor(40, new CellResult(cell, outcome, null, 0.001))).isEqualTo(1);
    }

    /** Shows that the tests above can fail. */
    @Test
    void theSchemaRefusesWhatIsNoJob() {
        for (Map<String, Object> wrong :
                List.<Map<String, Object>>of(
                        Map.of("apiVersion", "batch/v1", "kind", "Job", "spec", Map.of()),
                        Map.of("apiVersion", "batch/v1", "kind", "Job", "specs", Map.of()))) {
            assertThatThrownBy(() -> V1Job.validateJsonElement(gson(JSON.valueToTree(wrong))))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aFewShortCellsShareATaskOfTwoMinutes() {
        assertThat(Tasks.countFor(800, 10)).isEqualTo(67);
        assertThat(Tasks.countFor(800, 3600)).isEqualTo(800);
        assertThat(Tasks.countFor(40, 0.001)).isEqualTo(1);
        assertThat(Tasks.countFor(100_000, 3600)).isEqualTo(1000);
    }
}
