package io.headgate.dataplane.device.kind;

import io.headgate.config.DeviceConfig;
import io.headgate.dataplane.device.DatagramTransport;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.DeviceSetup;
import io.headgate.dataplane.device.MemoryWires;
import io.headgate.dataplane.device.PcapFileDevice;
import io.headgate.dataplane.device.PcapLiveDevice;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.device.PortDeviceKind;
import io.headgate.dataplane.device.VxlanDevice;
import io.headgate.dataplane.device.afpacket.AfPacketDevice;
import io.headgate.dataplane.device.afxdp.AfXdpDevice;
import io.headgate.dataplane.device.afxdp.XskUmem;
import io.headgate.dataplane.device.tap.TapDevice;

/**
 * Headgate's own kinds of devices, registered in the same way as those of other jars; each opens
 * its devices.
 */
public final class DeviceKinds {
    private DeviceKinds() {}

    /** Opens {@code afpacket}. */
    public static final class AfPacket implements PortDeviceKind<DeviceConfig.AfPacket> {
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

    /** Opens {@code afxdp}; its devices share one area of memory, the slots of the switch. */
    public static final class AfXdp implements PortDeviceKind<DeviceConfig.AfXdp> {
        @Override
        public PortDevice open(DeviceConfig.AfXdp configuration, DeviceSetup setup)
                throws DeviceException {
            return AfXdpDevice.open(
                    setup.shared(XskUmem.class, () -> new XskUmem(setup.region())),
                    configuration,
                    setup.worker());
        }
    }

    /** Opens {@code memory}. */
    public static final class Memory implements PortDeviceKind<DeviceConfig.Memory> {
        @Override
        public PortDevice open(DeviceConfig.Memory configuration, DeviceSetup setup)
                throws DeviceException {
            return setup.shared(MemoryWires.class, () -> new MemoryWires(setup.region()))
                    .end(configuration.pair());
        }
    }

    /** Opens {@code pcap-file}. */
    public static final class PcapFile implements PortDeviceKind<DeviceConfig.PcapFile> {
        private static final long NS_PER_MILLISECOND = 1_000_000;

        @Override
        public PortDevice open(DeviceConfig.PcapFile configuration, DeviceSetup setup)
                throws DeviceException {
            return PcapFileDevice.open(
                    configuration, setup.region(), System.currentTimeMillis() * NS_PER_MILLISECOND);
        }
    }

    /** Opens {@code pcap}. */
    public static final class PcapLive implements PortDeviceKind<DeviceConfig.PcapLive> {
        @Override
        public PortDevice open(DeviceConfig.PcapLive configuration, DeviceSetup setup)
                throws DeviceException {
            return PcapLiveDevice.open(configuration, setup.region());
        }
    }

    /** Opens {@code tap}. */
    public static final class Tap implements PortDeviceKind<DeviceConfig.Tap> {
        @Override
        public PortDevice open(DeviceConfig.Tap configuration, DeviceSetup setup)
                throws DeviceException {
            return TapDevice.open(
                    configuration.netns(),
                    configuration.interfaceName(),
                    configuration.create(),
                    setup.mtuBytes(),
                    setup.region(),
                    null,
                    configuration.passesSegments());
        }
    }

    /** Refuses {@code virtual}. */
    public static final class Virtual implements PortDeviceKind<DeviceConfig.Virtual> {
        @Override
        public PortDevice open(DeviceConfig.Virtual configuration, DeviceSetup setup)
                throws DeviceException {
            throw new DeviceException(
                    ("'virtual: %s' is a link of the virtual test bed, which exists only in a run"
                                    + " in virtual time; use another kind of device here")
                            .formatted(configuration.link()));
        }
    }

    /** Opens {@code vxlan}. */
    public static final class Vxlan implements PortDeviceKind<DeviceConfig.Vxlan> {
        @Override
        public PortDevice open(DeviceConfig.Vxlan configuration, DeviceSetup setup)
                throws DeviceException {
            return VxlanDevice.open(
                    configuration, setup.mtuBytes(), setup.region(), DatagramTransport.Kind.AUTO);
        }
    }
}
