package io.headgate.dataplane.flowcontrol;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.DeviceConfig;
import io.headgate.config.FlowControlConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.policy.Threshold;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Port configurations and frames for the tests here. */
final class TestPorts {
    static final long RATE_BPS = 10_000_000_000L;

    private TestPorts() {}

    static TrafficConfig traffic(List<Integer> lossless) {
        return TrafficConfig.DEFAULT.withLossless(lossless);
    }

    static PortConfig port(
            FlowControlConfig flowControl, List<Integer> lossless, long capBytes, int capSlots) {
        return port(new DeviceConfig.Memory("m"), flowControl, lossless, capBytes, capSlots);
    }

    static PortConfig port(
            DeviceConfig device,
            FlowControlConfig flowControl,
            List<Integer> lossless,
            long capBytes,
            int capSlots) {
        return ConfigDefaults.port("p1", device)
                .withRateBps(RATE_BPS)
                .withAccountCapBytes(capBytes)
                .withAccountCapSlots(capSlots)
                .withTraffic(traffic(lossless))
                .withFlowControl(flowControl);
    }

    static FlowControlConfig pfc(FlowControlConfig.Buffers buffers) {
        return new FlowControlConfig(
                FlowControlConfig.Mode.PFC,
                new FlowControlConfig.Link(1000, 0, 0),
                buffers,
                new FlowControlConfig.Pause(65_535, 100_000),
                null,
                null);
    }

    static FlowControlConfig credits(FlowControlConfig.Credits credits) {
        return new FlowControlConfig(
                FlowControlConfig.Mode.CREDITS,
                FlowControlConfig.Link.DEFAULT,
                null,
                null,
                credits,
                (FlowControlConfig.@Nullable Watchdog) null);
    }

    /** As configured; null: static thresholds. */
    static @Nullable Threshold threshold(PortConfig port) {
        FlowControlConfig.Buffers buffers = port.flowControl().buffers();
        Integer alpha = buffers == null ? null : buffers.alphaExponent();
        return alpha == null ? null : new AlphaThreshold(alpha);
    }

    /** Frames of 60 bytes in priority 0; tests change both. */
    static Frame[] frames(int count) {
        FrameRegion region = new FrameRegion(count, 512);
        Frame[] frames = new Frame[count];
        for (int i = 0; i < count; i++) {
            frames[i] = region.frame(i);
            frames[i].lengthBytes = 60;
            frames[i].storedBytes = 60;
        }
        return frames;
    }
}
