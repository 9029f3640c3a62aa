/**
 * Counters in a block of shared memory: written by the one duty that owns each block; any thread or
 * process may read slightly old values, without an effect on the data path. The memory may be a
 * mapped file.
 */
@NullMarked
package io.headgate.dataplane.counter;

import org.jspecify.annotations.NullMarked;
