/**
 * JMH benchmarks of the engine alone: in-memory ports, one thread, from receive to transmit. They
 * measure the cost of a frame without any device or kernel.
 */
@NullMarked
package io.headgate.perf.engine;

import org.jspecify.annotations.NullMarked;
