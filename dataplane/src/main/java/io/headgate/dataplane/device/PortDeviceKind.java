package io.headgate.dataplane.device;

import io.headgate.config.DeviceConfig;
import io.headgate.config.DeviceKind;

/**
 * A kind of device that a switch can open: named in the file {@code
 * META-INF/services/io.headgate.config.DeviceKind} of its jar, it can be configured below {@code
 * device} of any port.
 *
 * @param <C> its configuration
 */
public interface PortDeviceKind<C extends Record & DeviceConfig> extends DeviceKind<C> {

    /**
     * Opens a device.
     *
     * @throws DeviceException with one sentence that names the problem and its fix
     */
    PortDevice open(C configuration, DeviceSetup setup) throws DeviceException;
}
