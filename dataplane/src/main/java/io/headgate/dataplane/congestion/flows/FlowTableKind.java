package io.headgate.dataplane.congestion.flows;

import io.headgate.dataplane.random.NamedRandom;

/** The flow tables of section 3.3.4 of Menikkumbura's dissertation (Purdue, 2022). */
public enum FlowTableKind {
    /** {@link QueuedFlows}: flows that have frames in the queue. */
    QUEUED,

    /** {@link AgedFlows}: flows of which a frame came lately. */
    AGED,

    /** {@link AfdFlows}: large flows, by bytes of sampled frames. */
    AFD_FT,

    /** {@link ElephantTrap}: large flows, by counts in a small circular cache. */
    ELEPHANT_TRAP,

    /** {@link BubbleCache}: large flows, by a sampling rate that adapts itself. */
    BUBBLE_CACHE;

    /**
     * What a table is laid out for; each kind takes what it needs.
     *
     * @param flows at a time, at least 1
     * @param ageNs after which a flow without a frame is forgotten
     * @param oneOf frames, on average, of which one is sampled
     * @param elephant samples that make a flow a large one
     * @param frameBytes of a full frame
     */
    public record Layout(int flows, long ageNs, int oneOf, int elephant, int frameBytes) {}

    /**
     * Makes an empty one.
     *
     * @param random from which it alone draws
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
