package io.headgate.dataplane.policy;

/**
 * How much of a shared pool one account may hold, in bytes and in slots: frames of 64 bytes use up
 * slots long before they use up bytes, and an account holds no more than both allow. Owned by a
 * port's ingress half, which asks on its own thread, for each frame that comes and whenever a pause
 * may begin or end: it allocates nothing and never blocks.
 *
 * <p>If an answer is more than the pool has, the pool's end is the limit; 0 or less: nothing.
 */
public interface Threshold {

    /**
     * The most bytes that an account may hold of the pool at this moment.
     *
     * @param account 0 to 7 for the priorities, and the accounts after them
     * @param freeBytes bytes left of the pool
     */
    long thresholdBytes(int account, long freeBytes);

    /**
     * The most slots that an account may hold of the pool at this moment: each frame takes one.
     *
     * @param account as above
     * @param freeSlots what is left of the pool
     */
    long thresholdSlots(int account, long freeSlots);
}
