package io.headgate.hostagent.rate.infiniband;

import io.headgate.config.key.Checked;
import io.headgate.config.key.Key;
import io.headgate.config.key.Known;
import io.headgate.config.key.Named;
import io.headgate.config.key.Place;
import io.headgate.config.key.Quantity;
import io.headgate.config.key.Says;

/** The CA congestion setting of a service level; see {@link IbCcRate}. */
@Named(
        says =
                "A delay between packets, taken from a table whose index each BECN raises and a"
                        + " timer lowers (InfiniBand architecture, annex A10). Ports mark with"
                        + " congestion: {fecn: {}}.")
public record IbCcConfig(
        @Key(absent = "acknowledgement")
                @Says(
                        "How a receiver reports FECN: by BECN in the packet's acknowledgement, or"
                                + " by a separate packet (CNP).")
                Becn becn,
        @Key(name = "ccti-increase", min = "1", max = "255", absent = "1")
                @Says("CCTI_Increase: the increase of the index per BECN.")
                int increase,
        @Key(name = "ccti-limit", min = "1", max = "16383", absent = "127")
                @Says("CCTI_Limit: the largest index, and the table's last entry.")
                int limit,
        @Key(name = "ccti-min", min = "0", max = "16383", absent = "0")
                @Says("CCTI_Min: the smallest index, also of a flow that never received a BECN.")
                int min,
        @Key(
                        name = "ccti-timer",
                        quantity = Quantity.DURATION,
                        min = "1024ns",
                        max = "10s",
                        absent = "153600ns")
                @Says(
                        "CCTI_Timer: the index falls by 1 every time this timer expires; 150 units"
                                + " of 1.024 us.")
                long timerNs,
        @Key(absent = "linear")
                @Says(
                        "The congestion control table: multipliers that grow by step from entry to"
                                + " entry (linear), or the table of the library PSM (psm), in"
                                + " groups of four entries with 1 to 1 / 8 of whole packet times.")
                Table table,
        @Key(min = "1", max = "128", absent = "1")
                @Says("For a linear table: the increase of the multiplier from entry to entry.")
                int step,
        @Key(min = "0", max = "3", absent = "0")
                @Says(
                        "For a linear table: the delay is the packet's time divided by 2^shift,"
                                + " times the multiplier.")
                int shift)
        implements Checked {

    /** The way in which a receiver reports FECN. */
    public enum Becn {
        ACKNOWLEDGEMENT,
        PACKET
    }

    /** The content of the table. */
    public enum Table {
        LINEAR,
        PSM
    }

    @Override
    public void check(Known known, Place place) {
        if (min > limit) {
            place.child("ccti-min").refuse(String.valueOf(min), "at most ccti-limit, " + limit);
        }
    }

    /** An entry of the table: two bits of shift, fourteen of multiplier. */
    int entry(int index) {
        if (index == 0) {
            return 0;
        }
        if (table == Table.LINEAR) {
            return shift << IbCcRate.SHIFT_BIT | Math.min(step * index, IbCcRate.MOST_MULTIPLIER);
        }
        int inGroup = (index - 1) % IbCcRate.GROUP;
        int group = (index - 1) / IbCcRate.GROUP + 1;
        return (IbCcRate.GROUP - 1 - inGroup) << IbCcRate.SHIFT_BIT
                | Math.min(group, IbCcRate.MOST_MULTIPLIER);
    }
}
