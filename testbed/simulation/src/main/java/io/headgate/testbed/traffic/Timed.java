package io.headgate.testbed.traffic;

/** A timer of a host: a flow's next frame or a source's next flow. */
abstract class Timed {
    static final int NOT_WAITING = -1;

    /**
     * The time at which it is due, in ps. Does not change while it waits in a {@link TimerHeap}.
     */
    long duePs;

    /** Orders the timers of a host that are due at the same time: the lowest first. */
    final int order;

    /** Its place in the heap that it waits in, {@link #NOT_WAITING} if in none. */
    int heapIndex = NOT_WAITING;

    Timed(int order) {
        this.order = order;
    }

    /** Called when it is due and no longer in the heap. */
    abstract void onDue();
}
