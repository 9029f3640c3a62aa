/**
 * Experiments drawn at random, each from one seed: network, configuration, traffic and faults. Each
 * runs in virtual time with every invariant checked after every instant, then what must hold at the
 * end is looked at, then it is run again and must be the same. One that fails is made smaller while
 * it still fails, and told as one sentence and one command. A run belongs to one thread; runs share
 * nothing.
 *
 * <p>{@code draw} has what cases are, {@code check} what must hold of them; here they are run, made
 * smaller, and counted. Bounded by the instants that a run may have, and by the trials of making a
 * case smaller.
 */
@NullMarked
package io.headgate.testbed.swarm;

import org.jspecify.annotations.NullMarked;
