/**
 * What two threads share without locks: words of which the latest value counts, the places of the
 * two ends of a ring, and a ring of records. Each has one writer for each word, and methods that
 * name the order of memory in which they act.
 *
 * <p>Everything is allocated when it is made; nothing grows, and what does not fit is refused.
 */
@NullMarked
package io.headgate.dataplane.memory.sync;

import org.jspecify.annotations.NullMarked;
