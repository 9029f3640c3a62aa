package io.headgate.dataplane.linkcontrol;

/** What a protocol may read of what its port's ingress half holds. */
public interface AccountsView {

    /** The priorities whose senders must pause, as a mask. */
    int pauseWanted();

    /** Bytes that a priority holds. */
    long bytes(int priority);

    /** Slots that a priority holds. */
    int slots(int priority);
}
