package io.headgate.dataplane.linkcontrol;

/** A link protocol's read-only view of the accounts of its port's ingress half. */
public interface AccountsView {

    /** The priorities whose senders must pause, as a mask. */
    int pauseWanted();

    /** Bytes that a priority holds. */
    long bytes(int priority);

    /** Slots that a priority holds. */
    int slots(int priority);
}
