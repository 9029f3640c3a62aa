package io.headgate.control.show;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.Mechanism;
import io.headgate.config.Mechanisms;
import io.headgate.config.SwitchConfig;
import io.headgate.control.TestConfigs;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.run.RunningSwitch;
import io.headgate.control.run.SwitchOptions;
import io.headgate.dataplane.lldp.LldpConfig;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is said where no neighbour is known. */
final class LldpTableTest {
    private static SwitchConfig with(boolean isEnabled) {
        return TestConfigs.memory("s1", "a")
                .withMechanisms(
                        new Mechanisms(
                                List.of(
                                        new Mechanisms.Use(
                                                Mechanism.Kind.SERVICE,
                                                "lldp",
                                                isEnabled,
                                                new LldpConfig(1_000_000_000L, 4)))));
    }

    @Test
    void offIsNotTheSameAsWithoutANeighbour() throws Exception {
        LldpTable table = new LldpTable();
        SwitchOptions options = SwitchOptions.DEFAULT.cold().withLog(line -> {});
        try (RunningSwitch off = RunningSwitch.start(with(false), options)) {
            assertThatThrownBy(() -> table.answer(off))
                    .isInstanceOf(DaemonException.class)
                    .hasMessage(
                            "LLDP is off on switch s1; add services: {lldp: {}} to its"
                                    + " configuration (without enabled: false) and restart it");
        }
        try (RunningSwitch on = RunningSwitch.start(with(true), options)) {
            assertThat(table.answer(on)).isEmpty();
        }
        assertThat(table.none()).contains("services: {lldp: {}}");
    }
}
