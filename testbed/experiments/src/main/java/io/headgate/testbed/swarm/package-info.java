/**
 * Experiments drawn at random, each from one seed: network, configuration, traffic and faults. Each
 * runs in virtual time with every invariant checked after every instant; then the final conditions
 * are checked; then it runs again and must give the same results. A failing experiment is made
 * smaller while it still fails, and reported as one sentence and one command. A run belongs to one
 * thread; runs share nothing.
 *
 * <p>{@code draw} defines the cases, {@code check} their checks; this package runs the cases, makes
 * them smaller and counts them. Bounded by the maximum number of instants of a run, and of trials
 * to make a case smaller.
 */
@NullMarked
package io.headgate.testbed.swarm;

import org.jspecify.annotations.NullMarked;
