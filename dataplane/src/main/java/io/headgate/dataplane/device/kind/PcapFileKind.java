package io.headgate.dataplane.device.kind;

import io.headgate.config.DeviceConfig;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.DeviceSetup;
import io.headgate.dataplane.device.PcapFileDevice;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.device.PortDeviceKind;

/** Opens {@code pcap-file}. */
public final class PcapFileKind implements PortDeviceKind<DeviceConfig.PcapFile> {
    private static final long NS_PER_MILLISECOND = 1_000_000;

    @Override
    public PortDevice open(DeviceConfig.PcapFile configuration, DeviceSetup setup)
            throws DeviceException {
        return PcapFileDevice.open(
                configuration, setup.region(), System.currentTimeMillis() * NS_PER_MILLISECOND);
    }
}
