package io.headgate.control.doctor;

import io.headgate.config.DeviceConfig;
import java.util.List;

/**
 * The doctor's checks of devices of some kinds. Found by {@link java.util.ServiceLoader}: a jar on
 * the class path that brings a kind of device names its checks, if there are any, in {@code
 * META-INF/services/io.headgate.control.doctor.DeviceChecks}.
 */
public interface DeviceChecks {

    /**
     * Findings about what a device depends on; empty for a device of another kind.
     *
     * @param mtuBytes MTU of the device's port
     */
    List<Finding> of(DeviceConfig device, int mtuBytes);

    /**
     * Why no device of a kind can be used on this machine; empty if they can, or if these checks
     * are for another kind.
     */
    default String whyNot(String kind) {
        return "";
    }
}
