/**
 * JMH benchmarks of OpenQueue's policies: what a frame costs in a compiled one, beside the built-in
 * queues and beside the same policies written by hand.
 */
@NullMarked
package io.headgate.perf.policy;

import org.jspecify.annotations.NullMarked;
