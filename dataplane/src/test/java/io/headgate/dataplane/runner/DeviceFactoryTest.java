package io.headgate.dataplane.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.DeviceConfig;
import io.headgate.config.FlowControlConfig;
import io.headgate.config.Mechanisms;
import io.headgate.config.PortConfig;
import io.headgate.config.key.Known;
import io.headgate.config.key.Section;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.escape.Escape;
import io.headgate.dataplane.escape.EscapeConfig;
import io.headgate.dataplane.memory.FrameRegion;
import org.junit.jupiter.api.Test;

/** A device must carry what its port is to. */
final class DeviceFactoryTest {
    private static final int ETHERNET_BYTES = 14;

    @Test
    void aDeviceCarriesTheHeaderOfFramesThatEscapeBesideTheMtu() throws Exception {
        FrameRegion region = new FrameRegion(64, 2048);
        int most = region.maxFrameBytes() - ETHERNET_BYTES;
        PortConfig plain =
                ConfigDefaults.port("p1", new DeviceConfig.Memory("a")).withMtuBytes(most);
        EscapeConfig escape = Section.of(EscapeConfig.class).standard(Known.NOTHING);
        FlowControlConfig pfc =
                FlowControlConfig.of(
                        FlowControlConfig.Mode.PFC,
                        10_000_000_000L,
                        most,
                        FlowControlConfig.Link.DEFAULT);
        PortConfig escaping =
                plain.withFlowControl(pfc)
                        .withMechanisms(Mechanisms.NONE.with(new Escape().use(escape)));
        DeviceFactory factory = new DeviceFactory(region);
        assertThat(factory.open(plain)).isNotNull();
        assertThat(factory.open(escaping.withMtuBytes(most - 4))).isNotNull();
        assertThatThrownBy(() -> new DeviceFactory(region).open(escaping.withMtuBytes(most - 3)))
                .isInstanceOf(DeviceException.class)
                .hasMessageContaining("the port up to " + (most - 3) + ", and 4 more for what its")
                .hasMessageContaining("set 'mtu' of the port to " + (most - 4) + " at most");
    }
}
