package io.headgate.dataplane.policy;

/** How much of a shared pool one account may hold. */
public interface Threshold {

    /**
     * The most that an account may hold of the pool at this moment.
     *
     * @param account 0 to 7 for the priorities, and what accounts there are beside them
     * @param free what is left of the pool, in the unit of the answer: bytes or slots
     */
    long threshold(int account, long free);
}
