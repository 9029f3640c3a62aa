/**
 * A switch's counters for tools: the mapped file, which the workers write and anyone may read, and
 * copies of it taken at one moment. Reading touches no thread of the data path.
 */
@NullMarked
package io.headgate.control.counters;

import org.jspecify.annotations.NullMarked;
