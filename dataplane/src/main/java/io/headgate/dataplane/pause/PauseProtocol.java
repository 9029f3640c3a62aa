package io.headgate.dataplane.pause;

import io.headgate.config.FlowControlConfig;
import io.headgate.dataplane.linkcontrol.LinkProtocol;
import io.headgate.dataplane.linkcontrol.PresentTime;

/** Pauses at one port. */
public final class PauseProtocol implements LinkProtocol {
    private final FlowControlConfig.Mode mode;
    private final FlowControlConfig.Pause config;
    private final int lossless;
    private final long rateBps;
    private final PresentTime time;
    private final PauseRegister register = new PauseRegister();

    /**
     * As configured.
     *
     * @param mode {@code PFC} or {@code PAUSE}
     * @param lossless mask of the priorities whose pauses are obeyed with PFC
     * @param rateBps the port's rate at its start, which gives a quantum its length
     */
    public PauseProtocol(
            FlowControlConfig.Mode mode,
            FlowControlConfig.Pause config,
            int lossless,
            long rateBps,
            PresentTime time) {
        this.mode = mode;
        this.config = config;
        this.lossless = lossless;
        this.rateBps = rateBps;
        this.time = time;
    }

    @Override
    public PauseReceiver receiver() {
        return new PauseReceiver(mode, lossless, rateBps, register);
    }

    @Override
    public PauseTransmitter sender() {
        return new PauseTransmitter(
                new PauseSender(mode, config, rateBps), new PauseState(register, time), register);
    }
}
