/**
 * What the swarm's cases are and how they are drawn: network, configuration, traffic and faults,
 * all from one seed. Each purpose has a generator of its own, so that more draws for one purpose do
 * not shift another's.
 *
 * <p>Cases are values and run nothing; a drawer belongs to the thread that draws. A case is small:
 * at most 6 switches in addition to those of the builders, a few hosts, and as many frames as a
 * budget allows.
 */
@NullMarked
package io.headgate.testbed.swarm.draw;

import org.jspecify.annotations.NullMarked;
