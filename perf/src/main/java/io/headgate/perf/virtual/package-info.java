/**
 * How fast virtual time passes: frame-hops (one frame over one link) a second on one core, what a
 * host takes in memory, and the same networks with the same flows in ns-3. Every measurement is a
 * process of its own; nothing else runs meanwhile.
 */
@NullMarked
package io.headgate.perf.virtual;

import org.jspecify.annotations.NullMarked;
