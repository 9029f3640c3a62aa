package io.headgate.testbed.virtual.link;

import io.headgate.dataplane.device.BitErrors;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.random.NamedRandom;
import io.headgate.testbed.topology.LinkFaults;

/** Draws the faults of one direction of a link, with a random generator for each kind. */
final class FaultSource {
    private final LinkFaults faults;
    private final NamedRandom loss;
    private final NamedRandom corruption;
    private final NamedRandom reordering;
    private final NamedRandom repetition;
    private final NoticeForger forger;
    private final NamedRandom forgery;
    private final NamedRandom jitter;

    FaultSource(LinkFaults faults, long runSeed, String direction) {
        this.faults = faults;
        this.loss = NamedRandom.of(runSeed, direction, "loss");
        this.corruption = NamedRandom.of(runSeed, direction, "corruption");
        this.reordering = NamedRandom.of(runSeed, direction, "reordering");
        this.repetition = NamedRandom.of(runSeed, direction, "repetition");
        this.forgery = NamedRandom.of(runSeed, direction, "forgery");
        this.forger = new NoticeForger(forgery);
        this.jitter = NamedRandom.of(runSeed, direction, "jitter");
    }

    boolean appliesTo(Frame frame) {
        return faults.kind().covers(frame);
    }

    boolean isLost() {
        return loss.happens(faults.lossProbability());
    }

    boolean isCorrupted() {
        return corruption.happens(faults.corruptionProbability());
    }

    boolean isDelayed() {
        return reordering.happens(faults.reorderProbability());
    }

    long delayPs() {
        return faults.reorderDelayPs();
    }

    boolean isRepeated() {
        return repetition.happens(faults.repeatProbability());
    }

    boolean isForged(Frame frame) {
        return forgery.happens(faults.forgeProbability()) && NoticeForger.isForgeable(frame);
    }

    void forge(Frame original, long copy) {
        forger.forge(original, copy);
    }

    long jitterPs() {
        return faults.jitterPs() == 0 ? 0 : jitter.nextLong(faults.jitterPs() + 1);
    }

    /** Flips one to three bits of a frame's stored bytes. */
    void corrupt(long address, int storedBytes) {
        BitErrors.flip(corruption, address, storedBytes);
    }
}
