package io.headgate.dataplane.policy;

/**
 * Threshold policy: how much of a shared pool one account may hold, in bytes and in slots. Frames
 * of 64 bytes use up slots long before bytes, and an account holds no more than both allow. Owned
 * by a port's ingress half, which calls it on its own thread, for each arriving frame and whenever
 * a pause may begin or end: it allocates nothing and never blocks.
 *
 * <p>If an answer is more than the pool has, the pool's end is the limit; 0 or less: nothing.
 */
public interface Threshold {

    /**
     * Maximum bytes of the pool that an account may hold at this moment.
     *
     * @param account 0 to 7 for the priorities, and the accounts after them
     * @param freeBytes free bytes of the pool
     */
    long thresholdBytes(int account, long freeBytes);

    /**
     * Maximum slots of the pool that an account may hold at this moment: each frame takes one.
     *
     * @param account as above
     * @param freeSlots free slots of the pool
     */
    long thresholdSlots(int account, long freeSlots);
}
