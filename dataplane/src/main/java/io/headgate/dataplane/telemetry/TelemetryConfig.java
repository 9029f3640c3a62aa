package io.headgate.dataplane.telemetry;

import io.headgate.config.key.Checked;
import io.headgate.config.key.Fixed;
import io.headgate.config.key.Key;
import io.headgate.config.key.Known;
import io.headgate.config.key.Named;
import io.headgate.config.key.Place;
import io.headgate.config.key.Quantity;
import io.headgate.config.key.Says;

/**
 * Configuration of in-band telemetry at a port: the encoding, the source, and the node that removes
 * it.
 */
@Named(
        says =
                "Writes into packets of RoCEv2 what waits at the ports on their way, when they left"
                        + " and what was sent before (INT-MD v2.1, IOAM of RFC 9197, HPCC's form); hosts'"
                        + " cards take it off.")
public record TelemetryConfig(
        @Key(absent = "int-md")
                @Fixed(FOLLOW)
                @Says(
                        "The form on the wire: INT-MD v2.1 (int-md), IOAM in packets of IPv6"
                                + " (ioam), or the one of HPCC's simulation (hpcc), for links of"
                                + " 25, 50, 100, 200 and 400 Gb/s.")
                Encoding encoding,
        @Key(min = "1", max = "15", absent = "5")
                @Fixed(FOLLOW)
                @Says("Most ports that write into a packet; 7 with ioam, 5 with hpcc.")
                int hops,
        @Key(absent = "host")
                @Says(
                        "Who begins it: the card of the host that sends (host), or the first port"
                                + " of a switch that a packet comes to (switch).")
                Source source,
        @Key(absent = "data")
                @Says("Which packets of RoCEv2 get it: requests (data), or answers too (all).")
                Packets packets,
        @Key(min = "0", max = "16777215", absent = "0")
                @Says(
                        "The number by which records name this switch; 0: one that follows from its"
                                + " name.")
                int node,
        @Key(name = "last", absent = "false")
                @Fixed(FOLLOW)
                @Says(
                        "Packets leave by this port as they were sent: it is the last one on their"
                                + " way, and the host has no sink.")
                boolean isLast,
        @Key(absent = "false")
                @Fixed(FOLLOW)
                @Says(
                        "Packets do not become longer than the MTU: what a port does not write for"
                                + " that is said in them (M). Otherwise they may be longer by all"
                                + " that ports write.")
                boolean withinMtu)
        implements Checked {
    @SuppressWarnings("UnusedVariable") // in annotations above
    private static final String FOLLOW = "lengths, memory and sinks follow from it";

    /** Encodings on the wire. */
    public enum Encoding {
        INT_MD,
        IOAM,
        HPCC
    }

    /** The nodes at which telemetry begins. */
    public enum Source {
        HOST,
        SWITCH
    }

    /** The packets that carry telemetry. */
    public enum Packets {
        DATA,
        ALL
    }

    HopEncoding form() {
        return switch (encoding) {
            case INT_MD -> new IntMd();
            case IOAM -> new Ioam();
            case HPCC -> new HpccInt();
        };
    }

    int growsBytes() {
        return withinMtu ? 0 : form().growsBytes(hops);
    }

    @Override
    public void check(Known known, Place place) {
        if (hops > form().mostHops()) {
            place.child("hops")
                    .refuse(
                            Integer.toString(hops),
                            "at most " + form().mostHops() + " with this encoding");
        }
        long rateBps = known.number("rate");
        if (encoding == Encoding.HPCC && !HpccInt.hasRate(rateBps)) {
            place.child("encoding")
                    .refuse(
                            "hpcc at " + Quantity.RATE.format(rateBps),
                            "hpcc at 25, 50, 100, 200 or 400 Gb/s, int-md or ioam");
        }
    }
}
