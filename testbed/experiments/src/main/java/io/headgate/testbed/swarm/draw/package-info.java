/**
 * The swarm's cases, and how they are drawn: network, configuration, traffic and faults, all from
 * one seed. Each purpose has its own generator, so that more draws for one purpose do not shift
 * those of another.
 *
 * <p>Cases are values without behaviour; a drawer belongs to the thread that draws. A case is
 * small: at most 6 switches in addition to those of the builders, a few hosts, and a bounded number
 * of frames.
 */
@NullMarked
package io.headgate.testbed.swarm.draw;

import org.jspecify.annotations.NullMarked;
