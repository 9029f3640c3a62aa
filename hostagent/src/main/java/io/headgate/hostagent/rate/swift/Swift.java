package io.headgate.hostagent.rate.swift;

import io.headgate.hostagent.rate.RateControl;
import io.headgate.hostagent.rate.RateControlMechanism;

/** A window that follows round trip times; see {@link SwiftWindow}. */
public final class Swift implements RateControlMechanism<SwiftConfig> {
    @Override
    public String name() {
        return "swift";
    }

    @Override
    public String says() {
        return "A window that grows while round trips are shorter than a target, and shrinks by"
                + " how far they are above it (Swift, SIGCOMM 2020); switches need nothing.";
    }

    @Override
    public Class<SwiftConfig> configuration() {
        return SwiftConfig.class;
    }

    @Override
    public boolean needsEcho() {
        return true;
    }

    @Override
    public boolean needsMarks() {
        return false;
    }

    /** Each packet is acknowledged, as in the paper. */
    @Override
    public int ackEvery(SwiftConfig configuration) {
        return 1;
    }

    @Override
    public RateControl control(SwiftConfig configuration) {
        return new SwiftWindow(configuration);
    }
}
