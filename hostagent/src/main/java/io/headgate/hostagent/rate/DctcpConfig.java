package io.headgate.hostagent.rate;

import io.headgate.config.key.Key;
import io.headgate.config.key.Named;
import io.headgate.config.key.Says;

/** The parameters of a window that follows the share of marked frames. */
@Named(
        says =
                "A window that shrinks by the share of frames that were marked (Alizadeh et al.,"
                        + " \"Data Center TCP\", SIGCOMM 2010).")
public record DctcpConfig(
        @Key(min = "0.001", max = "1", absent = "0.0625")
                @Says(
                        "Weight of the last window's share of marked bytes in the average by which"
                                + " the window shrinks (g in the paper).")
                double gain,
        @Key(unit = "frames", min = "2", max = "1000000", absent = "10")
                @Says("The window that a flow begins with.")
                int initialWindow) {}
