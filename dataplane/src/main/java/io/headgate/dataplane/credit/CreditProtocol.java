package io.headgate.dataplane.credit;

import io.headgate.config.FlowControlConfig;
import io.headgate.dataplane.linkcontrol.LinkProtocol;
import io.headgate.dataplane.linkcontrol.PresentTime;

/** Credits at one port. */
public final class CreditProtocol implements LinkProtocol {
    private final FlowControlConfig.Credits config;
    private final int lanes;
    private final long digest;
    private final int maxFrameBytes;
    private final PresentTime time;
    private final CreditRegister register = new CreditRegister();

    /**
     * As configured.
     *
     * @param lanes mask of the lossless priorities
     * @param digest of the port's classification
     * @param maxFrameBytes the largest frame that may come
     */
    public CreditProtocol(
            FlowControlConfig.Credits config,
            int lanes,
            long digest,
            int maxFrameBytes,
            PresentTime time) {
        this.config = config;
        this.lanes = lanes;
        this.digest = digest;
        this.maxFrameBytes = maxFrameBytes;
        this.time = time;
    }

    @Override
    public CreditReceiver receiver() {
        return new CreditReceiver(config, lanes, digest, register, maxFrameBytes);
    }

    @Override
    public CreditTransmitter sender() {
        return new CreditTransmitter(config, lanes, digest, register, time);
    }
}
