package io.headgate.testbed.virtual.link;

/**
 * Refuses to a duty what is done to the whole run. Where nodes are run one by one, others may be
 * past this time; so that a run is the same however it is run, it is refused always.
 */
@FunctionalInterface
public interface Standstill {

    /**
     * @param what as in "a link is pulled"
     * @throws IllegalStateException if a duty is being called
     */
    void requireNone(String what);
}
