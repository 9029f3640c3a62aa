package io.headgate.config;

import io.headgate.config.key.Named;
import io.headgate.config.key.TypeArgument;

/**
 * A kind of device that a port can use: its configuration is a record with {@link Named}, whose
 * name is a key of {@code device}, and whose components are the keys below it.
 *
 * <p>Found by {@link java.util.ServiceLoader}: a jar on the class path names its implementations in
 * {@code META-INF/services/io.headgate.config.DeviceKind}. The configuration needs to know only
 * this; modules that run switches extend it with a method that opens such a device.
 *
 * @param <C> its configuration: a record each of whose components declares a {@link
 *     io.headgate.config.key.Key}
 */
public interface DeviceKind<C extends Record & DeviceConfig> {

    /** The record that holds its configuration: by default the one that its class's type names. */
    @SuppressWarnings("unchecked") // what stands for C in the class's own type
    default Class<C> configuration() {
        return (Class<C>) TypeArgument.of(getClass(), DeviceKind.class, "configuration");
    }
}
