package example;

import io.headgate.config.key.Key;
import io.headgate.config.key.Named;
import io.headgate.config.key.Says;

/** How many ports may write into a frame, and what. */
@Named(
        value = "stamps",
        says =
                "Writes a queue, of the port by which a packet came or its own, and the time into RoCEv2.")
public record StampsConfig(
        @Key(min = "1", max = "8", absent = "5")
                @Says("Most ports that write into a frame; those behind them leave it as it is.")
                int hops,
        @Key(absent = "false")
                @Says(
                        "Whether it is the port's own queue, not that of the port by which frames came.")
                boolean own) {}
