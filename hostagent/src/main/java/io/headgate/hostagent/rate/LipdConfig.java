package io.headgate.hostagent.rate;

import io.headgate.config.key.Key;
import io.headgate.config.key.Named;
import io.headgate.config.key.Says;

/** The parameters of a rate that is set by the delay between packets. */
@Named(
        says =
                "A window of one packet, and a delay between packets that grows by a packet's time"
                        + " with each mark (LIPD: Santos, Turner and Janakiraman, HPL-2002-4).")
public record LipdConfig(
        @Key(min = "2", max = "65536", absent = "256")
                @Says(
                        "Maximum delay between packets, in packet times at the line rate: the"
                                + " minimum rate is the line rate divided by this.")
                int most) {}
