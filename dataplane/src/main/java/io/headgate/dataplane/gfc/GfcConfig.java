package io.headgate.dataplane.gfc;

import static io.headgate.config.key.Quantity.DURATION;
import static io.headgate.config.key.Quantity.SIZE;

import io.headgate.config.FlowControlConfig.Buffers;
import io.headgate.config.FlowControlConfig.Link;
import io.headgate.config.Headroom;
import io.headgate.config.key.Checked;
import io.headgate.config.key.Key;
import io.headgate.config.key.Known;
import io.headgate.config.key.Named;
import io.headgate.config.key.Otherwise;
import io.headgate.config.key.Place;
import io.headgate.config.key.Quantity;
import io.headgate.config.key.Says;
import io.headgate.dataplane.queue.Pacer;

/**
 * Configuration of gentle flow control at a port, in the paper's symbols. The paper simulates links
 * of 10 Gb/s with a B<sub>m</sub> of 300 kB, a B<sub>1</sub> of 281 kB, a B<sub>0</sub> of 159 kB
 * and a T of 52.4 us. τ is the time from a change at the receiving end until its arrivals have
 * changed; the port's headroom is computed from it: {@link Headroom#bytes} is C τ.
 *
 * @param mostBytes B<sub>m</sub>: a priority that holds this gets the minimum rate
 * @param firstStageBytes B<sub>1</sub>, at which the buffer-based form halves the rate
 * @param stages N, of the buffer-based form
 * @param lineBytes B<sub>0</sub>, up to which the time-based form asks for the line's rate
 * @param periodNs T
 */
@Named(
        says =
                "Asks the far end for a rate that falls as the buffer of a priority fills (gentle"
                        + " flow control, SIGCOMM 2019).")
public record GfcConfig(
        @Key(absent = "buffer")
                @Says(
                        "buffer: a report is sent to the far end when the buffered data enters"
                                + " another stage; each stage has half the rate of the previous"
                                + " one. time: a report of the buffered data is sent once per"
                                + " period, and the rate falls in proportion. It must be the same"
                                + " at both ends of a link.")
                Form form,
        @Key(name = "bm", quantity = SIZE, min = "2kB", max = "1GB", example = "300kB")
                @Says(
                        "At this amount of buffered data the far end sends a priority at the"
                                + " minimum rate. There must be room for the frames that still"
                                + " arrive; with flow-control: pfc and a larger xoff they are"
                                + " paused.")
                @Otherwise("xoff, if pauses have a static one; otherwise 300kB, as published")
                long mostBytes,
        @Key(name = "bm-slots", unit = "slots", min = "2", max = "1048576", example = "1000")
                @Says(
                        "The same amount in slots, for short frames: a slot counts as its share of"
                                + " bm.")
                @Otherwise(
                        "xoff-slots, if pauses have static ones; otherwise computed like"
                                + " xoff-slots")
                int mostSlots,
        @Key(name = "b1", quantity = SIZE, min = "1kB", max = "1GB", example = "281kB")
                @Says("With buffer: from this amount on, the rate is half of the line rate.")
                @Otherwise(
                        "bm minus twice the data that can arrive by rate, MTU and link, as"
                                + " published; half of bm if that is more")
                long firstStageBytes,
        @Key(unit = "stages", min = "1", max = "20", example = "13")
                @Says(
                        "With buffer: number of stages; each one begins at half of the remaining"
                                + " amount up to bm and has half the rate.")
                @Otherwise("the number of stages down to 1 Mb/s, the minimum rate of a port")
                int stages,
        @Key(name = "b0", quantity = SIZE, min = "1kB", max = "1GB", example = "159kB")
                @Says("With time: up to this amount, the rate is the line rate.")
                @Otherwise(
                        "bm minus the published value: (root of the data that can arrive by rate,"
                                + " MTU and link, plus root of the data of a period) squared; a"
                                + " quarter of bm if that is more")
                long lineBytes,
        @Key(quantity = DURATION, min = "1us", max = "1s", example = "52400ns")
                @Says(
                        "Interval of reports; with buffer, of their repetitions, in case a frame"
                                + " was damaged. A report that is not repeated for four periods"
                                + " expires.")
                @Otherwise("the time of 65.5 kB on the line: the published 52.4 us at 10 Gb/s")
                long periodNs)
        implements Checked {

    /** The form in which a port reports its held bytes to the far end. */
    public enum Form {
        /** At each change of stage: section 5 of the paper, with frames like those of PFC. */
        BUFFER,
        /** In every period: the same section, with frames like those of credits. */
        TIME
    }

    static final int MOST_STAGES = 20;

    /** Upper limit of B<sub>m</sub>. */
    static final long MOST_HELD_BYTES = 1_000_000_000;

    private static final long PUBLISHED_MOST_BYTES = 300_000;
    private static final long PERIOD_BITS = 524_000;
    private static final long LEAST_PERIOD_NS = 1_000;
    private static final long MOST_PERIOD_NS = 1_000_000_000;
    private static final double NS_PER_S = 1e9;
    private static final int SLOTS_A_FRAME = 4;
    private static final int OVERHEAD_BYTES = 46;

    private static boolean hasXoff(Known known) {
        return known.has("buffers") && !known.get("buffers", Buffers.class).isDynamic();
    }

    static long mostBytes(Known known) {
        return hasXoff(known)
                ? Math.max(2_000, known.get("buffers", Buffers.class).xoffBytes())
                : PUBLISHED_MOST_BYTES;
    }

    static int mostSlots(Known known) {
        long slots =
                hasXoff(known)
                        ? known.get("buffers", Buffers.class).xoffSlots()
                        : SLOTS_A_FRAME
                                * known.number("bm")
                                / (known.count("mtu") + OVERHEAD_BYTES);
        return Math.clamp(slots, 2, 1 << 20);
    }

    private static double arrivingBytes(Known known) {
        return new Headroom(known.number("rate"), known.count("mtu"), known.get("link", Link.class))
                .bytes();
    }

    static long firstStageBytes(Known known) {
        long most = known.number("bm");
        return Math.max(most / 2, most - Math.round(2 * arrivingBytes(known)));
    }

    static int stages(Known known) {
        long times = known.number("rate") / Pacer.MIN_RATE_BPS;
        return Math.clamp(63 - Long.numberOfLeadingZeros(Math.max(1, times)), 1, MOST_STAGES);
    }

    static long lineBytes(Known known) {
        long most = known.number("bm");
        double inPeriod = known.number("rate") * (known.number("period") / NS_PER_S) / Byte.SIZE;
        double roots = Math.sqrt(arrivingBytes(known)) + Math.sqrt(inPeriod);
        return Math.max(most / 4, most - Math.round(roots * roots));
    }

    static long periodNs(Known known) {
        long exact = Math.round(PERIOD_BITS * NS_PER_S / known.number("rate"));
        return Math.clamp(exact, LEAST_PERIOD_NS, MOST_PERIOD_NS);
    }

    @Override
    public void check(Known known, Place place) {
        checkBelow(place, "b1", firstStageBytes);
        checkBelow(place, "b0", lineBytes);
    }

    private void checkBelow(Place place, String key, long bytes) {
        if (bytes >= mostBytes) {
            place.child(key)
                    .refuse(
                            Quantity.SIZE.format(bytes),
                            "less than bm, which is " + Quantity.SIZE.format(mostBytes));
        }
    }
}
