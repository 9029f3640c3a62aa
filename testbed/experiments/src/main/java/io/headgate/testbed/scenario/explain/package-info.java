/**
 * Why queues of a run in virtual time were paused, and the proof: the run is made again, and once
 * more with one thing changed. One thread a run; looks at the network between two instants and
 * changes nothing.
 */
@NullMarked
package io.headgate.testbed.scenario.explain;

import org.jspecify.annotations.NullMarked;
