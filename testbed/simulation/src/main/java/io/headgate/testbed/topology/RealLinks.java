package io.headgate.testbed.topology;

import io.headgate.config.DeviceConfig;
import io.headgate.dataplane.random.NamedRandom;
import org.jspecify.annotations.Nullable;

/**
 * Imitates the delay, loss and failures of a topology file's links on real frames, in the devices
 * at the links' ends. Between switches the receiving switch applies the faults; on a link from a
 * switch to a host the switch does.
 */
public final class RealLinks {
    /**
     * The shortest delay that is imitated: timers keep no shorter one, and a frame's way through
     * the kernel takes as long.
     */
    public static final long LEAST_DELAY_NS = 50_000;

    private static final long MOST_DELAY_PS = 10_000_000_000_000L;
    private static final long PS_PER_NS = 1000;
    private static final long BITS_OF_SHORTEST = 8L * 84;
    private static final long NS_PER_S = 1_000_000_000L;
    private static final int LEAST_LIMIT = 1000;
    private static final int MOST_LIMIT = 16_384;
    private static final long SEEDS = 1_000_000_000L;

    private RealLinks() {}

    /** The reason why real frames cannot have this link; null if they can. */
    public static @Nullable String refusal(LinkSpec spec) {
        LinkFaults faults = spec.faults() == null ? LinkFaults.NONE : spec.faults();
        if (!spec.withFaults(null).isPlain()
                || faults.kind() != FrameKind.ALL
                || faults.forgeProbability() > 0) {
            return "credits, forged notifications, faults of some frames only, or its own times of"
                    + " delivery and release, which only the virtual bed has";
        }
        boolean isLong =
                Math.max(spec.delayPs(), Math.max(faults.jitterPs(), faults.reorderDelayPs()))
                        > MOST_DELAY_PS;
        return isLong ? "a delay, jitter or reordering-delay above 10 s" : null;
    }

    /**
     * The device of a switch's port at a link.
     *
     * @param isFirst whether this end takes the link down if both ends could
     * @param isToHost whether the far end is a host, which cannot do so
     * @param how which of the file's link properties apply
     */
    static DeviceConfig device(
            DeviceConfig device,
            LinkPlan link,
            boolean isFirst,
            boolean isToHost,
            long runSeed,
            PlanOptions.Links how) {
        LinkSpec spec = link.spec();
        LinkFaults faults = spec.faults() == null ? LinkFaults.NONE : spec.faults();
        long delayNs = spec.delayPs() / PS_PER_NS;
        // Without imitated links the file's delay is for headroom alone.
        DeviceConfig.OneWay way =
                new DeviceConfig.OneWay(
                        faults.lossProbability(),
                        faults.corruptionProbability(),
                        how == PlanOptions.Links.LATE && delayNs >= LEAST_DELAY_NS ? delayNs : 0,
                        faults.jitterPs() / PS_PER_NS,
                        faults.reorderDelayPs() == 0 ? 0 : faults.reorderProbability(),
                        faults.reorderDelayPs() / PS_PER_NS,
                        faults.repeatProbability());
        if (how == PlanOptions.Links.AS_THEY_ARE && !way.isAnything() && faults.upMeanPs() == 0) {
            return device;
        }
        return new DeviceConfig.Faulty(
                device,
                new DeviceConfig.Faults(
                        way,
                        isFirst ? faults.upMeanPs() / PS_PER_NS : 0,
                        isFirst ? faults.downMeanPs() / PS_PER_NS : 0,
                        limitFrames(spec.rateBps(), way),
                        seed(runSeed, link.name(), isFirst),
                        isToHost ? way : null));
    }

    /** The shortest frames that are under way at a time, within what a switch has room for. */
    private static int limitFrames(long rateBps, DeviceConfig.OneWay way) {
        double seconds =
                (double) (way.delayNs() + way.jitterNs() + way.reorderDelayNs()) / NS_PER_S;
        double frames = seconds * rateBps / BITS_OF_SHORTEST;
        return (int) Math.clamp(frames, LEAST_LIMIT, MOST_LIMIT);
    }

    private static long seed(long runSeed, String link, boolean isFirst) {
        NamedRandom own = NamedRandom.of(runSeed, link, isFirst ? "first end" : "second end");
        return own.nextLong(SEEDS);
    }
}
