package io.headgate.hostagent;

import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.memory.Accounts;

/**
 * Decides when a host's applications must be held back: from the moment when one priority, or all
 * together, have filled their share of the card's slots, until the share is half empty again.
 * Frames that arrive meanwhile use the remaining slots. Owned by the half that charges the
 * accounts.
 */
public final class SenderThrottle {
    /** A priority may take an eighth of the slots, all together a quarter. */
    private static final int PRIORITY_SHARE = 8;

    private static final int TOTAL_SHARE = 4;

    private final int prioritySlots;
    private final int totalSlots;
    private boolean throttled;

    public SenderThrottle(int slots) {
        this.prioritySlots = Math.max(2, slots / PRIORITY_SHARE);
        this.totalSlots = Math.max(2, slots / TOTAL_SHARE);
    }

    /** Checks the slots in use; true if senders must be held back, now or still. */
    public boolean update(Accounts accounts) {
        int shares = throttled ? 2 : 1;
        int most = 0;
        for (int priority = 0; priority < TrafficConfig.PRIORITIES; priority++) {
            most = Math.max(most, accounts.slots(priority));
        }
        boolean full = most > prioritySlots / shares || accounts.totalSlots() > totalSlots / shares;
        throttled = full;
        return full;
    }
}
