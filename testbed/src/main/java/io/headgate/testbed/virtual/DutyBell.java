package io.headgate.testbed.virtual;

import io.headgate.dataplane.engine.Doorbell;

/** Marks a duty as to be called in this instant. */
final class DutyBell implements Doorbell {
    private final RunDuties duties;
    private final int duty;

    DutyBell(RunDuties duties, int duty) {
        this.duties = duties;
        this.duty = duty;
    }

    @Override
    public void ring(int inputs) {
        if (inputs == RETURNS) {
            duties.returned(duty);
        } else {
            duties.ready().set(duty);
        }
    }
}
