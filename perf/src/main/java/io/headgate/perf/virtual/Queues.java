package io.headgate.perf.virtual;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.PortTraffic;
import io.headgate.config.TrafficConfig;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.frame.FrameShape;
import java.util.Locale;
import java.util.Optional;

/** The treatment of a frame that finds a queue full. */
enum Queues {
    /** It is dropped at the queue's limit, which is what ns-3's queues do. */
    FIFO,
    /** Lossless: senders are paused in time (IEEE 802.1Qbb), hosts too. */
    LOSSLESS;

    private static final PortTraffic PAUSES =
            PortTraffic.NONE
                    .with("flow-control", FlowControlConfig.Mode.PFC)
                    .with("classify.trust", TrafficConfig.Trust.DSCP)
                    .with("buffers.xoff", 60_000)
                    .with("buffers.xon", 57_000);
    private static final int LOSSLESS_PRIORITY = 3;
    private static final int LOSSLESS_DSCP = 26;

    static Optional<Queues> of(String word) {
        for (Queues one : values()) {
            if (one.word().equals(word)) {
                return Optional.of(one);
            }
        }
        return Optional.empty();
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What these are called in results. */
    String simulator() {
        return "Headgate, " + word();
    }

    /** The same, run by several threads. */
    String simulator(int threads) {
        return simulator() + ", " + threads + " threads";
    }

    Topology in(Topology topology) {
        return this == FIFO ? topology : topology.withPorts(PAUSES);
    }

    FrameShape shape(int frameBytes) {
        FrameShape plain = FrameShape.udp(frameBytes);
        return this == FIFO ? plain : plain.withPriority(LOSSLESS_PRIORITY, LOSSLESS_DSCP);
    }
}
