/**
 * The bed of real frames: an experiment of a scenario, run by switches and hosts' cards between
 * network namespaces, or by a tester's cards around a switch that is not ours.
 */
@NullMarked
package io.headgate.testbed.netns.bed;

import org.jspecify.annotations.NullMarked;
