package io.headgate.testbed.traffic;

/** What becomes due at a host: a flow's next frame, a source's next flow. */
abstract class Timed {
    static final int NOT_WAITING = -1;

    /** When it is due, in ps. Not changed while it waits in a {@link TimerHeap}. */
    long duePs;

    /** Decides between two of a host that are due at the same time: the lower one is first. */
    final int order;

    /** Its place in the heap that it waits in, {@link #NOT_WAITING} if in none. */
    int heapIndex = NOT_WAITING;

    Timed(int order) {
        this.order = order;
    }

    /** It is due and no longer in the heap. */
    abstract void onDue();
}
