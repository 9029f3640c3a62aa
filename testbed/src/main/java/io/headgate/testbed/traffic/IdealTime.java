package io.headgate.testbed.traffic;

/** How long a flow takes alone in an idle network: what slowdowns are measured against. */
@FunctionalInterface
public interface IdealTime {
    /**
     * From a flow's beginning to the arrival of its last bit, in ps.
     *
     * @param flow of which source, destination, number and lengths of frames are asked
     */
    long idealPs(Flow flow);
}
