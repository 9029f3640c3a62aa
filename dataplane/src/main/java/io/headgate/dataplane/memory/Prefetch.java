package io.headgate.dataplane.memory;

/**
 * What can be read before it is needed, so that its memory is in cache by then. Whoever runs many
 * engines in turn asks for it: what lies at one distance is reached from what lies at the one
 * before, and reads of many objects at the same distance wait for their memory together.
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
