/**
 * The bed of real frames: runs an experiment of a scenario with switches and hosts' cards in
 * network namespaces, or with a tester's cards around an external switch.
 */
@NullMarked
package io.headgate.testbed.netns.bed;

import org.jspecify.annotations.NullMarked;
