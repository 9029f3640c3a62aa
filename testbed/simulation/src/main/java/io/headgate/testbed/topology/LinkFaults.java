package io.headgate.testbed.topology;

import static io.headgate.config.key.Quantity.DELAY;

import io.headgate.config.Withers;
import io.headgate.config.key.Beds;
import io.headgate.config.key.Key;
import io.headgate.config.key.Named;
import io.headgate.config.key.Says;

/**
 * The faults of a link, drawn separately in each direction, with a random generator for each kind.
 * Loss includes frames that a receiver's FCS check would discard; corruption is damage that this
 * check does not see.
 *
 * @param kind the frames that loss, corruption, reordering, repetition and forgery apply to; jitter
 *     applies to all
 * @param repeatProbability probability, 0 to 1, that a frame arrives twice, the second directly
 *     after the first; not on links with credits for each slot
 * @param forgeProbability probability, 0 to 1, that a notice (RoCC, DCQCN) is followed by a forged
 *     one: with correct checksums, from another sender, about another flow, or with another rate;
 *     not on links with credits for each slot
 */
@Named(
        says = "Faults of the link; each direction is independent.",
        allowed = "a mapping, such as {loss: 0.001, frames: link-control}")
@Withers
public record LinkFaults(
        @Key(name = "frames", absent = "all")
                @Says(
                        "The frames that loss, corruption, reordering, repetition and forgery apply"
                                + " to; notices: congestion notifications to senders (RoCC,"
                                + " DCQCN).")
                @Beds(real = "refused: only virtual time has it")
                FrameKind kind,
        @Key(unit = Key.PROBABILITY, min = "0", max = "1", absent = "0")
                @Says("Probability that a frame is lost.")
                double lossProbability,
        @Key(unit = Key.PROBABILITY, min = "0", max = "1", absent = "0")
                @Says("Probability that one to three of a frame's stored bits are flipped.")
                double corruptionProbability,
        @Key(name = "reordering", unit = Key.PROBABILITY, min = "0", max = "1", absent = "0")
                @Says("Probability that a frame is delayed, so that later ones overtake it.")
                double reorderProbability,
        @Key(
                        name = "reordering-delay",
                        quantity = DELAY,
                        min = "0s",
                        max = "1000s",
                        absent = "0s",
                        example = "10us or 0s")
                @Says("Additional delay of such a frame.")
                long reorderDelayPs,
        @Key(name = "repetition", unit = Key.PROBABILITY, min = "0", max = "1", absent = "0")
                @Says("Probability that a frame arrives twice in a row.")
                double repeatProbability,
        @Key(name = "forgery", unit = Key.PROBABILITY, min = "0", max = "1", absent = "0")
                @Says(
                        "Probability that a notification (RoCC, DCQCN) is followed by a forged one"
                                + " with correct checksums: of another sender, about another flow,"
                                + " or with another rate.")
                @Beds(real = "refused: only virtual time has it")
                double forgeProbability,
        @Key(quantity = DELAY, min = "0s", max = "1000s", absent = "0s", example = "10us or 0s")
                @Says("Maximum random delay of a frame; it does not reorder frames.")
                long jitterPs,
        @Key(
                        name = "up",
                        quantity = DELAY,
                        min = "0s",
                        max = "1000s",
                        absent = "0s",
                        example = "10us or 0s")
                @Says(
                        "Mean time for which the link is up (exponentially distributed); 0s: always"
                                + " up. On real frames the link goes down at its first end, which"
                                + " drops the frames from the other end.")
                long upMeanPs,
        @Key(
                        name = "down",
                        quantity = DELAY,
                        min = "0s",
                        max = "1000s",
                        absent = "0s",
                        example = "10us or 0s")
                @Says("Mean time for which the link is then down.")
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
                    "a time below 0 in %s ps delay, %s ps jitter, %s ps up, %s ps down"
                            .formatted(reorderDelayPs, jitterPs, upMeanPs, downMeanPs));
        }
        if (upMeanPs > 0 && downMeanPs == 0) {
            throw new IllegalArgumentException(
                    "a link that goes down for 0 ps; allowed: up and down both, or neither");
        }
    }

    /** The same faults on a link that is slower by a factor. */
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
