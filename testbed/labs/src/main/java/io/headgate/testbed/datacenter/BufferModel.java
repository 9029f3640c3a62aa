package io.headgate.testbed.datacenter;

import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.testbed.datacenter.Pattern.Stream;
import io.headgate.testbed.traffic.frame.TestFrame;
import java.util.List;

/**
 * Computes from a configuration how much a switch's buffer holds, for lossy frames of one size and
 * priority. A frame is held until its transmission starts. Two bounds hold: the egress queue drops
 * its tail at its limit in bytes, and an ingress port refuses what is beyond its account's cap in
 * bytes or in slots. Frames are counted as in memory, without FCS.
 */
final class BufferModel {
    /** Preamble and least gap; sizes have the FCS already (IEEE 802.3, 3.2 and 4.4.2). */
    private static final int WIRE_OVERHEAD_BYTES = 20;

    private static final double NS_PER_SECOND = 1e9;

    /** The bound that is reached first. */
    enum Bound {
        QUEUE_LIMIT("queue limit of the egress port", "QUEUE_FULL"),
        ACCOUNT_BYTES("accounts of the ingress ports, in bytes", "ACCOUNT_AT_CAP"),
        ACCOUNT_SLOTS("accounts of the ingress ports, in slots", "ACCOUNT_AT_CAP");

        private final String meaning;
        private final String dropReason;

        Bound(String meaning, String dropReason) {
            this.meaning = meaning;
            this.dropReason = dropReason;
        }

        String meaning() {
            return meaning;
        }

        /** The reason with which frames beyond the bound are dropped. */
        String dropReason() {
            return dropReason;
        }
    }

    /** The number of frames that a switch holds, and the bound that limits it. */
    record Capacity(long frames, Bound bound) {}

    private BufferModel() {}

    /**
     * Maximum number of frames that wait for one port.
     *
     * @param sizeBytes of the frames, with FCS
     */
    static Capacity at(SwitchConfig config, Pattern pattern, int destination, int sizeBytes) {
        List<Integer> sources =
                pattern.streams().stream()
                        .filter(stream -> stream.to() == destination)
                        .map(Stream::from)
                        .toList();
        int lengthBytes = sizeBytes - TestFrame.FCS_BYTES;
        long inBytes = 0;
        long inSlots = 0;
        long admitted = 0;
        for (int source : sources) {
            PortConfig port = config.ports().get(source - 1);
            long bytes = port.accountCapBytes() / lengthBytes;
            inBytes += bytes;
            inSlots += port.accountCapSlots();
            admitted += Math.min(bytes, port.accountCapSlots());
        }
        long queued = config.ports().get(destination - 1).queueLimitBytes() / lengthBytes;
        if (queued <= admitted) {
            return new Capacity(queued, Bound.QUEUE_LIMIT);
        }
        return new Capacity(
                admitted, inBytes < inSlots ? Bound.ACCOUNT_BYTES : Bound.ACCOUNT_SLOTS);
    }

    /** Maximum number of frames that wait for all ports of a pattern. */
    static long frames(SwitchConfig config, Pattern pattern, int sizeBytes) {
        return pattern.destinations().stream()
                .mapToLong(to -> at(config, pattern, to, sizeBytes).frames())
                .sum();
    }

    /** The time for which a frame occupies the wire, in ns. */
    static double wireNs(int sizeBytes, long rateBps) {
        return (sizeBytes + WIRE_OVERHEAD_BYTES) * Byte.SIZE * NS_PER_SECOND / rateBps;
    }

    /**
     * The largest burst without loss that each of several ports can send to one port, if {@code
     * drainedFrames} frames leave while it arrives: the switch must hold the rest of the burst.
     */
    static long burstPerPort(long capacityFrames, long drainedFrames, int senders) {
        return (capacityFrames + drainedFrames) / senders;
    }
}
