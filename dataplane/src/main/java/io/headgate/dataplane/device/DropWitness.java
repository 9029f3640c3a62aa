package io.headgate.dataplane.device;

import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;

/** Is shown the frames that a device itself drops; it keeps none of them. */
@FunctionalInterface
public interface DropWitness {
    void dropped(DropReason reason, Frame frame, long nowNs);
}
