package io.headgate.testbed.scenario.submit;

import io.headgate.control.report.Json;
import io.headgate.testbed.scenario.campaign.SweepRequest;
import io.headgate.testbed.scenario.report.Result.ScenarioText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An Indexed Job, and a Job that merges. Pods share a volume, claimed as {@value #CLAIM}. A pod
 * that is evicted does not count as failed; one that fails is tried again by its own index, so that
 * one bad node does not end the sweep.
 */
public final class Kubernetes implements Submitter {
    /** The claim of a volume that many nodes can write (ReadWriteMany). */
    static final String CLAIM = "headgate-sweeps";

    /** Kubernetes 1.29 has all of it switched on without being asked: 1.28 the back-off alone. */
    private static final String SINCE = "1.29";

    private static final String STEP = "headgate-step";
    private static final int TRIES_PER_INDEX = 3;
    private final String image;

    /**
     * @param image of a container with what {@code headgate dist} made in /opt/headgate
     */
    public Kubernetes(String image) {
        this.image = image;
    }

    @Override
    public String script(Tasks tasks) {
        List<Map<String, Object>> documents = new ArrayList<>();
        ScenarioText file = tasks.sweep().file();
        if (file != null) {
            documents.add(
                    map(
                            "apiVersion",
                            "v1",
                            "kind",
                            "ConfigMap",
                            "metadata",
                            metadata(tasks.jobName(), "cells"),
                            "data",
                            Map.of("scenario.yaml", file.text())));
        }
        String out = "/sweeps/" + tasks.name();
        SweepRequest request = tasks.sweep().request();
        List<String> task = new ArrayList<>(List.of("/opt/headgate/headgate"));
        task.addAll(
                tasks.arguments(
                        file == null ? request : request.withScenario("/scenario/scenario.yaml"),
                        "auto/" + tasks.count()));
        task.addAll(List.of("--resume", "--out", out));
        documents.add(
                job(
                        tasks.jobName(),
                        "cells",
                        map(
                                "completionMode",
                                "Indexed",
                                "completions",
                                tasks.count(),
                                "parallelism",
                                tasks.count(),
                                "backoffLimitPerIndex",
                                TRIES_PER_INDEX,
                                "podFailurePolicy",
                                FAILURES),
                        pod(tasks.jobName(), task, file != null)));
        documents.add(
                job(
                        tasks.jobName() + "-merge",
                        "merge",
                        // What is not as expected is so the second time, too.
                        map("backoffLimit", 0, "podFailurePolicy", FAILURES),
                        pod(
                                tasks.jobName(),
                                List.of("/opt/headgate/headgate", "reproduce", "merge", out),
                                false)));
        return head(tasks)
                + documents.stream()
                        .map(document -> "---\n" + yaml(document, ""))
                        .collect(Collectors.joining());
    }

    private static String head(Tasks tasks) {
        return """
        # @TITLE@, and a merge for when they are done.
        # Checked against the API's schema, but not run on a cluster. It needs Kubernetes @SINCE@,
        # and a volume that many nodes can write, claimed as @CLAIM@. With this text in sweep.yaml:
        #   ended() { kubectl get job/$1 -o jsonpath='{.status.conditions[*].type}' | grep -wE 'Complete|Failed'; }
        #   kubectl apply -f sweep.yaml -l @STEP@=cells
        #   until ended @NAME@; do sleep 10; done
        #   kubectl apply -f sweep.yaml -l @STEP@=merge
        #   until ended @NAME@-merge; do sleep 2; done; kubectl logs job/@NAME@-merge
        # Where runs are missing the last one says which. To run the same text again, first:
        #   kubectl delete -f sweep.yaml --ignore-not-found
        """
                .replace("@TITLE@", tasks.title())
                .replace("@SINCE@", SINCE)
                .replace("@CLAIM@", CLAIM)
                .replace("@STEP@", STEP)
                .replace("@NAME@", tasks.jobName());
    }

    private static final Map<String, Object> FAILURES =
            map(
                    "rules",
                    List.of(
                            map(
                                    "action",
                                    "Ignore",
                                    "onPodConditions",
                                    List.of(map("type", "DisruptionTarget", "status", "True")))));

    private static Map<String, Object> job(
            String name, String step, Map<String, Object> spec, Map<String, Object> pod) {
        Map<String, Object> all = new LinkedHashMap<>(spec);
        all.put("template", map("metadata", map("labels", map(STEP, step)), "spec", pod));
        return map(
                "apiVersion",
                "batch/v1",
                "kind",
                "Job",
                "metadata",
                metadata(name, step),
                "spec",
                all);
    }

    private static Map<String, Object> metadata(String name, String step) {
        return map("name", name, "labels", map(STEP, step));
    }

    private Map<String, Object> pod(String name, List<String> command, boolean withScenario) {
        List<Object> mounts =
                new ArrayList<>(List.of(map("name", "sweeps", "mountPath", "/sweeps")));
        List<Object> volumes =
                new ArrayList<>(
                        List.of(
                                map(
                                        "name",
                                        "sweeps",
                                        "persistentVolumeClaim",
                                        map("claimName", CLAIM))));
        if (withScenario) {
            mounts.add(map("name", "scenario", "mountPath", "/scenario"));
            volumes.add(map("name", "scenario", "configMap", map("name", name)));
        }
        Map<String, Object> one = map("cpu", "1", "memory", "2Gi");
        return map(
                "restartPolicy",
                "Never",
                "containers",
                List.of(
                        map(
                                "name", "headgate",
                                "image", image,
                                "command", command,
                                "resources", map("requests", one, "limits", one),
                                "volumeMounts", mounts)),
                "volumes",
                volumes);
    }

    /** A map in the order of its arguments. */
    private static Map<String, Object> map(Object... namesAndValues) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            map.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return map;
    }

    /** YAML in its block style; texts as JSON, which is YAML and needs no thought of quotes. */
    private static String yaml(@Nullable Object value, String indent) {
        StringBuilder text = new StringBuilder();
        if (value instanceof Map<?, ?> map) {
            map.forEach((name, of) ->
                    text.append(indent).append(name).append(':').append(below(of, indent + "  ")));
        } else if (value instanceof List<?> list) {
            for (Object of : list) {
                String item = below(of, indent + "  ");
                // What is below a hyphen begins on its line.
                text.append(indent)
                        .append('-')
                        .append(item.startsWith("\n") ? " " + item.strip() + "\n" : item);
            }
        }
        return text.toString();
    }

    private static String below(@Nullable Object value, String indent) {
        return value instanceof Map || value instanceof List
                ? "\n" + yaml(value, indent)
                : " " + Json.COMPACT.writeValueAsString(value) + "\n";
    }
}
