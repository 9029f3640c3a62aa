package io.headgate.dataplane.device;

import io.headgate.dataplane.memory.FrameRegion;

/**
 * The switch's side of opening a device: port, MTU, frame memory, and objects that devices share.
 */
public interface DeviceSetup {

    /** The port's name. */
    String port();

    /** The largest payload of frames on the link, including what mechanisms add, in bytes. */
    int mtuBytes();

    /** The switch's frame memory; frames are received into it. */
    FrameRegion region();

    /** Value of {@link #worker} if only the engine knows the worker. */
    int UNKNOWN_WORKER = -1;

    /** Number of the worker that calls the port's egress half; {@link #UNKNOWN_WORKER}. */
    default int worker() {
        return UNKNOWN_WORKER;
    }

    /** An object that all devices of a kind share in a switch; the first caller makes it. */
    <T> T shared(Class<T> type, Maker<T> maker) throws DeviceException;

    /** Makes the shared object. */
    @FunctionalInterface
    interface Maker<T> {
        T make() throws DeviceException;
    }
}
