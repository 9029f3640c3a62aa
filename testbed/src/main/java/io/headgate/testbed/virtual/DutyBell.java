package io.headgate.testbed.virtual;

import io.headgate.dataplane.engine.Doorbell;

/** Marks a duty as to be called in this instant. */
final class DutyBell implements Doorbell {
    private final ReadySet ready;
    private final int duty;

    DutyBell(ReadySet ready, int duty) {
        this.ready = ready;
        this.duty = duty;
    }

    @Override
    public void ring(int inputs) {
        ready.set(duty);
    }
}
