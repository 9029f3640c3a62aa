package io.headgate.config;

import io.headgate.config.key.Quantity;
import java.util.Locale;

/**
 * What can still arrive at a port after it found that its sender must stop: the room that must be
 * free above the threshold. The worst case of IEEE 802.1Q annex N (buffer requirements for
 * priority-based flow control), which Zhang et al. (TCD, SIGCOMM 2021, section 4.3) use too, with
 * this machine's own reaction time added to it. In order:
 *
 * <ol>
 *   <li>the frame that crosses the threshold, which was not yet counted when it came;
 *   <li>what arrives until this port has noticed and its pause is ready: own reaction;
 *   <li>a frame of ours that has just started, and which the pause waits for; the pause itself;
 *   <li>the way there and the way back: twice the delay;
 *   <li>what the sender takes to obey: peer reaction;
 *   <li>a frame of the sender's that has just started.
 * </ol>
 *
 * <p>Everything is counted as the wire counts it, with preamble and gap, so in bytes the result is
 * a little more than what is stored. In slots the worst case is that all of it comes as frames of
 * the least size.
 *
 * @param rateBps the link's rate, in bits per second
 * @param mtuBytes the largest payload, in bytes
 * @param link delay and reactions, in ns
 */
public record Headroom(long rateBps, int mtuBytes, FlowControlConfig.Link link) {
    /** What the shortest frame takes of the wire: 60 bytes, FCS, preamble and gap. */
    public static final int MIN_WIRE_BYTES = 60 + 24;

    private static final int WIRE_OVERHEAD_BYTES = 24;
    private static final long NS_PER_S = 1_000_000_000L;

    /** Bytes that a link brings in a time, rounded up; beyond hours, to what a double holds. */
    public static long arrivingBytes(long rateBps, long timeNs) {
        long bitsPerByte = 8 * NS_PER_S;
        if (Math.multiplyHigh(rateBps, timeNs) == 0 && rateBps * timeNs > 0) {
            return Math.ceilDiv(rateBps * timeNs, bitsPerByte);
        }
        return (long) Math.ceil((double) rateBps * timeNs / bitsPerByte);
    }

    /** What the largest frame takes of the wire. */
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

    /** The working, a line for each term and one for each result. */
    public String explain() {
        StringBuilder text = new StringBuilder();
        line(text, maxWireBytes(), "the frame that crosses the threshold");
        term(text, link.ownReactionNs(), "own reaction of %s at %s");
        line(text, maxWireBytes(), "a frame of ours that the pause waits for");
        line(text, MIN_WIRE_BYTES, "the pause itself");
        term(text, 2 * link.delayNs(), "there and back, %s at %s");
        term(text, link.peerReactionNs(), "reaction of the peer of %s at %s");
        line(text, maxWireBytes(), "a frame that the peer has just started");
        line(text, bytes(), "headroom");
        text.append(
                String.format(
                        Locale.ROOT,
                        "%,13d slots, were all of it frames of 60 bytes (%d on the wire)%n",
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
