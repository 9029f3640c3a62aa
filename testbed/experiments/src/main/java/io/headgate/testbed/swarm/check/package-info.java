/**
 * A case of the swarm as a network that runs, and what must hold of it: frames are conserved, flows
 * stay in order, lossless priorities lose nothing where that is promised, both ends of a link
 * classify alike, and all comes to rest. A check that fails says so in one sentence ({@link
 * io.headgate.testbed.swarm.check.BrokenException}).
 *
 * <p>Looks and changes nothing; owned by the thread of the run. Counters are kept per port and
 * priority, whatever is sent.
 */
@NullMarked
package io.headgate.testbed.swarm.check;

import org.jspecify.annotations.NullMarked;
