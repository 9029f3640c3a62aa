package io.headgate.dataplane.device.kind;

import io.headgate.config.DeviceConfig;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.DeviceSetup;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.device.PortDeviceKind;
import io.headgate.dataplane.device.afpacket.AfPacketDevice;

/** Opens {@code afpacket}. */
public final class AfPacketKind implements PortDeviceKind<DeviceConfig.AfPacket> {
    @Override
    public PortDevice open(DeviceConfig.AfPacket configuration, DeviceSetup setup)
            throws DeviceException {
        if (configuration.passesSegments()) {
            return AfPacketDevice.openForSegments(
                    configuration.netns(),
                    configuration.interfaceName(),
                    setup.region(),
                    configuration.ringFrames());
        }
        return AfPacketDevice.open(
                configuration.netns(),
                configuration.interfaceName(),
                setup.region(),
                configuration.ringFrames());
    }
}
