/**
 * Which hosts reach which: pings between all, and for how long a network carries nothing between
 * two, by numbered datagrams that the lab sends, and those that never arrived.
 */
@NullMarked
package io.headgate.testbed.lab.outage;

import org.jspecify.annotations.NullMarked;
