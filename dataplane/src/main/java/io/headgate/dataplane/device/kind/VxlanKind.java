package io.headgate.dataplane.device.kind;

import io.headgate.config.DeviceConfig;
import io.headgate.dataplane.device.DatagramTransport;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.DeviceSetup;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.device.PortDeviceKind;
import io.headgate.dataplane.device.VxlanDevice;

/** Opens {@code vxlan}. */
public final class VxlanKind implements PortDeviceKind<DeviceConfig.Vxlan> {
    @Override
    public PortDevice open(DeviceConfig.Vxlan configuration, DeviceSetup setup)
            throws DeviceException {
        return VxlanDevice.open(
                configuration, setup.mtuBytes(), setup.region(), DatagramTransport.Kind.AUTO);
    }
}
