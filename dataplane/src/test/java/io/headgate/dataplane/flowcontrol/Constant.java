package io.headgate.dataplane.flowcontrol;

import static io.headgate.config.key.Quantity.SIZE;

import io.headgate.config.PortConfig;
import io.headgate.config.key.Key;
import io.headgate.config.key.Says;
import io.headgate.dataplane.policy.Threshold;

/** An account holds as much of the pool whatever is left of it. */
public final class Constant implements ThresholdMechanism<Constant.Config> {

    /**
     * How much that is.
     *
     * @param mostBytes and as many slots
     */
    public record Config(
            @Key(quantity = SIZE, min = "1kB", max = "1MB", absent = "20kB")
                    @Says("What each account may hold of the pool.")
                    long mostBytes) {}

    @Override
    public String name() {
        return "constant";
    }

    @Override
    public String says() {
        return "Each account may hold as much, whatever is left.";
    }

    @Override
    public Class<Config> configuration() {
        return Config.class;
    }

    @Override
    public Threshold threshold(Config configuration, PortConfig port) {
        return (account, free) -> Math.min(configuration.mostBytes(), free);
    }
}
