/**
 * Explains why queues of a run in virtual time were paused, and proves it: the run is repeated, and
 * once more with one change. One thread per run; it reads the network between two instants and
 * changes nothing.
 */
@NullMarked
package io.headgate.testbed.scenario.explain;

import org.jspecify.annotations.NullMarked;
