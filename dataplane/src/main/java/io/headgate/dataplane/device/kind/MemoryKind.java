package io.headgate.dataplane.device.kind;

import io.headgate.config.DeviceConfig;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.DeviceSetup;
import io.headgate.dataplane.device.MemoryWires;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.device.PortDeviceKind;

/** Opens {@code memory}. */
public final class MemoryKind implements PortDeviceKind<DeviceConfig.Memory> {
    @Override
    public PortDevice open(DeviceConfig.Memory configuration, DeviceSetup setup)
            throws DeviceException {
        return setup.shared(MemoryWires.class, () -> new MemoryWires(setup.region()))
                .end(configuration.pair());
    }
}
