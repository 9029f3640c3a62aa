/**
 * Counters in a block of shared memory: written by the one duty that owns each block, read by
 * anyone a moment stale, without touching the data path. The memory may be a mapped file.
 */
@NullMarked
package io.headgate.dataplane.counter;

import org.jspecify.annotations.NullMarked;
