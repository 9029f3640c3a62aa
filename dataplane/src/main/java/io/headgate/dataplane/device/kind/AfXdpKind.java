package io.headgate.dataplane.device.kind;

import io.headgate.config.DeviceConfig;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.DeviceSetup;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.device.PortDeviceKind;
import io.headgate.dataplane.device.afxdp.AfXdpDevice;
import io.headgate.dataplane.device.afxdp.XskUmem;

/** Opens {@code afxdp}; its devices share one area of memory, the slots of the switch. */
public final class AfXdpKind implements PortDeviceKind<DeviceConfig.AfXdp> {
    @Override
    public PortDevice open(DeviceConfig.AfXdp configuration, DeviceSetup setup)
            throws DeviceException {
        return AfXdpDevice.open(
                setup.shared(XskUmem.class, () -> new XskUmem(setup.region())),
                configuration,
                setup.worker());
    }
}
