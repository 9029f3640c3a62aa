package io.headgate.testbed.virtual;

import io.headgate.dataplane.engine.Doorbell;

/** Marks a duty of a node as to be called in this instant. */
final class DutyBell implements Doorbell {
    private final NodeHost node;
    private final int duty;

    /**
     * @param duty its number in the node
     */
    DutyBell(NodeHost node, int duty) {
        this.node = node;
        this.duty = duty;
    }

    @Override
    public void ring(int inputs) {
        RunDuties duties = node.duties();
        if (duties == null) {
            return; // a run begins with a call of every duty
        }
        int number = node.firstDuty() + duty;
        if (inputs == RETURNS) {
            duties.returned(number);
        } else {
            duties.ready().set(number);
        }
    }
}
