package io.headgate.testbed.lab.outage;

import java.util.BitSet;

/**
 * The event that routers received routes which fit the links.
 *
 * @param down numbers of the links that are down
 * @param noticedNs when it was seen that these and no others are down
 * @param inPlaceNs when the last router had its routes
 */
public record Reroute(BitSet down, long noticedNs, long inPlaceNs) {}
