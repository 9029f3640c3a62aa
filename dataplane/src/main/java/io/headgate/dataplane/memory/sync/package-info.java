/**
 * Data that threads share without locks: words that have only their latest value, the positions of
 * a ring's two ends, and a ring of records. Each word has one writer, and the methods name the
 * memory order that they use.
 *
 * <p>Everything is allocated at construction; nothing grows, and a write without room is refused.
 */
@NullMarked
package io.headgate.dataplane.memory.sync;

import org.jspecify.annotations.NullMarked;
