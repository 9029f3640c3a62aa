package io.headgate.dataplane.policy;

/**
 * How much of a shared pool one account may hold. Owned by a port's ingress half, which asks on its
 * own thread, for each frame that comes and whenever a pause may begin or end: it allocates nothing
 * and waits for nobody.
 */
public interface Threshold {

    /**
     * The most that an account may hold of the pool at this moment. Where it is more than the pool
     * has, the pool's end is the limit; 0 or less: nothing.
     *
     * @param account 0 to 7 for the priorities, and what accounts there are beside them
     * @param free what is left of the pool, in the unit of the answer: bytes or slots
     */
    long threshold(int account, long free);
}
