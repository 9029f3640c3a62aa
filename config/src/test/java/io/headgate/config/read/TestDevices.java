package io.headgate.config.read;

import io.headgate.config.DeviceConfig;
import io.headgate.config.DeviceKind;

/** The kinds of devices whose records are here, which what opens them registers elsewhere. */
public final class TestDevices {
    private TestDevices() {}

    /** One that is its record alone. */
    public abstract static class Kind<C extends Record & DeviceConfig> implements DeviceKind<C> {
        private final Class<C> configuration;

        Kind(Class<C> configuration) {
            this.configuration = configuration;
        }

        @Override
        public Class<C> configuration() {
            return configuration;
        }
    }

    public static final class AfPacketKind extends Kind<DeviceConfig.AfPacket> {
        public AfPacketKind() {
            super(DeviceConfig.AfPacket.class);
        }
    }

    public static final class AfXdpKind extends Kind<DeviceConfig.AfXdp> {
        public AfXdpKind() {
            super(DeviceConfig.AfXdp.class);
        }
    }

    public static final class TapKind extends Kind<DeviceConfig.Tap> {
        public TapKind() {
            super(DeviceConfig.Tap.class);
        }
    }

    public static final class PcapLiveKind extends Kind<DeviceConfig.PcapLive> {
        public PcapLiveKind() {
            super(DeviceConfig.PcapLive.class);
        }
    }

    public static final class PcapFileKind extends Kind<DeviceConfig.PcapFile> {
        public PcapFileKind() {
            super(DeviceConfig.PcapFile.class);
        }
    }

    public static final class VxlanKind extends Kind<DeviceConfig.Vxlan> {
        public VxlanKind() {
            super(DeviceConfig.Vxlan.class);
        }
    }

    public static final class MemoryKind extends Kind<DeviceConfig.Memory> {
        public MemoryKind() {
            super(DeviceConfig.Memory.class);
        }
    }

    public static final class VirtualKind extends Kind<DeviceConfig.Virtual> {
        public VirtualKind() {
            super(DeviceConfig.Virtual.class);
        }
    }
}
