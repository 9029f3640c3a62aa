/**
 * Hooks of the test bed at one end of a link, both link mechanisms of the engine, so that both beds
 * have them: a generator of pauses that nothing asked for, and a port that keeps frames from
 * leaving. Owned by the halves of their port, bounded by their configuration. What they are for:
 * the published plans by which switches are tested (SONiC's, DPDK's, Windows HLK's).
 */
@NullMarked
package io.headgate.testbed.hook;

import org.jspecify.annotations.NullMarked;
