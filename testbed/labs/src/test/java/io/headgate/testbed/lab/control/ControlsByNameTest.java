package io.headgate.testbed.lab.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.scenario.file.ScenarioReader;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Controls by their names, with what is published for 40 Gb/s slowed down to 100 Mb/s. */
class ControlsByNameTest {
    private static final long RATE_BPS = 100_000_000;

    private static ControlTwin.Settings settings(String flowControl) {
        String ports = "lossless: [3], flow-control: " + flowControl;
        return new ControlTwin.Settings(RATE_BPS, 50_000, 1500, 1098, 3, ports, 26, 1, 1);
    }

    static List<String> names() {
        return LabControl.names();
    }

    private static String keys(String name) {
        return name.equals("fixed") ? "{rate: 10Gbps}" : "";
    }

    /** One that is registered needs no edit of the lab: its twin is read, with all its keys. */
    @ParameterizedTest
    @MethodSource("names")
    void everyRegisteredControlHasATwin(String name) throws Exception {
        LabControl control = LabControl.of(name, keys(name), "", RATE_BPS);
        String twin =
                ControlTwin.file(settings(control.overCredits() ? "credits" : "pfc"), control);
        assertThat(twin).contains("control: " + control.atHosts());
        assertThat(ScenarioReader.read(twin, "twin.yaml").about().name()).isEqualTo("twin");
    }

    @Test
    void timesAreLongerAndRatesLowerByTheSame() throws Exception {
        assertThat(LabControl.of("hpcc", "", "", RATE_BPS).atHosts())
                .contains("\"dissertation\"", "\"base-rtt\":\"5200us\"");
        LabControl hpcc = LabControl.of("hpcc", "{parameters: published}", "", RATE_BPS);
        assertThat(hpcc.atHosts())
                .contains(
                        "\"base-rtt\":\"5200us\"",
                        "\"additive\":\"80B\"",
                        "\"least-rate\":\"250kbps\"");
        assertThat(hpcc.everywhere().keySet()).isEqualTo(hpcc.atSwitches().keySet());
        LabControl dcqcn = LabControl.of("dcqcn", "", "{red: {kmin: 7kB, kmax: 90kB}}", RATE_BPS);
        assertThat(dcqcn.goesByMarks()).isTrue();
        assertThat(dcqcn.everywhere()).as("hosts do not mark").isEmpty();
        assertThat(dcqcn.atSwitches().get("red")).asString().contains("kmin=7kB");
    }

    @Test
    void timelysStepIsAShareOfTheLinesRate() throws Exception {
        // A thousandth of the line's rate, as published for 10 Gb/s.
        assertThat(LabControl.of("timely", "", "", RATE_BPS).atHosts())
                .contains("\"delta\":\"" + RATE_BPS / 1_000_000 + "kbps\"");
    }

    @Test
    void variantsAreControlsWithKeysAndPortsOfTheirOwn() throws Exception {
        LabControl pi = LabControl.of("dcqcn-pi", "", "", RATE_BPS);
        assertThat(pi.atHosts()).startsWith("{\"dcqcn\":");
        assertThat(pi.atSwitches().keySet()).containsExactly("pi");
        assertThat(LabControl.of("timely-patched", "", "", RATE_BPS).atHosts())
                .contains("\"patched\"");
        assertThat(LabControl.of("dcqcn-pi", "", "{red: {}}", RATE_BPS).atSwitches().keySet())
                .containsExactly("red");
    }

    @Test
    void ofSeveralRunsTheMedianOfEachNumberIsJudged() {
        ControlTrial one = trial(List.of(20.0, 30.0, 50.0), 10, 0);
        ControlTrial two = trial(List.of(50.0, 20.0, 30.0), 40, 0);
        ControlTrial three = trial(List.of(33.0, 33.0, 33.0), 20, 2);
        ControlTrial median = ControlTrial.median("median", List.of(one, two, three));
        assertThat(median.threeMbps()).containsExactly(50.0, 30.0, 20.0);
        assertThat(median.fairness()).isEqualTo(one.fairness()).isLessThan(0.9);
        assertThat(median.queueKb()).isEqualTo(20);
        assertThat(median.counts()).isEqualTo(new ControlTrial.Counts(5, 7, 0, 2));
    }

    private static ControlTrial trial(List<Double> three, double queueKb, long lost) {
        return new ControlTrial(
                "run",
                100,
                three,
                List.of(50.0, 48.0),
                queueKb,
                new ControlTrial.Counts(5, 7, 0, lost));
    }

    private static ControlTrial trial(double three, double two, double queueKb, long stoppedMs) {
        return new ControlTrial(
                "with x",
                100,
                List.of(three, three, three),
                List.of(two, two),
                queueKb,
                new ControlTrial.Counts(stoppedMs, 0, 0, 0));
    }

    @Test
    void aTrialIsJudgedByWhatItIsWithoutControl() {
        ControlTrial without = trial(32, 48, 300, 5_000);
        assertThat(trial(30, 45, 20, 10).problems(without)).isEmpty();
        assertThat(trial(30, 45, 300, 5_000).problems(without)).hasSize(2);
        assertThat(trial(10, 45, 20, 10).problems(without)).hasSize(1);
        assertThat(trial(30, Double.NaN, 20, 10).problems(without))
                .singleElement()
                .asString()
                .endsWith("less than half of the link");
        assertThat(without.doubt()).isEmpty();
        assertThat(trial(30, 45, 20, 0).doubt()).contains("no sender was ever stopped");
    }

    @Test
    void wrongOptionsAreASentence() {
        assertThatThrownBy(() -> LabControl.of("hpc", "", "", RATE_BPS))
                .isInstanceOf(BedException.class)
                .hasMessageStartingWith("--with 'hpc' is not known: ");
        assertThatThrownBy(() -> LabControl.of("hpcc", "{etta: 1}", "", RATE_BPS))
                .isInstanceOf(BedException.class)
                .hasMessageContaining("etta");
    }
}
