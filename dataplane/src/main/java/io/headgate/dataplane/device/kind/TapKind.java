package io.headgate.dataplane.device.kind;

import io.headgate.config.DeviceConfig;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.DeviceSetup;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.device.PortDeviceKind;
import io.headgate.dataplane.device.tap.TapDevice;

/** Opens {@code tap}. */
public final class TapKind implements PortDeviceKind<DeviceConfig.Tap> {
    @Override
    public PortDevice open(DeviceConfig.Tap configuration, DeviceSetup setup)
            throws DeviceException {
        if (configuration.passesSegments()) {
            return TapDevice.openForSegments(
                    configuration.netns(),
                    configuration.interfaceName(),
                    configuration.create(),
                    setup.mtuBytes(),
                    setup.region());
        }
        return TapDevice.open(
                configuration.netns(),
                configuration.interfaceName(),
                configuration.create(),
                setup.mtuBytes(),
                setup.region());
    }
}
