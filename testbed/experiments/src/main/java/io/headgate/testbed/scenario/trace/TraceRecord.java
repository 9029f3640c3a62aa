package io.headgate.testbed.scenario.trace;

/**
 * The record of a frame on a link.
 *
 * @param number number from 0, in the order of events
 * @param link number of the link's direction
 * @param startPs when transmission started, in picoseconds of virtual time
 * @param arrivePs when it arrived at the far end; {@link #LOST} if never
 * @param lengthBytes length of the frame, without FCS
 * @param storedHash hash of the stored bytes
 */
public record TraceRecord(
        long number, int link, long startPs, long arrivePs, int lengthBytes, long storedHash) {
    /** The {@code arrivePs} of a frame that is lost on the way. */
    public static final long LOST = Long.MAX_VALUE;
}
