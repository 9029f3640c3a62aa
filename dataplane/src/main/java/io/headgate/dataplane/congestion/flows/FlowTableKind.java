package io.headgate.dataplane.congestion.flows;

import io.headgate.dataplane.random.NamedRandom;

/** The flow tables of section 3.3.4 of Menikkumbura's dissertation (Purdue, 2022). */
public enum FlowTableKind {
    /** {@link QueuedFlows}: flows that have frames in the queue. */
    QUEUED,

    /** {@link AgedFlows}: flows with a recent frame. */
    AGED,

    /** {@link AfdFlows}: large flows, by bytes of sampled frames. */
    AFD_FT,

    /** {@link ElephantTrap}: large flows, by counts in a small circular cache. */
    ELEPHANT_TRAP,

    /** {@link BubbleCache}: large flows, by an adaptive sampling rate. */
    BUBBLE_CACHE;

    /**
     * Sizes of a table; each kind uses those that it needs.
     *
     * @param flows maximum number of flows at a time, at least 1
     * @param ageNs time after which a flow without a frame is forgotten
     * @param oneOf mean number of frames per sample
     * @param elephant number of samples that make a flow large
     * @param frameBytes length of a full frame
     */
    public record Layout(int flows, long ageNs, int oneOf, int elephant, int frameBytes) {}

    /**
     * Makes an empty table.
     *
     * @param random generator that only this table uses
     */
    public FlowTable table(Layout layout, NamedRandom random) {
        int flows = layout.flows;
        return switch (this) {
            case QUEUED -> new QueuedFlows(flows);
            case AGED -> new AgedFlows(flows, layout.ageNs);
            case AFD_FT ->
                    new AfdFlows(flows, layout.oneOf, layout.elephant, layout.frameBytes, random);
            case ELEPHANT_TRAP -> new ElephantTrap(flows, layout.oneOf, layout.elephant, random);
            case BUBBLE_CACHE -> new BubbleCache(flows, layout.oneOf, random);
        };
    }
}
