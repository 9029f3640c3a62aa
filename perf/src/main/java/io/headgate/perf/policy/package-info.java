/**
 * JMH benchmarks of OpenQueue's policies: the cost of a frame in a compiled policy, compared with
 * the built-in queues and with the same policies written by hand.
 */
@NullMarked
package io.headgate.perf.policy;

import org.jspecify.annotations.NullMarked;
