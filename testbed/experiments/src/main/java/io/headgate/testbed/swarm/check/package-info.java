/**
 * A case of the swarm as a running network, and the checks on it: frames are conserved, flows stay
 * in order, lossless priorities lose no frame if that is promised, both ends of a link classify
 * alike, and the network comes to rest. A check that fails reports it in one sentence ({@link
 * io.headgate.testbed.swarm.check.BrokenException}).
 *
 * <p>Checks change nothing; the thread of the run owns them. Counters are kept per port and
 * priority, for all traffic.
 */
@NullMarked
package io.headgate.testbed.swarm.check;

import org.jspecify.annotations.NullMarked;
