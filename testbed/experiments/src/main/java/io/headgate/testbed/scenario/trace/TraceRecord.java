package io.headgate.testbed.scenario.trace;

/**
 * A frame on a link.
 *
 * @param number from 0, in the order in which things happened
 * @param link number of the link's direction
 * @param startPs when transmission started, in picoseconds of virtual time
 * @param arrivePs when the far end had it; {@link #LOST} if never
 * @param lengthBytes of the frame, without FCS
 * @param storedHash of the bytes that are stored
 */
public record TraceRecord(
        long number, int link, long startPs, long arrivePs, int lengthBytes, long storedHash) {
    /** {@code arrivePs} of a frame that is lost on the way. */
    public static final long LOST = Long.MAX_VALUE;
}
