package io.headgate.dataplane.escape;

import static io.headgate.config.key.Quantity.DURATION;

import io.headgate.config.key.Checked;
import io.headgate.config.key.Fixed;
import io.headgate.config.key.Key;
import io.headgate.config.key.Known;
import io.headgate.config.key.Named;
import io.headgate.config.key.Otherwise;
import io.headgate.config.key.Place;
import io.headgate.config.key.Quantity;
import io.headgate.config.key.Says;

/**
 * Configuration of Escape at a port (Menikkumbura's dissertation, chapter 4): frames of flows that
 * are blocked behind others leave paused queues in exchange for tokens.
 *
 * @param tokens K of the dissertation: per lossless priority, this port's tokens under way for
 *     frames that stay here, and the same number for frames that pass through
 * @param flows N of the dissertation: flows that the port remembers
 * @param selection how flows share the tokens (section 4.3.3, item 4, which names a scheme by
 *     weight, and does not define a flow's weight)
 * @param periodNs Δesc of the dissertation
 */
@Named(says = "Lets frames that are blocked behind others leave paused queues on an escape path.")
public record EscapeConfig(
        @Key(unit = "tokens", min = "1", max = "64", absent = "4")
                @Says(
                        "Maximum number of escaping frames per lossless priority: in transit to"
                                + " this port, and queued at it. If it is smaller than the number"
                                + " of frames that a link sends in a token's round trip (11 at 40"
                                + " Gb/s and 1.5 us each way), the link waits for tokens.")
                @Fixed("slots for escaping frames are laid out at the start")
                int tokens,
        @Key(unit = "flows", min = "1", max = "1024", example = "16")
                @Says("Number of flows that the port remembers, the most recent ones.")
                @Otherwise("the value of tokens")
                @Fixed("the table is laid out at the start")
                int flows,
        @Key(absent = "turn")
                @Says(
                        "How these flows share the tokens: each gets one in turn (turn), or 1 to 8"
                                + " in turn, in proportion to its recent bytes (weight).")
                Selection selection,
        @Key(quantity = DURATION, min = "100ns", max = "1s", absent = "50us")
                @Says(
                        "Interval at which tokens are sent for flows that may be blocked: about"
                                + " twice the delay of a link.")
                long periodNs,
        @Key(quantity = DURATION, min = "1us", max = "60s", absent = "10ms")
                @Says(
                        "An unused token is taken back after this time without any change. It must"
                                + " be longer than the delay through the network.")
                long reclaimNs,
        @Key(absent = "tag")
                @Says(
                        "Where an escaping frame carries its hops: in a tag after its addresses"
                                + " (tag), or, in RoCEv2 frames, after the UDP header (roce). It"
                                + " must be the same at both ends of a link.")
                @Fixed("received frames are parsed by it from the start")
                Header header,
        @Key(absent = "switch")
                @Says(
                        "The kind of neighbour at the far end of the link: tokens and escaping"
                                + " frames pass between switches, not to or from hosts.")
                @Fixed("received frames are parsed by it from the start")
                Peer peer,
        @Key(unit = "slots", min = "1", max = "65536", absent = "64")
                @Says(
                        "Number of frames per lossless priority that can escape to this port from"
                                + " the far end; it must be enough for all tokens of the other"
                                + " ports.")
                @Fixed("slots are laid out at the start")
                int slots)
        implements Checked {

    /** Maximum number of tokens that a flow gets in its turn. */
    public static final int MOST_TOKENS_IN_TURN = 8;

    /** How flows share tokens. */
    public enum Selection {
        /** A token each, in turn. */
        TURN,
        /** In turn too, in proportion to the flows' recent bytes. */
        WEIGHT
    }

    /** Position of the hops in an escaping frame. */
    public enum Header {
        /** In a tag of its own, behind the addresses and any VLAN tags: in every frame. */
        TAG,
        /** Between UDP and BTH in RoCEv2; other frames have the tag. */
        ROCE
    }

    /** The kind of node at the far end of a link. */
    public enum Peer {
        SWITCH,
        HOST
    }

    static int flows(Known known) {
        return known.count("tokens");
    }

    /**
     * Maximum number of frames of a lossless priority that escape by this port, or to it, at a
     * time.
     */
    public int pools() {
        return 2 * tokens;
    }

    /** A copy for a port with another kind of far end, with slots for its frames. */
    public EscapeConfig at(Peer other, int room) {
        return new EscapeConfig(tokens, flows, selection, periodNs, reclaimNs, header, other, room);
    }

    @Override
    public void check(Known known, Place place) {
        if (reclaimNs < periodNs) {
            place.child("reclaim")
                    .refuse(
                            Quantity.DURATION.format(reclaimNs),
                            "at least the period, which is " + Quantity.DURATION.format(periodNs));
        }
    }
}
