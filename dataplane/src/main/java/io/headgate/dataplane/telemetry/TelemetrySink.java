package io.headgate.dataplane.telemetry;

import io.headgate.dataplane.frame.Sink;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.HopRecords;

/** Removes telemetry at a host's card; frames with inconsistent telemetry are dropped. */
record TelemetrySink(HopEncoding form) implements Sink {

    @Override
    public boolean takes(Frame frame) {
        return form.isIn(frame);
    }

    @Override
    public boolean take(Frame frame, HopRecords hops) {
        return form.takeOff(frame, hops);
    }

    @Override
    public boolean tellsPath() {
        return true;
    }
}
