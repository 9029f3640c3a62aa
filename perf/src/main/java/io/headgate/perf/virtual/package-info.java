/**
 * Measures the speed of virtual time: frame-hops (one frame over one link) per second on one core,
 * the memory of a host, and the same networks with the same flows in ns-3. Every measurement is a
 * process of its own; nothing else runs meanwhile.
 */
@NullMarked
package io.headgate.perf.virtual;

import org.jspecify.annotations.NullMarked;
