package io.headgate.config;

import io.headgate.config.key.Quantity;
import java.util.Locale;
import java.util.Optional;

/**
 * Computes whether credits let a lossless priority fill its link. The credits of a frame return to
 * its sender after a round trip, so a sender can send at most what is granted in each round trip.
 *
 * @param rateBps the link's rate, in bits per second
 * @param mtuBytes the largest payload in bytes, with the bytes that mechanisms add
 * @param link delay and reactions, in ns
 */
public record CreditRoundTrip(
        long rateBps,
        int mtuBytes,
        FlowControlConfig.Link link,
        FlowControlConfig.Credits credits) {
    /** Maximum number of blocks that are granted at a time. */
    private static final int MOST_BLOCKS = 2048;

    private static final int MOST_SCALE = 7;
    private static final int LEAST_BLOCK_BYTES = 64;
    private static final double NS_PER_S = 1e9;

    /** The round trip of a port's link; empty if the port has no credits. */
    public static Optional<CreditRoundTrip> of(PortConfig port) {
        FlowControlConfig.Credits credits = port.flowControl().credits();
        return credits == null
                ? Optional.empty()
                : Optional.of(
                        new CreditRoundTrip(
                                port.rateBps(),
                                port.countedPayloadBytes(),
                                port.flowControl().link(),
                                credits));
    }

    /** Bytes that the peer may have under way. */
    public long grantedBytes() {
        long blocks =
                Math.min(
                        Math.min(credits.bufferBytes() / credits.blockBytes(), MOST_BLOCKS),
                        credits.bufferSlots());
        return blocks * credits.blockBytes();
    }

    /**
     * The maximum rate at which a lossless priority can receive, in bits per second, as limited by
     * delays alone.
     */
    public long mostBps() {
        long roundTripNs = 2 * link.delayNs();
        double bps = roundTripNs == 0 ? rateBps : grantedBytes() * 8 * NS_PER_S / roundTripNs;
        return (long) Math.min((double) rateBps, bps);
    }

    /** Bytes that fill the link during a round trip, with everything that may take time in it. */
    public long neededBytes() {
        FlowControlConfig.Credits.Update update = credits.update();
        long gapNs =
                update == FlowControlConfig.Credits.Update.PERIODIC
                        ? credits.periodNs()
                        : credits.minGapNs();
        long frames = 2L * new Headroom(rateBps, mtuBytes, link).maxWireBytes();
        return frames
                + Headroom.arrivingBytes(
                        rateBps,
                        2 * link.delayNs() + link.ownReactionNs() + link.peerReactionNs() + gapNs);
    }

    /** A warning for a person; empty if the delays alone allow a full link. */
    public String warning() {
        if (mostBps() >= rateBps) {
            return "";
        }
        return String.format(
                Locale.ROOT,
                "its credits cover %s at a time; with a delay of %s, a lossless priority receives"
                        + " at most %s of %s; %s",
                Quantity.SIZE.format(grantedBytes()),
                Quantity.DURATION.format(link.delayNs()),
                gigabits(mostBps()),
                gigabits(rateBps),
                remedy());
    }

    private String remedy() {
        long needed = neededBytes();
        for (int scale = credits.blockScale(); scale <= MOST_SCALE; scale++) {
            long blockBytes = (long) LEAST_BLOCK_BYTES << scale;
            if (needed <= MOST_BLOCKS * blockBytes) {
                long bytes = Math.ceilDiv(needed, blockBytes) * blockBytes;
                // Slots follow from the buffer, unless a file has said fewer.
                boolean isShort =
                        credits.bufferSlots() < credits.bufferBytes() / credits.blockBytes();
                return "credits: {buffer: %s, block-scale: %d%s} at both ends would be enough"
                        .formatted(
                                Quantity.SIZE.format(bytes),
                                scale,
                                isShort ? ", buffer-slots: " + bytes / blockBytes : "");
            }
        }
        return "no credit size is large enough: the maximum, with block-scale: 7, is "
                + Quantity.SIZE.format(((long) MOST_BLOCKS * LEAST_BLOCK_BYTES) << MOST_SCALE);
    }

    private static String gigabits(long bps) {
        return String.format(Locale.ROOT, "%.1f Gb/s", bps / 1e9);
    }
}
