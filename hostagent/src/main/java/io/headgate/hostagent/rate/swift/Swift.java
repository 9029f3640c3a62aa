package io.headgate.hostagent.rate.swift;

import io.headgate.hostagent.rate.RateControl;
import io.headgate.hostagent.rate.RateControlMechanism;

/** The mechanism Swift: a window that follows round trip times; see {@link SwiftWindow}. */
public final class Swift implements RateControlMechanism<SwiftConfig> {
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
