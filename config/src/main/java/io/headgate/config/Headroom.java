package io.headgate.config;

import io.headgate.config.key.Quantity;
import java.util.Locale;

/**
 * The headroom of a port: what can still arrive after the port has found that its sender must stop,
 * and must have room above the threshold. It is the worst case of IEEE 802.1Q annex N (buffer
 * requirements for priority-based flow control), which Zhang et al. (TCD, SIGCOMM 2021, section
 * 4.3) use too, plus this machine's own reaction time. In order:
 *
 * <ol>
 *   <li>the frame that crosses the threshold, which was not yet counted when it came;
 *   <li>what arrives until this port has noticed and its pause is ready: own reaction;
 *   <li>a frame of ours that has just started, for which the pause waits; the pause itself;
 *   <li>the way there and the way back: twice the delay;
 *   <li>the time that the sender takes to obey: peer reaction;
 *   <li>a frame that the sender has just started.
 * </ol>
 *
 * <p>Everything is counted as on the wire, with preamble and gap, so the result in bytes is a
 * little more than what is stored. In slots, the worst case is that all of it arrives as frames of
 * the smallest size.
 *
 * @param rateBps the link's rate, in bits per second
 * @param mtuBytes the largest payload, in bytes
 * @param link delay and reactions, in ns
 */
public record Headroom(long rateBps, int mtuBytes, FlowControlConfig.Link link) {
    /** Wire length of the shortest frame: 60 bytes, FCS, preamble and gap. */
    public static final int MIN_WIRE_BYTES = 60 + 24;

    private static final int WIRE_OVERHEAD_BYTES = 24;
    private static final long NS_PER_S = 1_000_000_000L;

    /**
     * Bytes that arrive over a link in a given time, rounded up; for more than hours, with the
     * precision of a double.
     */
    public static long arrivingBytes(long rateBps, long timeNs) {
        long bitsPerByte = 8 * NS_PER_S;
        if (Math.multiplyHigh(rateBps, timeNs) == 0 && rateBps * timeNs > 0) {
            return Math.ceilDiv(rateBps * timeNs, bitsPerByte);
        }
        return (long) Math.ceil((double) rateBps * timeNs / bitsPerByte);
    }

    /** Wire length of the largest frame. */
    public int maxWireBytes() {
        return mtuBytes + ConfigDefaults.OVERHEAD_BYTES + WIRE_OVERHEAD_BYTES;
    }

    /** Bytes needed above the threshold. */
    public long bytes() {
        return 3L * maxWireBytes()
                + MIN_WIRE_BYTES
                + arrivingBytes(rateBps, link.ownReactionNs())
                + arrivingBytes(rateBps, 2 * link.delayNs())
                + arrivingBytes(rateBps, link.peerReactionNs());
    }

    /** Slots needed above the threshold. */
    public int slots() {
        return Math.clamp(Math.ceilDiv(bytes(), MIN_WIRE_BYTES), 0, Integer.MAX_VALUE);
    }

    /** The calculation, with one line per term and one per result. */
    public String explain() {
        StringBuilder text = new StringBuilder();
        line(text, maxWireBytes(), "the frame that crosses the threshold");
        term(text, link.ownReactionNs(), "own reaction of %s at %s");
        line(text, maxWireBytes(), "an own frame that delays the pause");
        line(text, MIN_WIRE_BYTES, "the pause itself");
        term(text, 2 * link.delayNs(), "link delay in both directions, %s at %s");
        term(text, link.peerReactionNs(), "the peer's reaction of %s at %s");
        line(text, maxWireBytes(), "a frame that the peer has just started");
        line(text, bytes(), "headroom");
        text.append(
                String.format(
                        Locale.ROOT,
                        "%,13d slots, if all frames have 60 bytes (%d on the wire)%n",
                        slots(),
                        MIN_WIRE_BYTES));
        return text.toString();
    }

    private void term(StringBuilder text, long timeNs, String what) {
        String time = Quantity.DURATION.about(timeNs);
        String rate = Quantity.RATE.about(rateBps);
        line(text, arrivingBytes(rateBps, timeNs), String.format(Locale.ROOT, what, time, rate));
    }

    private static void line(StringBuilder text, long bytes, String what) {
        text.append(String.format(Locale.ROOT, "%,13d bytes  %s%n", bytes, what));
    }
}
