package io.headgate.dataplane.memory;

/**
 * Prefetch for drivers that run many engines round robin: loads memory into the cache before it is
 * needed. Objects at one distance are reached from those at the distance before; loads of many
 * objects at the same distance wait for memory at the same time.
 */
@FunctionalInterface
public interface Prefetch {
    /**
     * Reads memory, and changes nothing. Owner only.
     *
     * @param distance number of references from the object to the memory that is read, from 0
     * @return any value computed from the loads; use it, or the JIT removes the loads
     */
    long prefetch(int distance);
}
