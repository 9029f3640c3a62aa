package io.headgate.hostagent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.HostConfig;
import io.headgate.config.read.HostConfigReader;
import io.headgate.dataplane.device.DeviceException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which controls can hold back the flows of applications that know nothing of them. */
class TapControlsTest {
    private static HostConfig.Nic nic(String control) {
        return HostConfigReader.read(
                        ("{name: hosts, hosts: [{name: h1, tap: {interface: t}, device: {afpacket:"
                                        + " {interface: p}}, rate: 40Gbps, rate-control: {%s}}]}")
                                .formatted(control),
                        "the test")
                .nics()
                .getFirst();
    }

    @ParameterizedTest
    @ValueSource(strings = {"dctcp", "hpcc", "icc", "ib-cc", "lipd", "swift", "timely"})
    void whatNeedsAcknowledgementsIsRefusedInOneSentence(String control) {
        assertThatThrownBy(() -> HostAgent.rateControl(nic(control + ": {}")))
                .isInstanceOf(DeviceException.class)
                .hasMessage(
                        "host h1: rate-control "
                                + control
                                + " needs acknowledgements, which are not visible in the"
                                + " applications' traffic; on a TAP, only a rate control that needs"
                                + " neither can control flows, such as fixed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"fixed: {rate: 1Gbps}", "rocc: {}", "qcn: {}"})
    void whatNeedsNoneIsTaken(String control) throws Exception {
        assertThat(HostAgent.rateControl(nic(control))).isNotNull();
    }
}
