package io.headgate.testbed.virtual.link;

import io.headgate.config.Withers;

/**
 * What goes wrong on a link, in each direction by itself, drawn from a generator for each purpose.
 * What a receiver's FCS check would discard is loss; corruption is what gets past it.
 *
 * @param kind the frames that loss, corruption, reordering, repetition and forgery apply to; jitter
 *     applies to all
 * @param lossProbability that a frame never arrives, 0 to 1
 * @param corruptionProbability that one to three of its stored bits are flipped, 0 to 1
 * @param reorderProbability that a frame is delayed, 0 to 1, so that later ones overtake it
 * @param reorderDelayPs for how long it is
 * @param repeatProbability that a frame arrives twice, the second right behind the first, 0 to 1;
 *     no link with credits for each slot repeats any
 * @param forgeProbability that a notice (RoCC, DCQCN) is followed by a forged one, 0 to 1: with
 *     right checksums, of another sender, about another flow, or of another rate; on no link with
 *     credits for each slot
 * @param jitterPs most by which a frame is late; none overtakes another by it
 * @param upMeanPs mean time for which the link is up, exponentially distributed; 0: always
 * @param downMeanPs mean time for which it is then down, exponentially distributed
 */
@Withers
public record LinkFaults(
        FrameKind kind,
        double lossProbability,
        double corruptionProbability,
        double reorderProbability,
        long reorderDelayPs,
        double repeatProbability,
        double forgeProbability,
        long jitterPs,
        long upMeanPs,
        long downMeanPs)
        implements LinkFaultsBuilder.With {

    public static final LinkFaults NONE = new LinkFaults(FrameKind.ALL, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    public LinkFaults {
        requireProbability("loss", lossProbability);
        requireProbability("corruption", corruptionProbability);
        requireProbability("reordering", reorderProbability);
        requireProbability("repetition", repeatProbability);
        requireProbability("forgery", forgeProbability);
        if (reorderDelayPs < 0 || jitterPs < 0 || upMeanPs < 0 || downMeanPs < 0) {
            throw new IllegalArgumentException(
                    "a time below 0 in "
                            + reorderDelayPs
                            + " ps delay, "
                            + jitterPs
                            + " ps jitter, "
                            + upMeanPs
                            + " ps up, "
                            + downMeanPs
                            + " ps down");
        }
        if (upMeanPs > 0 && downMeanPs == 0) {
            throw new IllegalArgumentException("a link that goes down for 0 ps");
        }
    }

    /** The same on a link that is slower by a factor. */
    public LinkFaults slower(int factor) {
        return withReorderDelayPs(Math.multiplyExact(reorderDelayPs, factor))
                .withJitterPs(Math.multiplyExact(jitterPs, factor))
                .withUpMeanPs(Math.multiplyExact(upMeanPs, factor))
                .withDownMeanPs(Math.multiplyExact(downMeanPs, factor));
    }

    private static void requireProbability(String what, double probability) {
        if (!(probability >= 0 && probability <= 1)) {
            throw new IllegalArgumentException(
                    what + " with probability " + probability + "; allowed are 0 to 1");
        }
    }
}
