package io.headgate.dataplane.device.kind;

import io.headgate.config.DeviceConfig;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.DeviceSetup;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.device.PortDeviceKind;

/** Refuses {@code virtual}. */
public final class VirtualKind implements PortDeviceKind<DeviceConfig.Virtual> {
    @Override
    public PortDevice open(DeviceConfig.Virtual configuration, DeviceSetup setup)
            throws DeviceException {
        throw new DeviceException(
                ("'virtual: %s' is a link of the virtual test bed, which only a run in virtual"
                                + " time has; use another kind of device here")
                        .formatted(configuration.link()));
    }
}
