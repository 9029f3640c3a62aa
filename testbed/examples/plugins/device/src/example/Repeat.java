package example;

import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.DeviceSetup;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.dataplane.device.PortDeviceKind;
import java.util.Arrays;
import java.util.HexFormat;

/** The kind of device whose frame comes again and again. */
public final class Repeat implements PortDeviceKind<RepeatConfig> {
    private static final int LEAST_BYTES = 60;

    @Override
    public PortDevice open(RepeatConfig configuration, DeviceSetup setup) throws DeviceException {
        byte[] frame = HexFormat.of().parseHex(configuration.frame());
        int room = setup.region().maxFrameBytes();
        if (frame.length > room) {
            throw new DeviceException(
                    "the frame of port %s has %d bytes, and slots hold %d; set memory: {slot: 4KiB}"
                            .formatted(setup.port(), frame.length, room));
        }
        byte[] padded = Arrays.copyOf(frame, Math.max(LEAST_BYTES, frame.length));
        return new RepeatDevice(setup.port(), padded, configuration.everyNs(), room);
    }
}
