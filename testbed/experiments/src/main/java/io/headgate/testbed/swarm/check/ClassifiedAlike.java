package io.headgate.testbed.swarm.check;

import io.headgate.testbed.swarm.draw.Fault;
import io.headgate.testbed.virtual.link.LinkFaults;

/**
 * Both ends of a link with flow control find the same priority in every frame: what was queued in a
 * priority arrives in it, or a pause would stop the wrong frames and credits be given for others.
 */
public final class ClassifiedAlike {
    private final CaseNetwork built;

    public ClassifiedAlike(CaseNetwork built) {
        this.built = built;
    }

    public void check() {
        for (Direction wire : Direction.all(built)) {
            if (wire.isControlled() && !mayChangeFrames(wire)) {
                check(wire);
            }
        }
    }

    private void check(Direction wire) {
        long[] sent = built.log().sent(wire.sender(), wire.senderPort());
        long[] received = built.log().received(wire.receiver(), wire.receiverPort());
        for (int priority = 0; priority < sent.length; priority++) {
            // Fewer where links lose frames, or some are on their way.
            if (received[priority] > sent[priority]) {
                throw new BrokenException(
                        "%s: the ends classify frames differently: %d were sent in priority %d, %d"
                                        .formatted(
                                                wire, sent[priority], priority, received[priority])
                                + " received");
            }
        }
    }

    private boolean mayChangeFrames(Direction wire) {
        return built.what().faults().stream()
                .anyMatch(fault ->
                        fault instanceof Fault.OfLink of
                                && of.where().equals(wire.name())
                                && changesFrames(of.faults()));
    }

    private static boolean changesFrames(LinkFaults faults) {
        return faults.corruptionProbability() > 0
                || faults.repeatProbability() > 0
                || faults.forgeProbability() > 0;
    }
}
