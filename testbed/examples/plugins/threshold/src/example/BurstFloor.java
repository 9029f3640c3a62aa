package example;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.PortConfig;
import io.headgate.dataplane.flowcontrol.ThresholdMechanism;
import io.headgate.dataplane.policy.Threshold;

/** A share of what is left of the pool, as alpha has it, but never less than a burst needs. */
public final class BurstFloor implements ThresholdMechanism<BurstFloorConfig> {
    @Override
    public Threshold threshold(BurstFloorConfig configuration, Threshold alpha, PortConfig port) {
        int frameBytes = ConfigDefaults.maxFrameBytes(port.mtuBytes());
        long bytes = configuration.leastBytes();
        return new Floor(alpha, bytes, Math.ceilDiv(bytes, frameBytes));
    }

    /** What is asked for each frame; that the pool has an end is not its to see to. */
    private record Floor(Threshold alpha, long bytes, long slots) implements Threshold {
        @Override
        public long thresholdBytes(int account, long freeBytes) {
            return Math.max(bytes, alpha.thresholdBytes(account, freeBytes));
        }

        @Override
        public long thresholdSlots(int account, long freeSlots) {
            return Math.max(slots, alpha.thresholdSlots(account, freeSlots));
        }
    }
}
