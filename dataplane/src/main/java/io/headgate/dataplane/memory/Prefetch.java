package io.headgate.dataplane.memory;

/**
 * Prefetch for drivers that run many engines in turn: brings memory into the cache before it is
 * needed. Objects at one distance are reached from those at the distance before; reads of many
 * objects at the same distance wait for memory together.
 */
@FunctionalInterface
public interface Prefetch {
    /**
     * Reads, and changes nothing. Owner only.
     *
     * @param distance references from the object to what is read, from 0
     * @return anything made of what was read: kept, so that the compiler does not leave it out
     */
    long prefetch(int distance);
}
