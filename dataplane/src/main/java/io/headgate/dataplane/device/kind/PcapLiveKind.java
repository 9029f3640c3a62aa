package io.headgate.dataplane.device.kind;

import io.headgate.config.DeviceConfig;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.DeviceSetup;
import io.headgate.dataplane.device.PcapLiveDevice;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.device.PortDeviceKind;

/** Opens {@code pcap}. */
public final class PcapLiveKind implements PortDeviceKind<DeviceConfig.PcapLive> {
    @Override
    public PortDevice open(DeviceConfig.PcapLive configuration, DeviceSetup setup)
            throws DeviceException {
        return PcapLiveDevice.open(configuration, setup.region());
    }
}
