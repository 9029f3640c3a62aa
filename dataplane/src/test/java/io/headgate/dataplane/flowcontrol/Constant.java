package io.headgate.dataplane.flowcontrol;

import static io.headgate.config.key.Quantity.SIZE;

import io.headgate.config.PortConfig;
import io.headgate.config.key.Key;
import io.headgate.config.key.Says;
import io.headgate.dataplane.policy.Threshold;

/** A threshold that is the same whatever is left of the pool. */
public final class Constant implements ThresholdMechanism<Constant.Config> {

    /**
     * How much that is.
     *
     * @param mostSlots 0: as many as the pool has
     */
    public record Config(
            @Key(quantity = SIZE, min = "1kB", max = "1MB", absent = "20kB")
                    @Says("What each account may hold of the pool.")
                    long mostBytes,
            @Key(min = "0", max = "1000", absent = "0")
                    @Says("Frames that each account may hold of the pool.")
                    int mostSlots) {}

    @Override
    public String name() {
        return "constant";
    }

    @Override
    public String says() {
        return "Each account may hold this, whatever is left.";
    }

    @Override
    public Class<Config> configuration() {
        return Config.class;
    }

    @Override
    public Threshold threshold(Config configuration, Threshold alpha, PortConfig port) {
        return new Threshold() {
            @Override
            public long thresholdBytes(int account, long freeBytes) {
                return configuration.mostBytes();
            }

            @Override
            public long thresholdSlots(int account, long freeSlots) {
                return configuration.mostSlots() == 0 ? freeSlots : configuration.mostSlots();
            }
        };
    }
}
