package io.headgate.testbed.swarm.check;

import io.headgate.testbed.topology.LinkFaults;

/**
 * Checks that both ends of a link with flow control find the same priority in every frame. A frame
 * must arrive in the priority in which it was queued; otherwise a pause would stop the wrong
 * frames, and credits would be given for others.
 */
public record ClassifiedAlike(CaseNetwork built) {
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
        return built.what().faultsOf(wire.name()).stream().anyMatch(ClassifiedAlike::changesFrames);
    }

    private static boolean changesFrames(LinkFaults faults) {
        return faults.corruptionProbability() > 0
                || faults.repeatProbability() > 0
                || faults.forgeProbability() > 0;
    }
}
