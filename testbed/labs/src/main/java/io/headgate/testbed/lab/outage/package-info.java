/**
 * Measures which hosts reach each other: pings between all hosts, and the times for which a network
 * carries nothing between two hosts, from numbered datagrams that the lab sends and that never
 * arrive.
 */
@NullMarked
package io.headgate.testbed.lab.outage;

import org.jspecify.annotations.NullMarked;
