package io.headgate.testbed.scenario.submit;

import io.headgate.control.report.Json;
import io.headgate.testbed.scenario.campaign.SweepRequest;
import io.headgate.testbed.scenario.report.Result.ScenarioText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Runs tasks on Kubernetes: an Indexed Job, and a Job that merges. Pods share a volume, claimed as
 * {@value #CLAIM}. A pod that is evicted does not count as failed; one that fails is tried again by
 * its own index, so that one bad node does not end the sweep.
 */
public final class Kubernetes implements Submitter {
    /** The claim of a volume that many nodes can write (ReadWriteMany). */
    static final String CLAIM = "headgate-sweeps";

    /** Kubernetes 1.29 has all of it switched on without being asked: 1.28 the back-off alone. */
    private static final String SINCE = "1.29";

    private static final String HEAD =
            """
            # @TITLE@, and a merge for when they are done.
            # Checked against the API's schema, but not run on a cluster. It needs Kubernetes @SINCE@,
            # and a volume that many nodes can write, claimed as @CLAIM@. With this text in sweep.yaml:
            #   ended() { kubectl get job/$1 -o jsonpath='{.status.conditions[*].type}' | grep -wE 'Complete|Failed'; }
            #   kubectl apply -f sweep.yaml -l headgate-step=cells
            #   until ended @NAME@; do sleep 10; done
            #   kubectl apply -f sweep.yaml -l headgate-step=merge
            #   until ended @NAME@-merge; do sleep 2; done; kubectl logs job/@NAME@-merge
            # Where runs are missing the last one says which. To run the same text again, first:
            #   kubectl delete -f sweep.yaml --ignore-not-found
            """;

    private static final String SCENARIO =
            """
            ---
            apiVersion: "v1"
            kind: "ConfigMap"
            metadata:
              name: "@NAME@"
              labels:
                headgate-step: "cells"
            data:
              scenario.yaml: @TEXT@
            """;

    private static final String JOB =
            """
            ---
            apiVersion: "batch/v1"
            kind: "Job"
            metadata:
              name: "@NAME@@SUFFIX@"
              labels:
                headgate-step: "@STEP@"
            spec:
            @TRIES@
              podFailurePolicy:
                rules:
                  - action: "Ignore"
                    onPodConditions:
                      - type: "DisruptionTarget"
                        status: "True"
              template:
                metadata:
                  labels:
                    headgate-step: "@STEP@"
                spec:
                  restartPolicy: "Never"
                  containers:
                    - name: "headgate"
                      image: @IMAGE@
                      command:
            @@STEP@@          resources:
                        requests:
                          cpu: "1"
                          memory: "2Gi"
                        limits:
                          cpu: "1"
                          memory: "2Gi"
                      volumeMounts:
                        - name: "sweeps"
                          mountPath: "/sweeps"
            @MOUNT@      volumes:
                    - name: "sweeps"
                      persistentVolumeClaim:
                        claimName: "@CLAIM@"
            @VOLUME@\
            """;

    private static final String TRIES =
            """
              completionMode: "Indexed"
              completions: @COUNT@
              parallelism: @COUNT@
              backoffLimitPerIndex: 3\
            """;
    private static final String MOUNT =
            """
                        - name: "scenario"
                          mountPath: "/scenario"
            """;
    private static final String VOLUME =
            """
                    - name: "scenario"
                      configMap:
                        name: "@NAME@"
            """;

    private static final Pattern PLACE = Pattern.compile("@([A-Za-z]+)@");

    private final String image;

    /**
     * @param image container image with the distribution made by {@code headgate dist} in
     *     /opt/headgate
     */
    public Kubernetes(String image) {
        this.image = image;
    }

    @Override
    public String script(Tasks tasks) {
        ScenarioText file = tasks.sweep().file();
        String out = "/sweeps/" + tasks.name();
        SweepRequest request = tasks.sweep().request();
        List<String> task = new ArrayList<>(List.of("/opt/headgate/headgate"));
        task.addAll(
                tasks.arguments(
                        file == null ? request : request.withScenario("/scenario/scenario.yaml"),
                        "auto/" + tasks.count()));
        task.addAll(List.of("--resume", "--out", out));
        List<String> merge = List.of("/opt/headgate/headgate", "reproduce", "merge", out);
        String text =
                HEAD
                        + (file == null ? "" : SCENARIO)
                        + job("", "cells", TRIES, file == null ? "" : MOUNT)
                                .replace("@VOLUME@", file == null ? "" : VOLUME)
                        // What is not as expected is so the second time, too.
                        + job("-merge", "merge", "  backoffLimit: 0", "").replace("@VOLUME@", "");
        Map<String, String> places =
                Map.of(
                        "TITLE", tasks.title(),
                        "SINCE", SINCE,
                        "CLAIM", CLAIM,
                        "COUNT", Integer.toString(tasks.count()),
                        "NAME", tasks.jobName(),
                        "IMAGE", json(image),
                        "cells", items(task),
                        "merge", items(merge),
                        "TEXT", file == null ? "" : json(file.text()));
        // In one pass: what users write may itself look like a place.
        return PLACE.matcher(text)
                .replaceAll(one ->
                        Matcher.quoteReplacement(Objects.requireNonNull(places.get(one.group(1)))));
    }

    private static String job(String suffix, String step, String tries, String mount) {
        return JOB.replace("@SUFFIX@", suffix)
                .replace("@STEP@", step)
                .replace("@TRIES@", tries)
                .replace("@MOUNT@", mount);
    }

    private static String items(List<String> words) {
        return words.stream()
                .map(word -> "            - " + json(word) + "\n")
                .collect(Collectors.joining());
    }

    /** JSON is YAML, and needs no thought of quotes. */
    private static String json(String text) {
        return Json.COMPACT.writeValueAsString(text);
    }
}
