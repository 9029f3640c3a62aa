package io.headgate.dataplane.device;

import io.headgate.dataplane.memory.FrameRegion;

/** What a device is opened with. */
public interface DeviceSetup {

    /** The port's name. */
    String port();

    /** The largest payload of frames on the link, with what mechanisms add, in bytes. */
    int mtuBytes();

    /** The switch's, in which frames are received. */
    FrameRegion region();

    /** {@link #worker} where only the engine knows. */
    int UNKNOWN_WORKER = -1;

    /** Number of the worker that calls the port's egress half; {@link #UNKNOWN_WORKER}. */
    default int worker() {
        return UNKNOWN_WORKER;
    }

    /** What all devices of a kind share in a switch; made by the first that asks. */
    <T> T shared(Class<T> type, Maker<T> maker) throws DeviceException;

    /** Makes what devices share. */
    @FunctionalInterface
    interface Maker<T> {
        T make() throws DeviceException;
    }
}
