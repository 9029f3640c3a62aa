package io.headgate.dataplane.device;

/**
 * A device without an interface or a wire, such as the application of a host: it is always up, and
 * only the device itself can drop its frames.
 */
public interface InternalDevice extends PortDevice {
    @Override
    default boolean isUp() {
        return true;
    }

    @Override
    default void readReceiveDrops(DropTotals totals) {}

    @Override
    default void readTransmitDrops(DropTotals totals) {}
}
