package io.headgate.config;

import java.util.List;

/**
 * How a bridging switch learns and floods.
 *
 * @param ageingNs a learned address is forgotten after this long without a frame from it (IEEE
 *     802.1Q default: 300 s)
 * @param fdbEntries most addresses learned, 16 to 1,048,576
 * @param floodFramesPerSec most frames flooded per ingress port and second; 0: none is flooded, as
 *     it must be where bridges form a loop
 * @param moveLimitPerSec an address that moves between ports more often is held where it is
 */
public record BridgeConfig(
        long ageingNs,
        int fdbEntries,
        long floodFramesPerSec,
        int moveLimitPerSec,
        List<StaticEntry> staticEntries) {

    public BridgeConfig {
        staticEntries = List.copyOf(staticEntries);
    }

    /** An address that is never learned, moved or forgotten. {@code mac}: the low 48 bits. */
    public record StaticEntry(long mac, int vlan, String port) {}
}
