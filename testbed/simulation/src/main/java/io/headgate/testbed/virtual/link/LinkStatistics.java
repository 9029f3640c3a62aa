package io.headgate.testbed.virtual.link;

/**
 * Counters of one direction of a link. Frames lost on the way count as sent.
 *
 * @param framesRepeated frames that arrived once more than they were sent, forged notices among
 *     them
 * @param busyPs time that the wire was busy, gaps included
 * @param noSlot arrived frames that found no free slot
 * @param oversize arrived frames that were longer than a slot
 */
public record LinkStatistics(
        long framesSent,
        long bytesSent,
        long busyPs,
        long framesArrived,
        long framesLost,
        long framesCorrupted,
        long framesReordered,
        long framesRepeated,
        long framesInFlight,
        long noSlot,
        long oversize) {}
