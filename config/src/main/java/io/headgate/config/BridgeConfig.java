package io.headgate.config;

import static io.headgate.config.key.Quantity.DURATION;
import static io.headgate.config.key.Quantity.FREQUENCY;

import io.headgate.config.key.Allowed;
import io.headgate.config.key.Fixed;
import io.headgate.config.key.Items;
import io.headgate.config.key.Key;
import io.headgate.config.key.Says;
import java.util.List;

/** The configuration of a bridging switch: how it learns and floods. */
@Withers
public record BridgeConfig(
        @Key(quantity = DURATION, min = "1s", max = "1000000s", absent = "300s")
                @Says(
                        "A learned address is forgotten after this long without a frame from"
                                + " it (IEEE 802.1Q).")
                long ageingNs,
        @Key(unit = "addresses", min = "16", max = "1048576", absent = "16384")
                @Says("Maximum number of learned addresses.")
                @Fixed("the table is laid out at the start")
                int fdbEntries,
        @Key(
                        name = "flood-limit",
                        quantity = FREQUENCY,
                        unit = "frames a second",
                        min = "0/s",
                        max = "100M/s",
                        absent = "10k/s")
                @Says(
                        "Maximum rate of flooded frames (unknown, broadcast and multicast"
                                + " destinations) per ingress port. 0/s: no flooding, which is"
                                + " required where bridges form a loop.")
                long floodFramesPerSec,
        @Key(
                        quantity = FREQUENCY,
                        unit = "moves a second",
                        min = "1/s",
                        max = "1M/s",
                        absent = "5/s")
                @Says(
                        "An address that moves between ports more often than this stays at its"
                                + " current port.")
                int moveLimitPerSec,
        @Key(name = "static")
                @Says("Static addresses: never learned, moved or aged out.")
                @Allowed(
                        "a list of at most 65536 entries, such as [{mac:"
                                + " \"02:00:00:00:00:01\", port: p1}]")
                @Fixed("the table is filled at the start")
                @Items(
                        max = 65_536,
                        each =
                                "a mapping with mac, port and vlan, such as {mac:"
                                        + " \"02:00:00:00:00:01\", port: p1}")
                List<StaticEntry> staticEntries)
        implements BridgeConfigBuilder.With {

    public BridgeConfig {
        staticEntries = List.copyOf(staticEntries);
    }

    /** An address that is never learned, moved or forgotten. {@code mac}: the low 48 bits. */
    public record StaticEntry(
            @Key(codec = Addresses.Mac.class)
                    @Says("A unicast MAC address.")
                    @Allowed(Addresses.MAC_ALLOWED)
                    long mac,
            @Key(min = "1", max = "4094", absent = "1")
                    @Says("The VLAN of the address; the port must carry this VLAN.")
                    @Allowed("a VLAN from 1 to 4094, such as 10")
                    int vlan,
            @Key(pattern = PortConfig.NAME_PATTERN)
                    @Says("The name of the port that leads to the address.")
                    @Allowed(PortConfig.NAME_ALLOWED)
                    String port) {}
}
