package io.headgate.testbed.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.control.report.RunReport;
import io.headgate.testbed.lab.LabOptions.DeviceKind;
import io.headgate.testbed.lab.own.OwnLabReader;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.LabRecords;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs that are begun again, without a network. */
class AttemptsTest {
    private static final String LAB =
            """
            duration: 5s
            topology: {name: two, link: {rate: 20Mbps}, builder: {single-switch: {hosts: 2}}}
            traffic: [{from: h1, to: h2}]
            """;

    @TempDir private Path directory;
    private final List<RunReport> kept = new ArrayList<>();
    private final List<String> begun = new ArrayList<>();

    private OwnLab lab() {
        LabOptions options =
                new LabOptions(
                        DeviceKind.TAP,
                        "single",
                        "backoff",
                        "20Mbps",
                        5,
                        1500,
                        false,
                        false,
                        directory,
                        directory,
                        "",
                        1,
                        false);
        return new OwnLab(
                List.of(OwnLabReader.read(LAB, "two.yaml")),
                1,
                options,
                new LabRecords(directory.resolve("labs")),
                "test",
                new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));
    }

    /** One that waits in vain, or else fails, or else comes to its number. */
    private final class Fake implements Attempts.Attempt<Integer> {
        private final Lab lab;
        private final RunReport part;
        private final boolean waits;
        private final String failure;
        private boolean isInVain;

        Fake(Lab lab, RunReport part, boolean waits, String failure) {
            this.lab = lab;
            this.part = part;
            this.waits = waits;
            this.failure = failure;
        }

        private int end(String how, boolean endsInVain) throws BedException {
            begun.add(how);
            part.problem("of attempt " + begun.size());
            lab.plots(List::of);
            try (LabNetwork _ = lab.open()) {
                if (waits && endsInVain) {
                    isInVain = true;
                    throw new BedException("waited in vain");
                }
                if (!failure.isEmpty()) {
                    throw new BedException(failure);
                }
                return begun.size();
            }
        }

        @Override
        public Integer run(boolean endsInVain) throws BedException {
            return end(endsInVain ? "unless in vain" : "to its end", endsInVain);
        }

        @Override
        public boolean isInVain() {
            return isInVain;
        }
    }

    private int run(Lab lab, boolean mayWait, int inVain, String failure) throws BedException {
        return Attempts.of(
                lab,
                "run 7",
                mayWait,
                part -> new Fake(lab, part, begun.size() < inVain, failure),
                kept::add);
    }

    @Test
    void anAttemptThatWaitedInVainLeavesNothingButWhy() throws BedException {
        try (OwnLab lab = lab()) {
            lab.plots(List::of);
            assertThat(run(lab, true, 1, "")).isEqualTo(2);
            // The figure before, and the second attempt's figure and network.
            assertThat(lab.kept()).isEqualTo(new Lab.Kept(2, 1));
        }
        assertThat(begun).containsExactly("unless in vain", "unless in vain");
        assertThat(kept).hasSize(1);
        assertThat(kept.getFirst().problems()).containsExactly("of attempt 2");
        assertThat(kept.getFirst().toText())
                .contains(
                        "Begun again\n  this report has nothing of the first attempt: waited in"
                                + " vain\n");
    }

    @Test
    void theThirdRunsToItsEndWhateverItWaitsFor() throws BedException {
        try (OwnLab lab = lab()) {
            assertThat(run(lab, true, 3, "")).isEqualTo(3);
            assertThat(lab.kept()).isEqualTo(new Lab.Kept(1, 1));
        }
        assertThat(begun).containsExactly("unless in vain", "unless in vain", "to its end");
        assertThat(kept.getFirst().toText())
                .contains("nothing of the first two attempts: waited in vain\n");
    }

    @Test
    void oneThatFailsForAnotherReasonIsNotBegunAgainAndItsReportIsKept() {
        try (OwnLab lab = lab()) {
            assertThatThrownBy(() -> run(lab, true, 0, "no links")).hasMessage("no links");
            assertThat(lab.kept()).isEqualTo(new Lab.Kept(1, 1));
        }
        assertThat(begun).hasSize(1);
        assertThat(kept.getFirst().problems()).containsExactly("of attempt 1");
        assertThat(kept.getFirst().toText()).doesNotContain("Begun again");
    }

    @Test
    void oneWithoutOrdersThatWaitIsRunOnce() throws BedException {
        try (OwnLab lab = lab()) {
            assertThat(run(lab, false, 3, "")).isEqualTo(1);
        }
        assertThat(begun).containsExactly("to its end");
    }

    /** A lab's twin reads the option of that name. */
    @Test
    void aParameterMayBeCalledAsAnOptionIs() {
        try (OwnLab lab = lab()) {
            lab.describe(Map.of("seconds", "7s", "with", "escape"));
            JsonNode options =
                    JsonMapper.builder().build().readTree(lab.report.toJson()).path("options");
            assertThat(options.path("seconds").asInt()).isEqualTo(5);
            assertThat(options.path("parameters").path("seconds").asString()).isEqualTo("7s");
            assertThat(options.path("parameters").path("with").asString()).isEqualTo("escape");
        }
    }
}
