package io.headgate.testbed.topology;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.DeviceConfig;
import io.headgate.config.MemoryConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.Withers;
import io.headgate.config.WorkerConfig;
import java.util.function.UnaryOperator;

/**
 * The options for building a network plan from a topology.
 *
 * @param seed the run's seed; each switch's seed is derived from it and the switch's name
 * @param ipv6 whether hosts have IPv6 addresses, and switches routes to them, too
 * @param payload whether frames are stored whole
 * @param scale rates are divided by it and delays multiplied, bytes stay; 1 to 1,000,000
 * @param devices the devices of the switches' ports
 * @param workers threads of each switch
 * @param addresses addresses of the hosts, if switches bridge
 * @param switchPrefix put before the switches' names, so that switches of several networks can be
 *     told apart
 * @param links which properties of links real frames have
 * @param adjust changes each switch's configuration last
 */
@Withers
public record PlanOptions(
        long seed,
        boolean ipv6,
        MemoryConfig.Payload payload,
        int scale,
        Devices devices,
        WorkerConfig workers,
        HostRange addresses,
        String switchPrefix,
        Links links,
        UnaryOperator<SwitchConfig> adjust)
        implements PlanOptionsBuilder.With {

    /** The properties of a file's links that links of real frames have. */
    public enum Links {
        /** Only faults, if the file has any. */
        AS_THEY_ARE,
        /** The same, and all may change while the network runs. */
        CHANGING,
        /** The same, with the delays of the file. */
        LATE
    }

    /** Names the device of a switch's port. */
    @FunctionalInterface
    public interface Devices {
        /**
         * The device.
         *
         * @param port counted from 0
         * @param linkName unique within the network
         */
        DeviceConfig of(String switchName, int port, String linkName);
    }

    private static final int MAX_SCALE = 1_000_000;

    /**
     * @throws IllegalArgumentException if a value is out of its range
     */
    public PlanOptions {
        if (scale < 1 || scale > MAX_SCALE) {
            throw new IllegalArgumentException("scale " + scale + ": 1 to 1000000 are allowed");
        }
    }

    /** For the virtual bed: links of its own, payload elided, one worker, not scaled. */
    public static PlanOptions virtual(long seed) {
        return new PlanOptions(
                seed,
                false,
                MemoryConfig.Payload.ELIDED,
                1,
                (_, _, link) -> new DeviceConfig.Virtual(link),
                SINGLE,
                HostRange.DEFAULT,
                "",
                Links.AS_THEY_ARE,
                UnaryOperator.identity());
    }

    /** One worker for everything. */
    public static final WorkerConfig SINGLE =
            ConfigDefaults.WORKERS.withLayout(WorkerConfig.Layout.SINGLE);

    String nameOf(Topology.Switch node) {
        return switchPrefix + node.name();
    }
}
