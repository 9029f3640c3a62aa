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
    private static final ControlTwin.Settings SETTINGS =
            new ControlTwin.Settings(RATE_BPS, 50_000, 1500, 1098, 3, 100_000, 3, 26, 1, 1);

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
        String twin = ControlTwin.file(SETTINGS, control);
        assertThat(twin).contains("control: {\"" + name + "\":");
        assertThat(ScenarioReader.read(twin, "twin.yaml").about().name()).isEqualTo("twin");
    }

    @Test
    void timesAreLongerAndRatesLowerByTheSame() throws Exception {
        LabControl hpcc = LabControl.of("hpcc", "", "", RATE_BPS);
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
    void wrongOptionsAreASentence() {
        assertThatThrownBy(() -> LabControl.of("hpc", "", "", RATE_BPS))
                .isInstanceOf(BedException.class)
                .hasMessageStartingWith("--with 'hpc' is not known: ");
        assertThatThrownBy(() -> LabControl.of("hpcc", "{etta: 1}", "", RATE_BPS))
                .isInstanceOf(BedException.class)
                .hasMessageContaining("etta");
    }
}
