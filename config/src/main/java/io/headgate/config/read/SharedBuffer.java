package io.headgate.config.read;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.FlowControlConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.TrafficConfig;
import io.headgate.config.WorkerConfig;
import io.headgate.config.key.Quantity;
import io.headgate.config.yaml.YamlConfig;
import java.util.stream.Stream;

/**
 * A buffer that the ports of a switch with dynamic thresholds share. Slots stay at the port where
 * frames come in, so each of these ports needs slots for the whole share that it may hold.
 *
 * @param bytes size in bytes; 0: no shared buffer
 * @param isExact whether a port knows at once what the others hold
 */
public record SharedBuffer(long bytes, boolean isExact) {
    /** Frames that a half takes in at once: what it knows of other workers is as old as that. */
    private static final int RECEIVE_BURST = 64;

    static SharedBuffer of(SwitchConfig config) {
        return new SharedBuffer(
                config.memory().sharedBytes(),
                config.workers().layout() == WorkerConfig.Layout.SINGLE);
    }

    /** Maximum number of bytes that a port may hold of it; 0 if the port does not share it. */
    private long mostBytes(FlowControlConfig port, int frameBytes) {
        FlowControlConfig.Buffers buffers = port.buffers();
        Integer alpha = buffers == null ? null : buffers.alphaExponent();
        if (alpha == null || bytes == 0) {
            return 0;
        }
        double all = TrafficConfig.PRIORITIES * StrictMath.scalb(1.0, alpha);
        return (long) Math.ceil(bytes * all / (1 + all))
                + (isExact ? 0L : (long) RECEIVE_BURST * frameBytes);
    }

    /** The same in slots, with frames of the largest size. */
    public long mostSlots(FlowControlConfig port, int mtuBytes) {
        int frameBytes = ConfigDefaults.maxFrameBytes(mtuBytes);
        return Math.ceilDiv(mostBytes(port, frameBytes), frameBytes);
    }

    /** Refuses a buffer that no port shares. */
    public void isUsed(YamlConfig yaml, String at, Stream<FlowControlConfig> ports) {
        if (bytes != 0
                && ports.map(FlowControlConfig::buffers)
                        .noneMatch(buffers -> buffers != null && buffers.isDynamic())) {
            yaml.refuse(
                    at,
                    Quantity.SIZE.format(bytes) + ", but no port uses it",
                    "0B, or buffers: {alpha: 1/8} or the like at the ports that share it");
        }
    }

    /** Refuses a buffer if a port may hold more of it than the port has room for. */
    public void isCovered(
            YamlConfig yaml,
            String at,
            String buffersAt,
            String name,
            FlowControlConfig port,
            int mtuBytes) {
        FlowControlConfig.Buffers buffers = port.buffers();
        long mostBytes = mostBytes(port, ConfigDefaults.maxFrameBytes(mtuBytes));
        long mostSlots = mostSlots(port, mtuBytes);
        if (buffers == null
                || (buffers.sharedBytes() >= mostBytes && buffers.sharedSlots() >= mostSlots)) {
            return;
        }
        String path = yaml.path(buffersAt);
        yaml.refuse(
                at,
                "%s, but %s may use up to %s of it and has room for only %s in %s slots"
                        .formatted(
                                Quantity.SIZE.format(bytes),
                                name,
                                Quantity.SIZE.format(mostBytes),
                                Quantity.SIZE.format(buffers.sharedBytes()),
                                buffers.sharedSlots()),
                ("a size that each port has slots for: a smaller one, a smaller alpha, or %s.shared"
                                + " %s and %s.shared-slots %s (computed from slots-per-port if not"
                                + " given)")
                        .formatted(path, Quantity.SIZE.format(mostBytes), path, mostSlots));
    }
}
