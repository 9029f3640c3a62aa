/**
 * Test hooks at one end of a link: a generator of unsolicited pause frames, and a hold that keeps
 * frames in their port. Both are link mechanisms of the engine, so both beds have them. Their
 * port's halves own them; their configuration bounds them. The published test plans for switches
 * (SONiC's, DPDK's, Windows HLK's) need them.
 */
@NullMarked
package io.headgate.testbed.hook;

import org.jspecify.annotations.NullMarked;
