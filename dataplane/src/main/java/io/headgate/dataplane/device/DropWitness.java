package io.headgate.dataplane.device;

import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.memory.Frame;

/** Looks at frames that a device itself drops, and keeps none. */
@FunctionalInterface
public interface DropWitness {
    void dropped(DropReason reason, Frame frame, long nowNs);
}
