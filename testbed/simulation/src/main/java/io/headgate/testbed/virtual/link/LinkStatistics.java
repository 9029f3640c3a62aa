package io.headgate.testbed.virtual.link;

/**
 * What went over one direction of a link. Frames lost on the way are among those sent.
 *
 * @param framesRepeated frames that arrived once more than they were sent, forged notices among
 *     them
 * @param busyPs how long the wire was taken, gaps included
 * @param noSlot frames that arrived and found no free slot
 * @param oversize frames that arrived and were longer than a slot
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
